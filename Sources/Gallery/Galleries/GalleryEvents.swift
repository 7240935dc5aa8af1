import JSON
import MicroHTTP

/// Streams events about the galleries: lists being received, and galleries created, changed and removed.
package final class GalleryEvents: Sendable {
    private struct State: EffectfulState {
        var streams: [EventStream] = []
        var lastID = 0
        var lastUpload = 0
        var isClosed = false
        var effects = Outbox()

        mutating func event(_ name: String, _ data: [UInt8], key: UInt64? = nil) -> Event {
            lastID += 1
            return Event(name: name, id: String(lastID), data: data, key: key)
        }
    }

    private let state = EffectLock(State())

    package init() {}

    package var streamCount: Int { state.read { $0.streams.count } }

    package func nextUpload() -> Int {
        state.update { state in
            state.lastUpload += 1
            return state.lastUpload
        }
    }

    /// Adds a listener, which first receives `hello`.
    ///
    /// - Returns: `false` if the server is stopping or `limit` listeners exist.
    package func attach(_ stream: EventStream, hello: [UInt8], limit: Int) -> Bool {
        let isTaken = state.update { state in
            guard !state.isClosed, state.streams.count < limit else { return false }
            state.streams.append(stream)
            state.effects.put(state.event("hello", hello), to: stream)
            return true
        }
        guard isTaken else { return false }
        stream.onClose { [weak self] _ in
            Task { self?.state.update { $0.streams.removeAll { $0 === stream } } }
        }
        return true
    }

    /// - Parameter key: a reader that is behind receives only the newest event of a key.
    package func send(_ name: String, key: UInt64? = nil, _ data: @autoclosure () -> [UInt8]) {
        state.update { state in
            guard !state.streams.isEmpty else { return }
            let event = state.event(name, data(), key: key)
            for stream in state.streams { state.effects.put(event, to: stream) }
        }
    }

    /// Sends a `removed` event: `{"id"}`.
    package func sendRemoved(_ gallery: PictureGallery) {
        var writer = JSONWriter()
        writer.object { $0.member("id", gallery.id) }
        send("removed", writer.bytes)
    }

    package func close(reason: String) {
        let bye = SessionEvent.bye(reason: reason)
        state.update { state in
            state.isClosed = true
            for stream in state.streams { state.effects.close(stream, bye: bye) }
        }
    }
}
