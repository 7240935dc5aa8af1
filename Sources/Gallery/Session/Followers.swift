import MicroHTTP
import Synchronization

/// Where a follower's own session is.
struct FollowerPlace: Sendable {
    var session: String
    /// The first visible item.
    var item: Int
    var isPrefetching: Bool
    var exposure: Exposure.Totals
}

/// Events for followers, and changes of their own sessions. Carried out without a lock.
private struct FollowersEffects: Effects {
    var outbox = Outbox()
    /// Sessions whose prefetching is turned off, or on again, in the order of the changes.
    var suspensions: [(session: Session, isSuspended: Bool)] = []

    var isEmpty: Bool { outbox.isEmpty && suspensions.isEmpty }

    func carryOut() {
        outbox.write()
        for (session, isSuspended) in suspensions { session.suspendPrefetching(isSuspended) }
    }
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
        /// The comparison of two halves, while prefetching is off for one.
        var halves: AudienceHalves?
        var isClosed = false
        var lastID = 0
        var effects = FollowersEffects()

        /// The sessions in the half without prefetching.
        private var off: [Session] { all.compactMap { $0.session }.filter { halves?.isOff($0.id) == true } }

        /// Changes the followers or their halves, and then turns prefetching off or on in the sessions concerned.
        mutating func regroup(after change: (inout State) -> Void) {
            let before = off
            change(&self)
            halves?.update(all.compactMap { $0.session?.id })
            let after = off
            for session in before where !after.contains(where: { $0 === session }) {
                effects.suspensions.append((session, false))
            }
            for session in after where !before.contains(where: { $0 === session }) {
                effects.suspensions.append((session, true))
            }
        }
    }

    private let state = EffectLock(State())
    private let streamCount = Atomic(0)

    /// Number of followers. Reading it takes no lock.
    package var count: Int { streamCount.load(ordering: .acquiring) }

    /// Names of all followers, one per follower. Empty strings for followers without a name.
    var names: [String] { state.read { $0.all.map(\.name) } }

    private func update<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        state.update(carryingOut: { $0.carryOut() }, body)
    }

    /// Reads the places of the followers' own sessions, in order of joining, and measures the halves. Locks one session
    /// after the other.
    func measure() -> (places: [FollowerPlace], halves: AudienceHalves?) {
        let sessions = state.read { $0.all.compactMap { $0.session } }
        let places = sessions.compactMap(\.place)
        let halves = update { state in
            for place in places {
                state.halves?.measure(
                    place.session, visibleTime: place.exposure.visibleTime, blankTime: place.exposure.blankTime)
            }
            return state.halves
        }
        return (places, halves)
    }

    /// Turns prefetching off in every second follower's session, or on again.
    func setPrefetching(_ prefetching: AudiencePrefetching) {
        update { state in
            state.regroup { $0.halves = prefetching == .all ? nil : $0.halves ?? AudienceHalves() }
        }
        _ = measure()
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
        let isTaken = update { state in
            guard !state.isClosed, state.all.count < limit else { return false }
            state.regroup { state in
                for index in state.all.indices where state.all[index].session === session {
                    state.all[index].session = nil
                }
                state.all.append(Follower(stream: stream, name: name, session: session))
            }
            streamCount.store(state.all.count, ordering: .releasing)
            for event in greeting {
                state.lastID += 1
                state.effects.outbox.put(event.framed(id: state.lastID), to: stream)
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
        update { state in
            state.regroup { $0.all.removeAll { $0.stream === stream } }
            streamCount.store(state.all.count, ordering: .releasing)
        }
    }

    /// Queues an event for all followers. Accesses no stream.
    func publish(_ event: SessionEvent) {
        let isFirst = update { state in
            guard !state.all.isEmpty, !state.isClosed else { return false }
            let isFirst = state.waiting.isEmpty
            state.waiting.removeAll { $0.name == event.name }
            state.waiting.append(event)
            return isFirst
        }
        if isFirst { Task { handOn() } }
    }

    private func handOn() {
        update { state in
            for event in state.waiting {
                state.lastID += 1
                let framed = event.framed(id: state.lastID)
                for follower in state.all { state.effects.outbox.put(framed, to: follower.stream) }
            }
            state.waiting = []
        }
    }

    func close(bye: Event) {
        update { state in
            state.isClosed = true
            for follower in state.all { state.effects.outbox.close(follower.stream, bye: bye) }
            state.regroup { $0.all = [] }
            streamCount.store(0, ordering: .releasing)
        }
    }
}
