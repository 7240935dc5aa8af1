import MicroHTTP

// A page behind a slow line: it gets small pictures of what it sees first, and the whole ones as the line allows. What
// waits for it stays little, so that what it sees next does not wait behind what it saw before.
extension Session {
    /// Bytes waiting for a reader from which on it is behind.
    static let behind = 128 << 10

    /// Sends a picture to every listener.
    func send(_ finished: FinishedThumbnail, item: Int, id: Int, _ state: inout SessionState) {
        guard !state.listeners.isEmpty else { return }
        let whole = SessionEvent.thumbnail(finished, item: item).framed(id: id)
        for listener in state.listeners { send(finished, whole, item: item, id: id, to: listener, &state) }
    }

    /// Sends a picture to one listener: the whole one, or, where it is behind, the small one if there is one.
    func send(
        _ finished: FinishedThumbnail, _ whole: Event, item: Int, id: Int, to listener: Listener,
        _ state: inout SessionState
    ) {
        let isUnwritten = state.outbox.bytes(for: listener.stream) >= Self.behind
        let keepsUp = listener.stream.pressure.bytes < Self.behind && !isUnwritten
        if isUnwritten { payLater(&state) }
        state.core.delivered(item, whole: keepsUp, to: listener.number)
        if keepsUp {
            listener.send(whole, name: "thumbnail", by: &state.outbox)
        } else if !finished.thumbnail.small.isEmpty {
            listener.send(.smallThumbnail(finished, item: item), id: id, by: &state.outbox)
        }
    }

    /// Drops queued pictures that are neither visible nor wanted any more.
    func discardStale(_ state: inout SessionState) {
        guard state.listeners.contains(where: { $0.stream.pressure.count > 0 }) else { return }
        let plan = state.core.plan
        let wanted = Set(plan.wanted.lazy.map(\.item))
        for listener in state.listeners where listener.stream.pressure.count > 0 {
            var discarded: [Int] = []
            listener.stream.discard { key in
                guard case .thumbnail(let item) = SessionEvent.Key(key), !plan.visible.contains(item),
                    !wanted.contains(item)
                else { return false }
                discarded.append(item)
                return true
            }
            state.core.owe(discarded, to: listener.number)
            state.core.forgetPreviews(discarded)
        }
    }
}
