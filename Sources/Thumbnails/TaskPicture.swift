import Catalog
import Cluster
import Pictures

/// The picture that a thumbnail is made of.
package struct TaskPicture: Sendable {
    package var item: Item
    /// Of sizes that cost about as much: ``ThumbnailSize/costClass``.
    var sizeClass: Int
    /// The identity of its content.
    var content: String
    /// The name under which the store keeps the thumbnail; nil where nothing is kept, nor taken from what was.
    package var storeKey: String?
    /// Of a file.
    var bytes: Int?
    /// Bytes that came of its beginning, where that was asked for first.
    var begun = 0
    /// Whether a person asks for it again, though it failed.
    var isForgiven = false
    /// This node's claim among others: the right to make it, or a place among those that wait. Given back with it.
    var want: SharedWant?

    /// Looks at the file of a picture in a folder.
    init(_ item: Item, size: ThumbnailSize, isCold: Bool = false) throws(ItemFailure) {
        guard let source = StoreKey.source(of: item.locator) else {
            throw ItemFailure(reason: "the file no longer exists", retryable: true)
        }
        self.item = item
        sizeClass = size.costClass
        content = source.identity
        bytes = source.bytes
        if isCold { return }
        storeKey = StoreKey.make(
            identity: source.identity, size: size, format: ThumbnailFormat.jpeg.mediaType, renderer: Renderer.version)
    }
}
