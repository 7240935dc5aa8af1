import Catalog
import Media
import Store
import Thumbnails
import Viewport

// State of the pictures of a gallery's content.
extension ThumbnailService {
    /// Returns the remembered previews of some items, in the items' order.
    func previews(of items: some Sequence<Int>, in content: GalleryContent, at size: ThumbnailSize)
        -> [FinishedThumbnail]
    {
        guard let memory = maker.previews?.memory, !memory.isEmpty else { return [] }
        return memory.previews(of: items.lazy.map(content.original), content: content.base.serial)
            .compactMap { number, preview in
                content.item(ofOriginal: number).map {
                    FinishedThumbnail($0, preview: preview, size: size, id: content.catalog.id($0))
                }
            }
    }

    /// Returns the current cost of fetching a content's pictures from a host, and the transfers in flight at one size.
    func transfers(of content: GalleryContent, at size: ThumbnailSize, host: Int) -> TransferMeter.Overview {
        var overview = transfers.overview(
            of: content.base.serial, at: size,
            concurrency: max(1, min(limits.fetch, pool.fetchLimit(host: host))))
        overview.inFlight = overview.inFlight.compactMap { transfer in
            content.item(ofOriginal: transfer.item).map { ($0, transfer.progress) }
        }
        return overview
    }

    /// Returns the outcome of an item at any size, or `nil` if the item was not tried recently.
    package func outcome(of item: Int, in content: GalleryContent) -> KnownItems.Outcome? {
        known[KnownItems.Item(content: content.base.serial, index: content.original(item))]
    }

    /// Returns the stored placeholders of items that were rendered before the server started. Reads files and the store, so
    /// call this only on a thread that may block.
    package func storedPlaceholders(of items: [Int], in content: GalleryContent) -> [Int: Placeholder] {
        storedPlaceholders(identities(of: items, in: content))
    }

    /// Returns the identities of items' pictures in the form of ``StoreKey``. Reads file metadata.
    package func identities(of items: some Sequence<Int>, in content: GalleryContent) -> [Int: String] {
        var identities: [Int: String] = [:]
        for item in items { identities[item] = content.item(item).flatMap { StoreKey.identity(of: $0.locator) } }
        return identities
    }

    /// Returns the version of an item's picture, or `nil` if unknown.
    ///
    /// - Parameter identity: current identity of the picture's file.
    package func version(of index: Int, identity: String?, in content: GalleryContent) -> ContentVersion? {
        guard let item = content.item(index) else { return nil }
        if let version = item.version(identity: identity, validators: nil) { return version }
        guard case .url = item.locator, case .ready(let placeholder) = outcome(of: index, in: content) else {
            return nil
        }
        return placeholder.content
    }

    /// - Parameter contents: identities of the pictures, by item.
    package func storedPlaceholders(_ contents: [Int: String]) -> [Int: Placeholder] {
        let placeholders = store.placeholders(of: Array(contents.values))
        return contents.compactMapValues { placeholders[$0] }
    }

    /// Returns the ThumbHashes of items, each padded with zeros to ``ThumbHashColumn/stride`` bytes. An unknown hash is all
    /// zeros. Reads files and the store, and may paint demo pictures, so call this only on a thread that may block.
    package func thumbHashes(of items: Range<Int>, in content: GalleryContent) -> [UInt8] {
        var hashes: [Int: [UInt8]] = [:]
        for item in items {
            if let hash = content.catalog.thumbHash(item) {
                hashes[item] = hash
            } else if case .ready(let placeholder) = outcome(of: item, in: content) {
                hashes[item] = placeholder.thumbHash
            }
        }
        for (item, placeholder) in storedPlaceholders(of: items.filter { hashes[$0] == nil }, in: content) {
            hashes[item] = placeholder.thumbHash
        }
        var bytes = [UInt8](repeating: 0, count: items.count * ThumbHashColumn.stride)
        for (item, hash) in hashes where hash.count <= ThumbHashColumn.stride {
            let start = (item - items.lowerBound) * ThumbHashColumn.stride
            bytes.replaceSubrange(start..<start + hash.count, with: hash)
        }
        return bytes
    }
}
