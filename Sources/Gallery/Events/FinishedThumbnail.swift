import JSON
import Pipeline

/// A thumbnail that has come, with the data of its `thumbnail` event written once for every session that waits for it.
struct FinishedThumbnail: Sendable {
    let thumbnail: Thumbnail
    /// `{"item","width","height","mediaType","thumbHash","data"}`
    let data: [UInt8]
    private let item: Int

    init(_ item: Int, _ thumbnail: Thumbnail) {
        self.item = item
        self.thumbnail = thumbnail
        data = Self.data(item, thumbnail, thumbnail.bytes)
    }

    /// The same with the picture of the smaller tier, and `"tier":"small"`. Width and height are the whole thumbnail's, so
    /// that it takes the same place.
    var smallData: [UInt8] { Self.data(item, thumbnail, thumbnail.small, tier: "small") }

    private static func data(_ item: Int, _ thumbnail: Thumbnail, _ bytes: [UInt8], tier: String? = nil) -> [UInt8] {
        var writer = JSONWriter(capacity: bytes.count * 4 / 3 + 200)
        writer.object {
            $0.member("item", item)
            $0.member("width", thumbnail.width)
            $0.member("height", thumbnail.height)
            $0.member("mediaType", thumbnail.mediaType)
            if let tier { $0.member("tier", tier) }
            $0.member("thumbHash") { $0.unescaped { Base64.append(thumbnail.thumbHash, to: &$0) } }
            $0.member("data") { $0.unescaped { Base64.append(bytes, to: &$0) } }
        }
        return writer.bytes
    }
}
