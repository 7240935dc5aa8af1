import Pipeline
import Synchronization

/// What became of the items tried lately, in any size and by whomever: state and placeholder.
///
/// A cache of facts about pictures, for the list of items. What became of an item in one session is in its `ItemLedger`.
final class KnownItems: Sendable {
    struct Item: Hashable, Sendable {
        var content: Int
        var index: Int
    }

    enum Outcome: Sendable {
        case ready(Placeholder)
        case failed
    }

    private struct State {
        var outcomes: [Item: Outcome] = [:]
        var order: [Item] = []
        var next = 0
    }

    private let state = Mutex(State())
    private let capacity: Int

    /// - Parameter capacity: items remembered, 1 or more; the one known longest is forgotten first.
    init(capacity: Int = PictureMemorySettings().knownItems) { self.capacity = max(1, capacity) }

    subscript(item: Item) -> Outcome? { state.withLock { $0.outcomes[item] } }

    func record(_ outcome: Outcome, of item: Item) {
        state.withLock { state in
            guard state.outcomes.updateValue(outcome, forKey: item) == nil else { return }
            if state.order.count < capacity {
                state.order.append(item)
            } else {
                state.outcomes[state.order[state.next]] = nil
                state.order[state.next] = item
                state.next = (state.next + 1) % capacity
            }
        }
    }
}
