import JSON
import Pipeline

/// A thumbnail that has come, with the data of its `thumbnail` event written once for every session that waits for it.
struct FinishedThumbnail: Sendable {
    let thumbnail: Thumbnail
    /// `{"item","width","height","mediaType","thumbHash","data"}`
    let data: [UInt8]

    init(_ item: Int, _ thumbnail: Thumbnail) {
        self.thumbnail = thumbnail
        var writer = JSONWriter(capacity: thumbnail.bytes.count * 4 / 3 + 200)
        writer.object {
            $0.member("item", item)
            $0.member("width", thumbnail.width)
            $0.member("height", thumbnail.height)
            $0.member("mediaType", thumbnail.mediaType)
            $0.member("thumbHash") { $0.unescaped { Base64.append(thumbnail.thumbHash, to: &$0) } }
            $0.member("data") { $0.unescaped { Base64.append(thumbnail.bytes, to: &$0) } }
        }
        data = writer.bytes
    }
}
