import Catalog
import Media

/// Identifies one rendition of one item. The pool makes it once, however many sessions want it.
package struct ThumbnailKey: Hashable, Sendable {
    /// `GalleryContent.serial`.
    package var content: Int
    package var item: Int
    package var size: ThumbnailSize

    package init(content: Int, item: Int, size: ThumbnailSize) {
        self.content = content
        self.item = item
        self.size = size
    }
}

/// Looks up the items of keys. Implemented by the galleries.
package protocol ThumbnailItems: Sendable {
    /// Returns the item of a key, and whether its thumbnail is made again and not stored. `nil` if the item no longer exists.
    func item(of key: ThumbnailKey) -> (item: Item, isCold: Bool)?
    /// Returns the id of a key's item. Takes less than a microsecond.
    func id(of key: ThumbnailKey) -> ItemID?
    /// Records the size of an item's picture, in pixels, once it is known.
    func learn(_ key: ThumbnailKey, of item: Item, width: Int, height: Int)
}
