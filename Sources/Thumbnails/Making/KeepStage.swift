import Catalog
import Media

/// The last stage of a thumbnail: stores it, shares it with other nodes, and learns the size of its picture.
struct KeepStage: Sendable {
    let services: MakerServices

    /// Stores a thumbnail and shares it with other nodes, unless its picture has no store key.
    func keep(_ thumbnail: Thumbnail, of picture: TaskPicture) {
        guard let storeKey = picture.storeKey else { return }
        services.store.save(thumbnail, as: storeKey)
        services.sharing?.save(.thumbnail(thumbnail), of: picture)
    }

    /// Returns the thumbnail with the version of its picture. The picture needs no preview any more.
    func finish(_ thumbnail: Thumbnail, _ key: ThumbnailKey, _ picture: TaskPicture) -> Thumbnail {
        services.learn(thumbnail.sourceWidth, thumbnail.sourceHeight, of: picture, key)
        services.previews?.memory.remove(KnownItems.Item(key))
        return picture.versioned(thumbnail)
    }
}

extension KnownItems.Item {
    init(_ key: ThumbnailKey) { self.init(content: key.content, index: key.item) }
}
