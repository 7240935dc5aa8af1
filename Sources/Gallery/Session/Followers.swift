import MicroHTTP
import Synchronization

/// The streams of those who watch a session. Publishing costs the same for one as for fifty: the event is put down, and a
/// task of its own hands it on, the latest of each name only. Plans come at the pace of ``EventPace``.
package final class Followers: Sendable {
    private struct State: EffectfulState {
        var streams: [(stream: EventStream, name: String)] = []
        /// The latest event of each name; as long as there are any, a task is on its way to hand them on.
        var waiting: [SessionEvent] = []
        var isClosed = false
        var lastID = 0
        var effects = Outbox()
    }

    private let state = EffectLock(State())
    private let streamCount = Atomic(0)

    /// Locks nothing.
    package var count: Int { streamCount.load(ordering: .acquiring) }

    /// The names that followers gave, one for each follower; empty for those without one.
    var names: [String] { state.read { $0.streams.map(\.name) } }

    /// - Parameters:
    ///   - name: of the follower; may be empty.
    ///   - onLeave: called when it has left.
    /// - Returns: whether it was taken; not when the session is over or has `limit` followers.
    func add(
        _ stream: EventStream, name: String, greeting: [SessionEvent], limit: Int,
        onLeave: @escaping @Sendable () -> Void
    ) -> Bool {
        let isTaken = state.update { state in
            guard !state.isClosed, state.streams.count < limit else { return false }
            state.streams.append((stream, name))
            streamCount.store(state.streams.count, ordering: .releasing)
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
            state.streams.removeAll { $0.stream === stream }
            streamCount.store(state.streams.count, ordering: .releasing)
        }
    }

    /// Puts an event down for all followers. Looks at none of them.
    func publish(_ event: SessionEvent) {
        let isFirst = state.update { state in
            guard !state.streams.isEmpty, !state.isClosed else { return false }
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
                for (stream, _) in state.streams { state.effects.put(framed, to: stream) }
            }
            state.waiting = []
        }
    }

    func close(bye: Event) {
        state.update { state in
            state.isClosed = true
            for (stream, _) in state.streams { state.effects.close(stream, bye: bye) }
            state.streams = []
            streamCount.store(0, ordering: .releasing)
        }
    }
}
