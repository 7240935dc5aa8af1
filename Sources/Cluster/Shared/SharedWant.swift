import Synchronization

/// One node's want of a thumbnail that another may be making, or of the right to make it. It is let go with the last
/// reference, unless it has ended: no way out of a task forgets it.
package final class SharedWant: Sendable {
    let server: Int
    let claim: SharedThumbnails.Claim
    let base: String
    private let id = Atomic<LeaseTable.Want>(0)
    private let shared: SharedThumbnails

    init(_ claim: SharedThumbnails.Claim, base: String, server: Int, shared: SharedThumbnails) {
        self.claim = claim
        self.base = base
        self.server = server
        self.shared = shared
    }

    /// Its number in the table; 0 before its first claim.
    var number: LeaseTable.Want {
        get { id.load(ordering: .acquiring) }
        set { id.store(newValue, ordering: .releasing) }
    }

    /// Saves what came of it and tells the nodes that wait. Returns at once.
    package func finish(_ result: SharedThumbnails.Result) {
        shared.finish(end(), base: base, server: server, result)
    }

    /// Gives the right back, where what came of the work says nothing to others. Nothing happens where it has ended.
    package func release() { shared.letGo(end(), server: server) }

    /// Its number, for the last time: it has ended, or is about to.
    @discardableResult
    func end() -> LeaseTable.Want { id.exchange(0, ordering: .acquiringAndReleasing) }

    deinit { shared.letGo(id.load(ordering: .acquiring), server: server) }
}
