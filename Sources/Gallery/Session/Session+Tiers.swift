import MicroHTTP

// A page behind a slow line: it gets small pictures of what it sees first, and the whole ones as the line allows. What
// waits for it stays little, so that what it sees next does not wait behind what it saw before.
extension Session {
    /// Bytes waiting for a reader from which on it is behind.
    static let behind = 128 << 10
    /// Whole pictures owed to a reader before those forgotten that count as never sent.
    private static let mostOwed = 4096

    /// Sends a picture to every listener.
    func send(_ finished: FinishedThumbnail, item: Int, id: Int, _ state: inout SessionState) {
        guard !state.listeners.isEmpty else { return }
        let whole = SessionEvent.thumbnail(finished, item: item).framed(id: id)
        for index in state.listeners.indices { send(finished, whole, item: item, id: id, to: index, &state) }
    }

    /// Sends a picture to one listener: the whole one, or, where it is behind, the small one if there is one.
    func send(
        _ finished: FinishedThumbnail, _ whole: Event, item: Int, id: Int, to index: Int, _ state: inout SessionState
    ) {
        state.listeners[index].backlog.remove(item)
        guard state.listeners[index].stream.pressure.bytes >= Self.behind else {
            state.listeners[index].owed.remove(item)
            state.listeners[index].send(whole, name: "thumbnail")
            return
        }
        owe([item], to: index, &state)
        if !finished.thumbnail.small.isEmpty {
            state.listeners[index].send(.smallThumbnail(finished, item: item), id: id)
        }
    }

    private func owe(_ items: [Int], to index: Int, _ state: inout SessionState) {
        state.listeners[index].owed.formUnion(items)
        guard state.listeners[index].owed.count > Self.mostOwed else { return }
        // What is no longer known to have been sent will be made and sent again anyway.
        state.listeners[index].owed = state.listeners[index].owed.filter { state.core.isFinished($0) }
    }

    /// Drops what waits for readers and is neither seen nor wanted any more.
    func discardStale(_ state: inout SessionState) {
        guard state.listeners.contains(where: { $0.stream.pressure.count > 0 }) else { return }
        let plan = state.core.plan
        let wanted = Set(plan.wanted.lazy.map(\.item))
        for index in state.listeners.indices where state.listeners[index].stream.pressure.count > 0 {
            var discarded: [Int] = []
            state.listeners[index].stream.discard { key in
                guard case .thumbnail(let item) = SessionEvent.Key(key), !plan.visible.contains(item),
                    !wanted.contains(item)
                else { return false }
                discarded.append(item)
                return true
            }
            if !discarded.isEmpty { owe(discarded, to: index, &state) }
        }
    }

    /// Fetches pictures anew that were made and are nowhere any more. Nobody need scroll for that.
    func fetchAgain(_ items: [Int], _ state: inout SessionState) {
        askAgain(items, &state)
        _ = state.core.advance(to: state.core.plan.scrollTop, phase: nil, time: now + state.clockOffset)
        planned(&state)
    }

    /// A reader that was behind has caught up.
    func caughtUp() {
        state.withLock { state in
            guard !state.isClosed else { return }
            payOwed(&state)
        }
    }
}
