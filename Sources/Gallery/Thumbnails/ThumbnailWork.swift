import Catalog
import Pipeline
import Shared

/// The data that a task carries from stage to stage.
package enum ThumbnailWork: Sendable {
    /// The store has none.
    case absent(TaskPicture)
    /// The store has one, but its origin may have another picture by now. It stays there until it is its turn.
    case stale(TaskPicture)
    /// The picture's file as it came, or as much of it as is enough.
    case picture(PictureBytes, TaskPicture)
    case thumbnail(Thumbnail)
    /// The preview in a picture's file, shown until the thumbnail is there.
    case preview(Thumbnail)
}

/// A picture's file as it came.
package struct PictureBytes: Sendable {
    package var bytes: [UInt8]
    /// Whether it is as much of the file as is enough.
    var isPartial = false
    var version: SourceVersion?

    package init(bytes: [UInt8], isPartial: Bool = false, version: SourceVersion? = nil) {
        self.bytes = bytes
        self.isPartial = isPartial
        self.version = version
    }
}

/// The picture that a task is about: its first stage looks it up, the others carry it.
package struct TaskPicture: Sendable {
    package var item: Item
    /// Of sizes that cost about as much: ``ThumbnailSize/costClass``.
    var sizeClass: Int
    /// What its content is known by.
    var content: String
    /// The name under which the store keeps the thumbnail; nil where nothing is kept, nor taken from what was.
    var storeKey: String?
    /// Of a file.
    var bytes: Int?
    /// Bytes that came of its beginning, where that was asked for first.
    var begun = 0
    /// Whether a person asks for it again, though it failed.
    var isForgiven = false
    /// What this node shares with others of it: the right to make it, or a place among those that wait.
    var want: SharedWant?
}

extension TaskPicture {
    /// Looks at the file of a picture in a folder.
    init(_ item: Item, size: ThumbnailSize) throws(ItemFailure) {
        guard let source = StoreKey.source(of: item.locator) else {
            throw ItemFailure(reason: "the file no longer exists", retryable: true)
        }
        self.item = item
        sizeClass = size.costClass
        content = source.identity
        bytes = source.bytes
        storeKey = StoreKey.make(
            identity: source.identity, size: size, format: ThumbnailFormat.jpeg.mediaType, renderer: Renderer.version)
    }
}
