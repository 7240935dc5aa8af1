/// The galleries that one server shares through one Redis, as a value: compares both sides and returns the steps to take.
package struct GalleryLedger: Sendable {
    package enum Step: Sendable, Equatable {
        /// Take what another server made.
        case load(String)
        /// Put what this one made, or what Redis has lost.
        case save(String)
        /// Have it deleted for all.
        case remove(String)
    }

    /// Those that are here, by id.
    package private(set) var kept: Set<String> = []
    /// Those that were deleted here, and not there yet.
    package private(set) var removed: Set<String> = []
    /// Those that cannot be taken, until the revision is another.
    private(set) var refused: Set<String> = []
    /// Those that are there, as far as is known.
    private(set) var listed: Set<String> = []
    /// The revision up to which all was done; `nil`: something is left.
    private(set) var revision: Int64?

    package init() {}

    /// Deleted galleries that are remembered for a Redis that is away, at most.
    package static let maxRemoved = 1_024

    package mutating func made(_ id: String) {
        kept.insert(id)
        revision = nil
    }

    /// Deleted here. Nothing happens where it was never shared.
    package mutating func deleted(_ id: String) {
        guard kept.remove(id) != nil else { return }
        if removed.count < Self.maxRemoved { removed.insert(id) }
        revision = nil
    }

    /// Whether what another server made is still to be taken.
    package func isWanted(_ id: String) -> Bool { !kept.contains(id) && !removed.contains(id) }

    package mutating func loaded(_ id: String) { kept.insert(id) }

    /// Forgets a gallery that Redis no longer has.
    package mutating func gone(_ id: String) {
        kept.remove(id)
        removed.remove(id)
    }

    package mutating func refuse(_ id: String) { refused.insert(id) }

    /// Whether a server that tells this revision has to be looked at.
    package func isBehind(_ revision: Int64) -> Bool { self.revision != revision }

    /// Returns the steps to take, given the galleries that Redis has.
    package mutating func steps(listed ids: Set<String>, revision: Int64) -> [Step] {
        if self.revision != revision, ids != listed { refused = [] }
        listed = ids
        return removed.sorted().map(Step.remove)
            + ids.subtracting(kept).subtracting(removed).subtracting(refused).sorted().map(Step.load)
            + kept.subtracting(ids).subtracting(refused).sorted().map(Step.save)
    }

    /// All steps for a revision are done, or have failed for the last time.
    package mutating func finished(_ revision: Int64) { self.revision = revision }
}
