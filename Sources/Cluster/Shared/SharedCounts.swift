import Fetch

/// Counts of shared thumbnails since the start.
package struct SharedCounts: Sendable, Equatable {
    /// Thumbnails that another node had made.
    package var hits = 0
    /// Failures that another node had seen.
    package var failures = 0
    /// Leases this node got: it made the thumbnail for all.
    package var led = 0
    /// Times a claim found another node at work.
    package var waited = 0
    /// Leases that ran out before the work was finished.
    package var lost = 0
    /// Thumbnails made alone, because the engine was away or another node took too long.
    package var alone = 0
    /// Values that were not as we write them.
    package var foreign = 0
    /// Leases given back because another node had found that the host rests.
    package var rested = 0
    /// Nodes that are there, as far as is known; 1 at least.
    package var nodes = 1
    /// Servers that answer now.
    package var reachable = 0

    mutating func add(_ reply: SharedThumbnails.Reply) {
        switch reply {
        case .found(.failure): failures += 1
        case .found: hits += 1
        case .rests: rested += 1
        case .lead: led += 1
        case .wait: waited += 1
        case .alone: alone += 1
        }
    }
}
