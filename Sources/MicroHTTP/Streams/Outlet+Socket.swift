import CMicroHTTPD
import Glibc
import Threads

/// Reads and writes an outlet's socket, under its lock.
extension Outlet {
    /// Returns the number of bytes written, or -1 if the peer is gone. The number is smaller than requested if the kernel accepts no more.
    /// The reactor reports when the socket is writable again.
    func write(_ bytes: [UInt8], _ offset: Int, _ state: inout State) -> Int {
        var done = 0
        while offset + done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    state.fd, $0.baseAddress.map { $0 + offset + done }, $0.count - offset - done,
                    Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                done += count
            } else if errno == EAGAIN {
                state.isBlocked = true
                return done
            } else if errno != EINTR {
                return -1
            }
        }
        return done
    }

    func flush(_ state: inout State) -> After {
        let hadSome = !state.queue.isEmpty
        while !state.isBlocked, let (frame, offset) = state.queue.front {
            let written = write(frame, offset, &state)
            if written < 0 { return close(&state, .peer) }
            if written > 0 { state.progress = ContinuousClock.now }
            state.queue.advance(by: written)
        }
        guard state.queue.isEmpty else { return .nothing }
        if state.isLingering { return .nothing }
        if state.isClosing && kind == .lingering {
            state.isLingering = true
            state.progress = ContinuousClock.now
            shutdown(state.fd, Int32(SHUT_WR))
            return .nothing
        }
        if state.isClosing { return close(&state, .finished) }
        if hadSome, !state.onDrain.isEmpty { return .drained(Array(state.onDrain.values)) }
        return .nothing
    }

    /// Reads and discards the peer's input. Returns false if the peer sent too much or is gone.
    func discardInput(_ state: inout State) -> Bool {
        while true {
            let count = withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) {
                recv(state.fd, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
            }
            if count > 0 {
                state.received += count
                if state.received > Configuration.patience(kind) { return false }
            } else {
                return count < 0 && (errno == EAGAIN || errno == EINTR)
            }
        }
    }

    func close(_ state: inout State, _ reason: CloseReason) -> After {
        let fd = state.fd
        guard fd >= 0 else { return .nothing }
        // Count the end before the peer can notice it.
        reactor.forget(self, fd, reason)
        reactor.admission.leave(peer)
        // Unread input would make the kernel reset the connection, and the peer would lose the last bytes.
        if reason == .finished {
            shutdown(fd, Int32(SHUT_WR))
            state.received = 0
            if kind != .bytes { _ = discardInput(&state) }
        }
        Glibc.close(fd)
        state.fd = -1
        state.reason = reason
        state.queue = EventQueue()
        let onClose = state.onClose
        state.onClose = nil
        state.onDrain = [:]
        return .closed(onClose, reason)
    }
}
