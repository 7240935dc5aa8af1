import MicroHTTP
import Viewport

/// An event stream of a session, and the events it receives.
struct Listener: Sendable {
    let stream: EventStream
    /// Names of events; `nil` for all. `bye` is heard by everyone.
    var only: Set<String>?
    /// What the ledger knows it by.
    let number: Int
    /// Whether pictures that it lacks are being looked for.
    var isResending = false
    /// Whether what it is owed has to be made again, and waits for room.
    var isStalled = false

    func send(_ event: SessionEvent, id: Int, by outbox: inout Outbox) {
        send(event.framed(id: id), name: event.name, by: &outbox)
    }

    func send(_ framed: Event, name: String, by outbox: inout Outbox) {
        if hears(name) { outbox.put(framed, to: stream) }
    }

    /// `progress` is for those who ask for it by name.
    func hears(_ name: String) -> Bool { only?.contains(name) ?? (name != "progress") }
}

extension Session {
    /// - Returns: whether progress reports have to begin.
    func attach(_ stream: EventStream, only: Set<String>?, lastHeard: Int, _ state: inout SessionState) -> Bool {
        let listener = Listener(stream: stream, only: only, number: state.core.addListener())
        state.listeners.append(listener)
        state.aloneSince = nil
        listener.send(.hello(document(state)), id: state.core.nextEventID(), by: &state.outbox)
        listener.send(.plan(state.core.plan, seq: state.core.seq), id: state.core.nextEventID(), by: &state.outbox)
        let lacksAny = state.core.catchUp(
            listener.number, lastHeard: lastHeard, pictures: listener.hears("thumbnail"),
            failures: listener.hears("failed"))
        if listener.hears("thumbnail") { showPreviews(to: listener, lastHeard: lastHeard, &state) }
        if lacksAny { resend(to: state.listeners.count - 1, &state) }
        guard listener.hears("progress"), !state.reportsProgress else { return false }
        state.reportsProgress = true
        return true
    }

    func tellGallery(_ document: [UInt8], to stream: EventStream, _ state: inout SessionState) {
        guard let index = state.index(of: stream) else { return }
        state.listeners[index].send(.gallery(document), id: state.core.nextEventID(), by: &state.outbox)
    }

    func detach(_ stream: EventStream, _ state: inout SessionState) {
        guard let index = state.index(of: stream) else { return }
        let listener = state.listeners.remove(at: index)
        // A page that comes back lacks the whole pictures: they count as never sent.
        let owed = state.core.removeListener(listener.number)
        if !owed.isEmpty { fetchAgain(owed, &state) }
        if state.listeners.isEmpty { state.aloneSince = clock.now }
    }

    /// Sends an event of its own to every stream.
    func broadcast(_ event: SessionEvent, _ state: inout SessionState) {
        guard !state.listeners.isEmpty else { return }
        send(event, id: state.core.nextEventID(), &state)
    }

    func send(_ event: SessionEvent, id: Int, _ state: inout SessionState) {
        guard !state.listeners.isEmpty else { return }
        let framed = event.framed(id: id)
        for listener in state.listeners { listener.send(framed, name: event.name, by: &state.outbox) }
    }

    func sendStats(_ server: ServerRates, _ state: inout SessionState) {
        guard !state.listeners.isEmpty else { return }
        state.core.elapse(to: now + state.clockOffset)
        broadcast(.stats(statsDocument(state, server: server)), &state)
    }
}
