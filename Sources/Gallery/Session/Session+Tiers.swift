import MicroHTTP

// A page behind a slow line: it gets small pictures of what it sees first, and the whole ones as the line allows. What
// waits for it stays little, so that what it sees next does not wait behind what it saw before.
extension Session {
    /// Bytes waiting for a reader from which on it is behind.
    static let behind = 128 << 10

    /// Sends a picture to every stream.
    func send(_ finished: FinishedThumbnail, item: Int, id: Int, _ state: inout SessionState) {
        let whole = SessionEvent.thumbnail(finished, item: item).framed(id: id)
        for stream in state.streams { send(finished, whole, item: item, id: id, to: stream, &state) }
    }

    /// Sends a picture to one stream: the whole one, or, where it is behind, the small one if there is one.
    func send(
        _ finished: FinishedThumbnail, _ whole: Event, item: Int, id: Int, to stream: EventStream,
        _ state: inout SessionState
    ) {
        guard stream.pressure.bytes >= Self.behind else {
            state.owed[stream.id]?.remove(item)
            stream.send(whole)
            return
        }
        owe([item], to: stream, &state)
        if !finished.thumbnail.small.isEmpty {
            stream.send(SessionEvent.smallThumbnail(finished, item: item).framed(id: id))
        }
    }

    /// Drops what waits for readers and is neither seen nor wanted any more.
    func discardStale(_ state: inout SessionState) {
        let plan = state.core.plan
        let wanted = Set(plan.wanted.lazy.map(\.item))
        for stream in state.streams where stream.pressure.count > 0 {
            var discarded: [Int] = []
            stream.discard { key in
                guard case .thumbnail(let item) = SessionEvent.Key(key), !plan.visible.contains(item),
                    !wanted.contains(item)
                else { return false }
                discarded.append(item)
                return true
            }
            if !discarded.isEmpty { owe(discarded, to: stream, &state) }
        }
    }

    private static let mostOwed = 4096

    private func owe(_ items: [Int], to stream: EventStream, _ state: inout SessionState) {
        var owed = state.owed.removeValue(forKey: stream.id) ?? []
        owed.formUnion(items)
        // What is no longer known to have been sent will be made and sent again anyway.
        if owed.count > Self.mostOwed { owed = owed.filter { state.core.isFinished($0) } }
        state.owed[stream.id] = owed
    }

    /// Sends streams that keep up the whole pictures that they are owed of what is seen.
    func payOwed(_ state: inout SessionState) {
        var lost: [Int] = []
        for stream in state.streams {
            guard let owed = state.owed[stream.id], !owed.isEmpty else { continue }
            for item in state.core.plan.visible where owed.contains(item) {
                guard stream.pressure.bytes < Self.behind else { break }
                state.owed[stream.id]?.remove(item)
                if let thumbnail = thumbnails.inMemory(key(item, state)) {
                    let event = SessionEvent.thumbnail(FinishedThumbnail(item, thumbnail), item: item)
                    stream.send(event.framed(id: state.core.nextEventID()))
                } else {
                    lost.append(item)
                }
            }
        }
        if !lost.isEmpty { askAgain(lost, &state) }
    }

    /// A reader that was behind has caught up.
    func caughtUp() {
        state.withLock { state in
            guard !state.isClosed else { return }
            payOwed(&state)
        }
    }
}
