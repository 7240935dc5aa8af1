import Gallery
import MicroHTTP
import Synchronization

extension API {
    func addComparisonRoute(to router: inout Router) {
        let isComparing = SharedFlag()
        router.on(.get, "\(APIPath.sessions)/{s}/comparison") { request in
            later { () throws(Problem) in
                let session = try session(request)
                // A comparison takes a whole processor: only one runs at a time, so that scrolling stays fast.
                guard isComparing.raise() else {
                    throw Problem(429, "Another comparison is running; try again.", retryAfter: 1)
                }
                defer { isComparing.lower() }
                return Self.json(try session.comparePrefetching().document)
            }
        }
    }
}

/// Says that something is under way that may be under way only once.
private final class SharedFlag: Sendable {
    private let isRaised = Atomic(false)

    /// - Returns: false where it is raised already.
    func raise() -> Bool { !isRaised.exchange(true, ordering: .acquiringAndReleasing) }

    func lower() { isRaised.store(false, ordering: .releasing) }
}
