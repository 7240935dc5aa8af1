import BoundedCache
import Media
import Store
import Synchronization

/// Results of recently tried items, in any size and from any session: state and placeholder.
///
/// A cache of facts about pictures, for the list of items. A session's `ItemLedger` has the results of its items.
package final class KnownItems: Sendable {
    package struct Item: Hashable, Sendable {
        var content: Int
        var index: Int

        package init(content: Int, index: Int) {
            self.content = content
            self.index = index
        }
    }

    package enum Outcome: Sendable {
        case ready(Placeholder)
        case failed
    }

    private let outcomes: Mutex<BoundedCache<Item, Outcome>>

    /// - Parameter capacity: Number of items remembered, 1 or more. The oldest are forgotten first.
    package init(capacity: Int = PictureMemorySettings().knownItems) {
        outcomes = Mutex(BoundedCache(limit: max(1, capacity)))
    }

    package subscript(item: Item) -> Outcome? { outcomes.withLock { $0[item] } }

    package func record(_ outcome: Outcome, of item: Item) {
        outcomes.withLock { outcomes in
            guard outcomes[item] != nil else { return outcomes.insert(outcome, for: item) }
            outcomes.replace(outcome, for: item)
        }
    }
}
