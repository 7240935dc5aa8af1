import MicroHTTP
import Synchronization

/// Where a follower's own session is.
struct FollowerPlace: Sendable {
    /// The first visible item.
    var item: Int
    var isPrefetching: Bool
}

/// The streams of viewers who follow a session.
///
/// Publishing costs the same for one follower as for fifty: the event is stored, and a separate task sends it to all streams.
/// Only the latest event of each name is sent. Plans follow the pace of ``EventPace``.
package final class Followers: Sendable {
    private struct Follower: Sendable {
        let stream: EventStream
        let name: String
        /// The follower's own session, if the follower named it and this server has it.
        weak var session: Session?
    }

    private struct State: EffectfulState {
        /// In order of joining.
        var all: [Follower] = []
        /// The latest event of each name. While there are any, a task is about to send them.
        var waiting: [SessionEvent] = []
        var isClosed = false
        var lastID = 0
        var effects = Outbox()
    }

    private let state = EffectLock(State())
    private let streamCount = Atomic(0)

    /// Number of followers. Reading it takes no lock.
    package var count: Int { streamCount.load(ordering: .acquiring) }

    /// Names of all followers, one per follower. Empty strings for followers without a name.
    var names: [String] { state.read { $0.all.map(\.name) } }

    /// The places of the followers' own sessions, in order of joining. Locks one session after the other.
    var places: [FollowerPlace] {
        let sessions = state.read { $0.all.compactMap { $0.session } }
        return sessions.compactMap(\.place)
    }

    /// - Parameters:
    ///   - name: name of the follower. May be empty.
    ///   - session: the follower's own session. If another follower has named it, it belongs to the new follower.
    ///   - onLeave: called after the follower has left.
    /// - Returns: `false` if the session is closed or already has `limit` followers.
    func add(
        _ stream: EventStream, name: String, session: Session?, greeting: [SessionEvent], limit: Int,
        onLeave: @escaping @Sendable () -> Void
    ) -> Bool {
        let isTaken = state.update { state in
            guard !state.isClosed, state.all.count < limit else { return false }
            for index in state.all.indices where state.all[index].session === session { state.all[index].session = nil }
            state.all.append(Follower(stream: stream, name: name, session: session))
            streamCount.store(state.all.count, ordering: .releasing)
            for event in greeting {
                state.lastID += 1
                state.effects.put(event.framed(id: state.lastID), to: stream)
            }
            return true
        }
        guard isTaken else { return false }
        stream.onClose { [weak self] _ in
            Task {
                self?.remove(stream)
                onLeave()
            }
        }
        return true
    }

    private func remove(_ stream: EventStream) {
        state.update { state in
            state.all.removeAll { $0.stream === stream }
            streamCount.store(state.all.count, ordering: .releasing)
        }
    }

    /// Queues an event for all followers. Accesses no stream.
    func publish(_ event: SessionEvent) {
        let isFirst = state.update { state in
            guard !state.all.isEmpty, !state.isClosed else { return false }
            let isFirst = state.waiting.isEmpty
            state.waiting.removeAll { $0.name == event.name }
            state.waiting.append(event)
            return isFirst
        }
        if isFirst { Task { handOn() } }
    }

    private func handOn() {
        state.update { state in
            for event in state.waiting {
                state.lastID += 1
                let framed = event.framed(id: state.lastID)
                for follower in state.all { state.effects.put(framed, to: follower.stream) }
            }
            state.waiting = []
        }
    }

    func close(bye: Event) {
        state.update { state in
            state.isClosed = true
            for follower in state.all { state.effects.close(follower.stream, bye: bye) }
            state.all = []
            streamCount.store(0, ordering: .releasing)
        }
    }
}
