import MicroHTTP
import Viewport

// Sends pictures again: to a stream that reconnects (`Last-Event-ID`), or to one that has caught up. Each has to be looked for (a file of a
// folder is looked at, for its picture may have changed) and encoded. That is done a few at a time, without the session's
// lock, on a thread that may wait.
extension Session {
    /// Pictures looked for at once. Other streams have their turn in between.
    private static let batchLength = 16
    /// Pictures that are made again at once for readers that catch up.
    private static let mostRemade = 8

    /// Pictures that a listener lacks.
    struct Batch {
        var items: [(item: Int, key: ThumbnailKey)] = []
        /// Whether the listener was behind when they were due.
        var areOwed = false
    }

    /// Begins to send what a listener lacks, if that is not under way.
    func resend(to index: Int, _ state: inout SessionState) {
        guard !state.listeners[index].isResending else { return }
        state.listeners[index].isResending = true
        let stream = state.listeners[index].stream
        thumbnails.queries.common.startPromptly { [weak self] in self?.resendBatch(to: stream) }
    }

    /// A listener is owed pictures because others were not written yet, not because it is behind: nobody may be told when
    /// that is over.
    func payLater(_ state: inout SessionState) {
        guard !state.paysLater else { return }
        state.paysLater = true
        thumbnails.timers.call(after: .milliseconds(100)) { [weak self] in self?.payOwed() }
    }

    /// Sends listeners that keep up the whole pictures that they are owed of what is seen.
    func payOwed(_ state: inout SessionState) {
        guard !state.isClosed else { return }
        for index in state.listeners.indices where state.core.owesPictures(to: state.listeners[index].number) {
            guard !state.listeners[index].isResending else { continue }
            // There is no room for what has to be made again.
            if state.listeners[index].isStalled, state.core.unfinished >= Self.mostRemade { continue }
            state.listeners[index].isStalled = false
            if !due(to: state.listeners[index], state).isEmpty { resend(to: index, &state) }
        }
    }

    private func due(to listener: Listener, _ state: SessionState) -> [Int] {
        guard !listener.isStalled, listener.stream.pressure.bytes < Self.behind else { return [] }
        return state.core.visibleOwed(to: listener.number, most: Self.batchLength)
    }

    func nextBatch(of stream: EventStream, _ state: inout SessionState) -> Batch {
        guard !state.isClosed, let index = state.index(of: stream) else { return Batch() }
        let listener = state.listeners[index]
        let (items, areOwed) = state.core.beginResending(
            to: listener.number, most: Self.batchLength, owed: due(to: listener, state))
        state.listeners[index].isResending = !items.isEmpty
        return Batch(items: items.map { ($0, key($0, state)) }, areOwed: areOwed)
    }

    /// Looks for a batch's pictures, without the session's lock.
    func find(_ batch: Batch) -> [FinishedThumbnail?] {
        batch.items.map { item, key in thumbnails.inMemory(key).map { FinishedThumbnail(item, $0) } }
    }

    /// - Returns: whether the picture is in no store any more.
    func deliver(
        _ found: FinishedThumbnail?, of item: Int, _ key: ThumbnailKey, areOwed: Bool, to stream: EventStream,
        _ state: inout SessionState
    ) -> Bool {
        guard !state.isClosed, key.size == state.size, let index = state.index(of: stream) else { return false }
        let listener = state.listeners[index]
        if let failure = state.core.failure(of: item) {
            listener.send(.failed(failure, item: item), id: state.core.nextEventID(), by: &state.outbox)
        } else if areOwed, listener.stream.pressure.bytes >= Self.behind {
            // It has the small one already, and is behind again.
            state.core.owe([item], to: listener.number)
        } else if let found, let id = state.core.resent(item) {
            let whole = SessionEvent.thumbnail(found, item: item).framed(id: id)
            send(found, whole, item: item, id: id, to: listener, &state)
        } else if found == nil {
            return state.core.isSettled(item)
        }
        return false
    }

    /// - Parameter lost: items of the batch whose pictures have to be made again.
    func endDelivery(lost: [Int], areOwed: Bool, to stream: EventStream, _ state: inout SessionState) {
        guard !state.isClosed, let index = state.index(of: stream) else { return }
        let listener = state.listeners[index]
        state.core.endResending(to: listener.number)
        guard !lost.isEmpty else { return }
        // One that was behind may be so again when they come.
        let room = areOwed ? max(0, Self.mostRemade - state.core.unfinished) : lost.count
        if lost.count > room {
            state.core.owe(lost.dropFirst(room), to: listener.number)
            state.listeners[index].isStalled = true
        }
        if room > 0 { fetchAgain(Array(lost.prefix(room)), &state) }
    }
}
