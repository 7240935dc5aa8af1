import Synchronization

package final class SessionList: Sendable {
    private struct State {
        var sessions: [String: Session] = [:]
        var followed: [String: Session] = [:]
        var shares: AddressShares
        /// Number of sessions that have a place and are being opened.
        var opening = 0
        var isClosed = false
        var opened = 0
        var ended = Totals()
    }

    /// Totals over all sessions, including those that ended.
    package struct Totals: Sendable {
        package var opened = 0
        package var ended = 0
        package var exposure = Exposure.Totals()
    }

    private let state: Mutex<State>
    private let maxSessions: Int

    package init(maxSessions: Int) {
        self.maxSessions = maxSessions
        state = Mutex(State(shares: AddressShares(of: maxSessions)))
    }

    package var all: [Session] { state.withLock { Array($0.sessions.values) } }

    package var count: Int { state.withLock { $0.sessions.count } }

    package var totals: Totals {
        var (totals, sessions) = state.withLock { state in
            var totals = state.ended
            totals.opened = state.opened
            return (totals, Array(state.sessions.values))
        }
        // Outside the lock, so that a request for one session need not wait until thousands are read.
        for session in sessions { totals.exposure += session.exposure }
        return totals
    }

    /// Number of sessions that ``notify(over:where:_:)`` calls per turn.
    private static let batchSize = 64

    /// Calls `body` with each session that `isMeant` selects. Many sessions take turns over `time`, so that viewport updates
    /// are handled between turns. If the task is cancelled, as when the server stops, the remaining sessions are skipped.
    package func notify(
        over time: Duration, where isMeant: (Session) -> Bool = { _ in true }, _ body: (Session) -> Void
    )
        async
    {
        let meant = all.filter(isMeant)
        let pause = time / max(1, meant.count / Self.batchSize)
        for (number, session) in meant.enumerated() {
            if number > 0, number.isMultiple(of: Self.batchSize) { try? await Task.sleep(for: pause) }
            if Task.isCancelled { return }
            body(session)
        }
    }

    package func session(_ id: String) -> Session? { state.withLock { $0.sessions[id] } }

    package func followed(_ id: String) -> Session? { state.withLock { $0.followed[id] } }

    /// - Throws: 429 if the limit of sessions is reached.
    package func requireRoom() throws(Problem) {
        if count >= maxSessions { throw tooMany }
    }

    private var tooMany: Problem {
        Problem(
            429, "Too many sessions: the limit is \(maxSessions) (--max-sessions). Close one first.", retryAfter: 30)
    }

    /// Opens a session, and lists it once it is open, so that nothing ends it earlier.
    ///
    /// - Throws: 429 if there are too many sessions, 503 if the server is stopping.
    package func add(_ session: Session) throws(Problem) {
        let problem: Problem? = state.withLock { state in
            if state.isClosed { return .stopping }
            if state.sessions.count + state.opening >= maxSessions { return tooMany }
            guard state.shares.take(session.opener.network) else {
                return Problem(
                    429,
                    "Too many sessions from this address: the limit is \(state.shares.maximum), a quarter of "
                        + "--max-sessions. Close one first.", retryAfter: 30)
            }
            state.opening += 1
            return nil
        }
        if let problem { throw problem }
        session.open()
        let isClosed = state.withLock { state in
            state.opening -= 1
            state.sessions[session.id] = session
            state.followed[session.followID] = session
            state.opened += 1
            return state.isClosed
        }
        // All other sessions were ended while this one was opened.
        if isClosed { end(session, reason: Self.stopping) }
    }

    package func end(reason: String, where isMeant: (Session) -> Bool) {
        // Calls `isMeant` outside the lock, for the same reason as in ``totals``.
        for session in all where isMeant(session) { end(session, reason: reason) }
    }

    package func end(_ session: Session, reason: String) {
        let exposure = session.exposure
        let isOpen = state.withLock { state in
            guard state.sessions.removeValue(forKey: session.id) != nil else { return false }
            state.followed[session.followID] = nil
            state.shares.giveBack(session.opener.network)
            state.ended.ended += 1
            state.ended.exposure += exposure
            return true
        }
        if isOpen { session.close(reason: reason) }
    }

    /// Ends all sessions and opens no more.
    package func closeAll() {
        state.withLock { $0.isClosed = true }
        end(reason: Self.stopping) { _ in true }
    }

    private static let stopping = "the server is stopping"
}
