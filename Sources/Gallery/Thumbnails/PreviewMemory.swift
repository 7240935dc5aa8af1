import Pipeline
import Synchronization

/// The previews read lately of pictures that are not made yet, for those who want them after they were shown to others.
///
/// Bounded in bytes; the one that came first goes first.
final class PreviewMemory: Sendable {
    private struct State {
        var previews: [KnownItems.Item: Thumbnail] = [:]
        /// In the order in which they came.
        var order: [KnownItems.Item] = []
        var head = 0
        var bytes = 0
    }

    private let state = Mutex(State())
    private let limit: Int

    /// - Parameter limit: bytes of all of them. Default 8 MiB: a thousand of the usual size.
    init(limit: Int = 8 << 20) { self.limit = max(0, limit) }

    var isEmpty: Bool { state.withLock { $0.previews.isEmpty } }

    subscript(item: KnownItems.Item) -> Thumbnail? { state.withLock { $0.previews[item] } }

    /// Those that are here of some items, in their order.
    func previews(of items: some Sequence<Int>, content: Int) -> [(item: Int, preview: Thumbnail)] {
        state.withLock { state in
            items.compactMap { item in
                state.previews[KnownItems.Item(content: content, index: item)].map { (item, $0) }
            }
        }
    }

    func keep(_ preview: Thumbnail, of item: KnownItems.Item) {
        guard Self.cost(preview) <= limit else { return }
        state.withLock { state in
            if let old = state.previews.updateValue(preview, forKey: item) {
                state.bytes -= Self.cost(old)
            } else {
                state.order.append(item)
            }
            state.bytes += Self.cost(preview)
            while state.bytes > limit, state.head < state.order.count {
                if let gone = state.previews.removeValue(forKey: state.order[state.head]) {
                    state.bytes -= Self.cost(gone)
                }
                state.head += 1
            }
            guard state.order.count > 2 * state.previews.count + 1024 else { return }
            let previews = state.previews
            state.order = state.order[state.head...].filter { previews[$0] != nil }
            state.head = 0
        }
    }

    /// The picture itself is there.
    func remove(_ item: KnownItems.Item) {
        state.withLock { state in
            if let gone = state.previews.removeValue(forKey: item) { state.bytes -= Self.cost(gone) }
        }
    }

    /// With what an entry costs besides, about.
    private static func cost(_ preview: Thumbnail) -> Int { preview.bytes.count + 256 }
}
