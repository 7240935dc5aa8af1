import MicroHTTP
import Viewport

// Pictures that go out again: to a stream that begins, or to one that has caught up. Each has to be looked for (a file of a
// folder is looked at, for its picture may have changed) and encoded. That is done a few at a time, without the session's
// lock, on a thread that may wait.
extension Session {
    /// Pictures looked for at once. Other streams have their turn in between.
    private static let batchLength = 16
    /// Pictures that are made again at once for readers that catch up.
    private static let mostRemade = 8

    private struct Batch {
        var items: [(item: Int, key: ThumbnailKey)] = []
        /// Whether the listener was behind when they were due.
        var isOwed = false
    }

    /// Begins to send what a listener lacks, if that is not under way.
    func resend(to index: Int, _ state: inout SessionState) {
        guard !state.listeners[index].isResending else { return }
        state.listeners[index].isResending = true
        let stream = state.listeners[index].stream
        thumbnails.queries.start { [weak self] in self?.resendBatch(to: stream) }
    }

    /// Sends listeners that keep up the whole pictures that they are owed of what is seen.
    func payOwed(_ state: inout SessionState) {
        for index in state.listeners.indices where !state.listeners[index].owed.isEmpty {
            guard !state.listeners[index].isResending else { continue }
            // There is no room for what has to be made again.
            if state.listeners[index].isStalled, state.core.unfinished >= Self.mostRemade { continue }
            state.listeners[index].isStalled = false
            if !due(to: state.listeners[index], state).isEmpty { resend(to: index, &state) }
        }
    }

    private func due(to listener: Listener, _ state: SessionState) -> [Int] {
        guard !listener.isStalled, listener.stream.pressure.bytes < Self.behind else { return [] }
        return Array(state.core.plan.visible.lazy.filter(listener.owed.contains).prefix(Self.batchLength))
    }

    private func resendBatch(to stream: EventStream) {
        let batch = nextBatch(of: stream)
        guard !batch.items.isEmpty else { return }
        let found = batch.items.map { item, key in
            (item, key, thumbnails.inMemory(key).map { FinishedThumbnail(item, $0) })
        }
        deliver(found, isOwed: batch.isOwed, to: stream)
        thumbnails.queries.start { [weak self] in self?.resendBatch(to: stream) }
    }

    private func nextBatch(of stream: EventStream) -> Batch {
        state.withLock { state in
            guard !state.isClosed, let index = state.index(of: stream) else { return Batch() }
            var batch = Batch()
            var items = state.listeners[index].backlog.take(Self.batchLength)
            if items.isEmpty {
                items = due(to: state.listeners[index], state)
                state.listeners[index].owed.subtract(items)
                batch.isOwed = true
            }
            state.listeners[index].isResending = !items.isEmpty
            state.listeners[index].resending = items
            batch.items = items.map { ($0, key($0, state)) }
            return batch
        }
    }

    private func deliver(
        _ found: [(item: Int, key: ThumbnailKey, picture: FinishedThumbnail?)], isOwed: Bool, to stream: EventStream
    ) {
        state.withLock { state in
            guard !state.isClosed, let index = state.index(of: stream) else { return }
            state.listeners[index].resending = []
            var lost: [Int] = []
            for (item, key, picture) in found where key.size == state.size {
                if let failure = state.core.failures[item] {
                    let event = SessionEvent.failed(failure, item: item)
                    state.listeners[index].send(event, id: state.core.nextEventID())
                } else if isOwed, state.listeners[index].stream.pressure.bytes >= Self.behind {
                    // It has the small one already, and is behind again.
                    state.listeners[index].owed.insert(item)
                } else if let picture, let id = state.core.resent(item) {
                    let whole = SessionEvent.thumbnail(picture, item: item).framed(id: id)
                    send(picture, whole, item: item, id: id, to: index, &state)
                } else if picture == nil, state.core.isFinished(item) {
                    lost.append(item)
                }
            }
            guard !lost.isEmpty else { return }
            // One that was behind may be so again when they come.
            let room = isOwed ? max(0, Self.mostRemade - state.core.unfinished) : lost.count
            if lost.count > room {
                state.listeners[index].owed.formUnion(lost.dropFirst(room))
                state.listeners[index].isStalled = true
            }
            if room > 0 { fetchAgain(Array(lost.prefix(room)), &state) }
        }
    }
}
