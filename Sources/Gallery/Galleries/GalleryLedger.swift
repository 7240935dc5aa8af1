/// The galleries that this server shares through one Redis server, as a value. Compares both sides and returns the steps to take.
package struct GalleryLedger: Sendable {
    package enum Step: Sendable, Equatable {
        /// Load a gallery that another server created.
        case load(String)
        /// Save a gallery that this server created or that Redis has lost.
        case save(String)
        /// Delete a gallery on all servers.
        case remove(String)
    }

    /// Ids of the galleries on this server.
    package private(set) var kept: Set<String> = []
    /// Ids of galleries that were deleted on this server but not yet in Redis.
    package private(set) var removed: Set<String> = []
    /// Ids of galleries that cannot be loaded or saved. Cleared when the list in Redis changes.
    private(set) var refused: Set<String> = []
    /// Ids of the galleries in Redis, as last read.
    private(set) var listed: Set<String> = []
    /// The revision for which all steps are done. `nil` if steps remain.
    private(set) var revision: Int64?

    package init() {}

    /// Maximum number of deleted galleries that are remembered while Redis is unreachable.
    package static let maxRemoved = 1_024

    package mutating func made(_ id: String) {
        kept.insert(id)
        revision = nil
    }

    /// Records that a gallery was deleted on this server. Does nothing if the gallery was never shared.
    package mutating func deleted(_ id: String) {
        guard kept.remove(id) != nil else { return }
        if removed.count < Self.maxRemoved { removed.insert(id) }
        revision = nil
    }

    package func isWanted(_ id: String) -> Bool { !kept.contains(id) && !removed.contains(id) }

    package mutating func loaded(_ id: String) { kept.insert(id) }

    /// Forgets a gallery that Redis no longer has.
    package mutating func gone(_ id: String) {
        kept.remove(id)
        removed.remove(id)
    }

    package mutating func refuse(_ id: String) { refused.insert(id) }

    package func isBehind(_ revision: Int64) -> Bool { self.revision != revision }

    package mutating func steps(listed ids: Set<String>, revision: Int64) -> [Step] {
        if self.revision != revision, ids != listed { refused = [] }
        listed = ids
        return removed.sorted().map(Step.remove)
            + ids.subtracting(kept).subtracting(removed).subtracting(refused).sorted().map(Step.load)
            + kept.subtracting(ids).subtracting(refused).sorted().map(Step.save)
    }

    /// Records that all steps for a revision are done or were refused.
    package mutating func finished(_ revision: Int64) { self.revision = revision }
}
