import BoundedCache
import Pictures
import Synchronization

/// Recent previews of pictures that are not rendered yet, for sessions that want them later.
///
/// Bounded in bytes; the oldest is dropped first.
package final class PreviewMemory: Sendable {
    private let previews: Mutex<BoundedCache<KnownItems.Item, Thumbnail>>

    /// - Parameter limit: bytes of all of them. Default 8 MiB: a thousand of the usual size.
    init(limit: Int = 8 << 20) { previews = Mutex(BoundedCache(limit: limit)) }

    package var isEmpty: Bool { previews.withLock { $0.count == 0 } }

    subscript(item: KnownItems.Item) -> Thumbnail? { previews.withLock { $0[item] } }

    /// Those that are here of some items, in their order.
    package func previews(of items: some Sequence<Int>, content: Int) -> [(item: Int, preview: Thumbnail)] {
        previews.withLock { previews in
            items.compactMap { item in
                previews[KnownItems.Item(content: content, index: item)].map { (item, $0) }
            }
        }
    }

    func keep(_ preview: Thumbnail, of item: KnownItems.Item) {
        previews.withLock { $0.insert(preview, for: item, cost: Self.cost(preview)) }
    }

    /// The picture itself is there.
    func remove(_ item: KnownItems.Item) { previews.withLock { _ = $0.remove(item) } }

    /// With what an entry costs besides, about.
    private static func cost(_ preview: Thumbnail) -> Int { preview.bytes.count + 256 }
}
