import MicroHTTP
import Viewport

/// An event stream of a session, and what it wants to hear.
struct Listener: Sendable {
    let stream: EventStream
    /// Names of events; `nil` for all. `bye` is heard by everyone.
    var only: Set<String>?
    /// The items whose whole picture it has not got, though it was made.
    var owed: Set<Int> = []
    /// What it has not got of what went out before it came: pictures, and failures.
    var backlog = Backlog()
    /// Those of both that are being looked for, and whether any are.
    var resending: [Int] = []
    var isResending = false
    /// Whether what it is owed has to be made again, and waits for room.
    var isStalled = false

    func send(_ event: SessionEvent, id: Int) { send(event.framed(id: id), name: event.name) }

    func send(_ framed: Event, name: String) {
        if hears(name) { stream.send(framed) }
    }

    /// `progress` is for those who ask for it by name.
    func hears(_ name: String) -> Bool { only?.contains(name) ?? (name != "progress") }
}

extension Session {
    /// Adds a listener, which hears `hello` and then what it lacks of what is shown and wanted now.
    ///
    /// - Parameter lastHeard: the last event it knows of; 0 for a new one.
    /// - Returns: whether it was taken; not when the session is over or has `limit` streams.
    func attach(_ listener: Listener, lastHeard: Int, limit: Int) -> Bool {
        listener.stream.onDrain { [weak self] in
            Task { self?.caughtUp() }
        }
        let attached = state.withLock { state in
            guard !state.isClosed, state.listeners.count < limit else { return false }
            state.listeners.append(listener)
            state.aloneSince = nil
            listener.send(.hello(document(state)), id: state.core.nextEventID())
            listener.send(.plan(state.core.plan, seq: state.core.seq), id: state.core.nextEventID())
            catchUp(state.listeners.count - 1, lastHeard: lastHeard, &state)
            return true
        }
        guard attached else { return false }
        if listener.hears("progress") { watchProgress() }
        // Told on whatever thread noticed it, perhaps inside a send under the lock: so on another task.
        listener.stream.onClose { [weak self] _ in
            Task { self?.detach(listener.stream) }
        }
        return true
    }

    var streamCount: Int { state.withLock { $0.listeners.count } }

    /// What waits for readers that are behind.
    var pressure: (bytes: Int, count: Int) {
        state.withLock { $0.listeners }.reduce(into: (0, 0)) { sum, listener in
            let pressure = listener.stream.pressure
            sum = (sum.0 + pressure.bytes, sum.1 + pressure.count)
        }
    }

    /// What the pages of this session saw so far.
    var exposure: Exposure.Totals { state.withLock { $0.core.exposure.totals } }

    private func detach(_ stream: EventStream) {
        state.withLock { state in
            guard let index = state.index(of: stream) else { return }
            let listener = state.listeners.remove(at: index)
            // What did not go out is newer than what it heard last: so it is sent where it comes back.
            for item in listener.resending + listener.backlog.all { _ = state.core.resent(item) }
            // Whoever comes back has not got the whole pictures: they count as never sent.
            if !listener.owed.isEmpty { fetchAgain(Array(listener.owed), &state) }
            if state.listeners.isEmpty { state.aloneSince = clock.now }
        }
    }

    /// Has a new listener sent what went out before it came, as far as it wants to hear of that.
    private func catchUp(_ index: Int, lastHeard: Int, _ state: inout SessionState) {
        var items: [Int] = []
        if state.listeners[index].hears("thumbnail") { items = state.core.unheard(since: lastHeard) }
        if state.listeners[index].hears("failed") { items += state.core.failures.keys }
        guard !items.isEmpty else { return }
        state.listeners[index].backlog = Backlog(items)
        resend(to: index, &state)
    }

    /// Sends an event of its own to every stream.
    func broadcast(_ event: SessionEvent, _ state: inout SessionState) {
        guard !state.listeners.isEmpty else { return }
        send(event, id: state.core.nextEventID(), &state)
    }

    func send(_ event: SessionEvent, id: Int, _ state: inout SessionState) {
        guard !state.listeners.isEmpty else { return }
        let framed = event.framed(id: id)
        for listener in state.listeners { listener.send(framed, name: event.name) }
    }
}

extension Session {
    /// Sends `stats` to whoever listens; costs nothing where nobody does.
    func sendStats(_ server: ServerRates) {
        state.withLock { state in
            guard !state.listeners.isEmpty else { return }
            state.core.elapse(to: now + state.clockOffset)
            broadcast(.stats(statsDocument(state, server: server)), &state)
        }
    }

    /// Tells the pages that the gallery's items have changed: they may open a session on the new ones.
    ///
    /// - Parameter document: the gallery's, written once for all sessions.
    func galleryChanged(_ document: [UInt8]) {
        state.withLock { state in broadcast(.gallery(document), &state) }
    }
}
