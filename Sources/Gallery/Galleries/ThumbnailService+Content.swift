import Catalog
import Pictures
import Store
import Thumbnails
import Viewport

// The state of the pictures of a gallery's content.
extension ThumbnailService {
    /// The previews that are remembered of some items, in their order.
    func previews(of items: some Sequence<Int>, in content: GalleryContent, at size: ThumbnailSize)
        -> [FinishedThumbnail]
    {
        guard let memory = maker.previews?.memory, !memory.isEmpty else { return [] }
        return memory.previews(of: items.lazy.map(content.original), content: content.pictures.serial)
            .compactMap { number, preview in
                content.item(ofOriginal: number).map {
                    FinishedThumbnail($0, preview: preview, size: size, id: content.catalog.id($0))
                }
            }
    }

    /// The cost of fetching a content's pictures from a host now, and those at one size that are under way.
    func transfers(of content: GalleryContent, at size: ThumbnailSize, host: Int) -> TransferMeter.Overview {
        var overview = transfers.overview(
            of: content.pictures.serial, at: size,
            concurrency: max(1, min(limits.fetch, pool.fetchLimit(host: host))))
        overview.inFlight = overview.inFlight.compactMap { transfer in
            content.item(ofOriginal: transfer.item).map { ($0, transfer.progress) }
        }
        return overview
    }

    /// The outcome of an item at any size; `nil` where it was not tried lately.
    package func outcome(of item: Int, in content: GalleryContent) -> KnownItems.Outcome? {
        known[KnownItems.Item(content: content.pictures.serial, index: content.original(item))]
    }

    /// The placeholders of items that were not tried since the server started, but were made before. Looks at files and
    /// into the store: not for a thread that must not wait.
    package func storedPlaceholders(of items: [Int], in content: GalleryContent) -> [Int: Placeholder] {
        storedPlaceholders(identities(of: items, in: content))
    }

    /// The identities of items' pictures, as ``StoreKey`` has them. Looks at files.
    package func identities(of items: some Sequence<Int>, in content: GalleryContent) -> [Int: String] {
        var identities: [Int: String] = [:]
        for item in items { identities[item] = content.item(item).flatMap { StoreKey.identity(of: $0.locator) } }
        return identities
    }

    /// The version of an item's picture, or `nil` if unknown.
    ///
    /// - Parameter identity: of its file, as it is now.
    package func version(of index: Int, identity: String?, in content: GalleryContent) -> ContentVersion? {
        guard let item = content.item(index) else { return nil }
        if let version = item.version(identity: identity, validators: nil) { return version }
        guard case .url = item.locator, case .ready(let placeholder) = outcome(of: index, in: content) else {
            return nil
        }
        return placeholder.content
    }

    /// - Parameter contents: the identities of items' pictures.
    package func storedPlaceholders(_ contents: [Int: String]) -> [Int: Placeholder] {
        let placeholders = store.placeholders(of: Array(contents.values))
        return contents.compactMapValues { placeholders[$0] }
    }

    /// The ThumbHashes of items, each filled up with zeros to ``ThumbHashColumn/stride`` bytes; zeros alone where none is known. Looks
    /// at files, into the store and may paint pictures of the demo: not for a thread that must not wait.
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
