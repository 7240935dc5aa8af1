import Catalog
import JSON
import Media

/// A finished thumbnail or its preview. The data of its `thumbnail` event is written once for all sessions that
/// wait for the thumbnail.
package struct FinishedThumbnail: Sendable {
    package let thumbnail: Thumbnail
    /// `{"item","id","version"?,"width","height","mediaType","tier","thumbHash","data"}`
    package let data: [UInt8]
    package let item: Int
    private let id: ItemID?

    /// Version of a picture that is shown. A better version replaces a lesser one.
    private enum Tier: String { case preview, small, full }

    package init(_ item: Int, _ thumbnail: Thumbnail, id: ItemID?) {
        self.item = item
        self.id = id
        self.thumbnail = thumbnail
        data = Self.data(item, id, thumbnail, thumbnail.bytes, .full, thumbnail.width, thumbnail.height)
    }

    /// - Parameter size: The size that the thumbnail itself will cover, so that the preview covers the same area.
    package init(_ item: Int, preview: Thumbnail, size: ThumbnailSize, id: ItemID?) {
        self.item = item
        self.id = id
        thumbnail = preview
        let (width, height) = size.size(forPicture: preview.sourceWidth, preview.sourceHeight)
        data = Self.data(item, id, preview, preview.bytes, .preview, width, height)
    }

    private init(_ item: Int, _ thumbnail: Thumbnail, id: ItemID?, data: [UInt8]) {
        self.item = item
        self.id = id
        self.thumbnail = thumbnail
        self.data = data
    }

    /// Returns the same thumbnail with another gallery's item number. Replaces only that number, the first member of the data.
    package func numbered(_ item: Int) -> FinishedThumbnail {
        guard item != self.item, let rest = data.firstIndex(of: UInt8(ascii: ",")) else { return self }
        return FinishedThumbnail(
            item, thumbnail, id: id, data: Array("{\"item\":\(item)".utf8) + data[rest...])
    }

    /// Event data with the picture of the smaller tier. Width and height are those of the full thumbnail, so
    /// that the small picture covers the same area.
    package var smallData: [UInt8] {
        Self.data(item, id, thumbnail, thumbnail.small, .small, thumbnail.width, thumbnail.height)
    }

    private static func data(
        _ item: Int, _ id: ItemID?, _ thumbnail: Thumbnail, _ bytes: [UInt8], _ tier: Tier, _ width: Int, _ height: Int
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: bytes.count * 4 / 3 + 200)
        writer.object {
            $0.member("item", item)
            if let id { $0.member("id", id.description) }
            if let version = thumbnail.content { $0.member("version", version.description) }
            $0.member("width", width)
            $0.member("height", height)
            $0.member("mediaType", thumbnail.mediaType)
            $0.member("tier", tier.rawValue)
            $0.member("thumbHash") { $0.unescaped { Base64.append(thumbnail.thumbHash, to: &$0) } }
            $0.member("data") { $0.unescaped { Base64.append(bytes, to: &$0) } }
        }
        return writer.bytes
    }
}
