import MicroHTTP
import Viewport

extension Session {
    /// Adds a listener, which hears `hello` and then what it lacks of what is shown and wanted now.
    ///
    /// - Parameter lastHeard: the last event it knows of; 0 for a new one.
    /// - Returns: whether it was taken; not when the session is over or has `limit` streams.
    func attach(_ stream: EventStream, lastHeard: Int, limit: Int) -> Bool {
        let attached = state.withLock { state in
            guard !state.isClosed, state.streams.count < limit else { return false }
            state.streams.append(stream)
            state.aloneSince = nil
            stream.send(SessionEvent.hello(document(state)).framed(id: state.core.nextEventID()))
            stream.send(
                SessionEvent.plan(state.core.plan, seq: state.core.seq).framed(id: state.core.nextEventID()))
            resend(state.core.unheard(since: lastHeard), to: stream, &state)
            return true
        }
        guard attached else { return false }
        // Told on whatever thread noticed it, perhaps inside a send under the lock: so on another task.
        stream.onClose { [weak self] _ in
            Task { self?.detach(stream) }
        }
        stream.onDrain { [weak self] in
            Task { self?.caughtUp() }
        }
        return true
    }

    var streamCount: Int { state.withLock { $0.streams.count } }

    /// What waits for readers that are behind.
    var pressure: (bytes: Int, count: Int) {
        state.withLock { $0.streams }.reduce(into: (0, 0)) { sum, stream in
            let pressure = stream.pressure
            sum = (sum.0 + pressure.bytes, sum.1 + pressure.count)
        }
    }

    /// What the pages of this session saw so far.
    var exposure: Exposure.Totals { state.withLock { $0.core.exposure.totals } }

    private func detach(_ stream: EventStream) {
        state.withLock { state in
            state.streams.removeAll { $0 === stream }
            // Whoever comes back has not got the whole pictures: they count as never sent.
            if let owed = state.owed.removeValue(forKey: stream.id) { askAgain(Array(owed), &state) }
            if state.streams.isEmpty { state.aloneSince = clock.now }
        }
    }

    /// Sends pictures again that went out before: from memory where they still are, through the pool where not.
    private func resend(_ items: [Int], to stream: EventStream, _ state: inout SessionState) {
        var lost: [Int] = []
        for item in items {
            if let thumbnail = thumbnails.inMemory(key(item, state)) {
                let finished = FinishedThumbnail(item, thumbnail)
                let id = state.core.nextEventID()
                send(
                    finished, SessionEvent.thumbnail(finished, item: item).framed(id: id), item: item, id: id,
                    to: stream, &state)
            } else {
                lost.append(item)
            }
        }
        if !lost.isEmpty {
            askAgain(lost, &state)
            want(&state)
        }
        for (item, failure) in state.core.failures {
            let event = SessionEvent.failed(failure, item: item)
            stream.send(event.framed(id: state.core.nextEventID()))
        }
    }

    /// Sends an event of its own to every stream.
    func broadcast(_ event: SessionEvent, _ state: inout SessionState) {
        guard !state.streams.isEmpty else { return }
        send(event, id: state.core.nextEventID(), &state)
    }

    func send(_ event: SessionEvent, id: Int, _ state: inout SessionState) {
        guard !state.streams.isEmpty else { return }
        let framed = event.framed(id: id)
        for stream in state.streams { stream.send(framed) }
    }
}

extension Session {
    /// Sends `stats` to whoever listens; costs nothing where nobody does.
    func sendStats(_ server: ServerRates) {
        state.withLock { state in
            guard !state.streams.isEmpty else { return }
            broadcast(.stats(statsDocument(state, server: server)), &state)
        }
    }

    /// Tells the pages that the gallery's items have changed: they may open a session on the new ones.
    func galleryChanged() {
        state.withLock { state in broadcast(.gallery(gallery.document), &state) }
    }
}
