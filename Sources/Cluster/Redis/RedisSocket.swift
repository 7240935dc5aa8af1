import Glibc
import Threads

/// A non-blocking TCP connection. Buffers bytes that cannot be written yet, up to a limit. Closed with its last reference.
final class RedisSocket {
    /// Maximum pending bytes. ``send(_:)`` refuses while more are pending.
    private static let maximumUnsent = 8 << 20
    /// Maximum bytes per read, and maximum capacity of an empty output buffer.
    private static let room = 64 << 10

    private let descriptor: Int32
    private let poll: EventPoll
    private let id: UInt64
    private var watched = EventPoll.Interest.output
    private(set) var isConnected = false
    private var output: [UInt8] = []
    /// Number of bytes of the output that were written.
    private var written = 0
    private var input = [UInt8](repeating: 0, count: room)

    /// Starts to connect. `nil` if the attempt fails immediately.
    init?(to address: ServerAddress, _ poll: EventPoll, id: UInt64) {
        (self.poll, self.id) = (poll, id)
        descriptor = socket(
            address.family,
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        // Detects a vanished peer within half a minute.
        for (level, option, value) in [
            (Int32(IPPROTO_TCP), TCP_NODELAY, 1), (SOL_SOCKET, SO_KEEPALIVE, 1),
            (Int32(IPPROTO_TCP), TCP_KEEPIDLE, 15), (Int32(IPPROTO_TCP), TCP_KEEPINTVL, 5),
            (Int32(IPPROTO_TCP), TCP_KEEPCNT, 3),
        ] {
            var value = Int32(value)
            setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
        }
        let isBegun = address.bytes.withUnsafeBytes { bytes in
            connect(descriptor, bytes.bindMemory(to: sockaddr.self).baseAddress, socklen_t(bytes.count)) == 0
                || errno == EINPROGRESS
        }
        if !isBegun || !poll.watch(descriptor, id, watched) { return nil }
    }

    deinit {
        poll.unwatch(descriptor)
        close(descriptor)
    }

    /// Watches for input, and for output while the socket connects or bytes are pending.
    func watch() {
        let needed: EventPoll.Interest =
            !isConnected ? .output : written == output.count ? .input : .inputAndOutput
        if needed != watched, poll.change(descriptor, id, to: needed) { watched = needed }
    }

    /// Finishes connecting. Call this when the socket is ready for the first time.
    ///
    /// - Returns: Whether the socket is connected.
    func finishConnecting() -> Bool {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        isConnected = getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 && code == 0
        return isConnected
    }

    /// Buffers bytes for the next ``flush()``.
    ///
    /// - Parameter write: Appends the bytes.
    /// - Returns: `false` if too many bytes are pending already.
    @discardableResult
    func send(_ write: (inout [UInt8]) -> Void) -> Bool {
        guard output.count - written <= Self.maximumUnsent else { return false }
        write(&output)
        return true
    }

    /// Writes pending bytes, as far as the socket accepts them without blocking.
    ///
    /// - Returns: `false` if the connection is broken.
    func flush() -> Bool {
        guard isConnected else { return true }
        while written < output.count {
            let count = output.withUnsafeBytes { bytes in
                Glibc.send(
                    descriptor, UnsafeRawBufferPointer(rebasing: bytes[written...]).baseAddress, bytes.count - written,
                    Int32(MSG_NOSIGNAL))
            }
            guard count >= 0 else {
                if errno == EINTR { continue }
                return errno == EAGAIN
            }
            written += count
            if written > output.count / 2 { forgetWritten() }
        }
        return true
    }

    private func forgetWritten() {
        if written == output.count, output.capacity <= Self.room {
            output.removeAll(keepingCapacity: true)
        } else {
            output = Array(output[written...])
        }
        written = 0
    }

    /// Reads the received bytes, possibly none. `nil` if the connection has ended.
    func receive() -> ArraySlice<UInt8>? {
        let count = recv(descriptor, &input, Self.room, 0)
        if count > 0 { return input[..<count] }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
    }
}

/// A network address with its port, in the form that sockets accept.
struct ServerAddress: Sendable {
    let family: Int32
    /// A `sockaddr` of the family.
    package let bytes: [UInt8]

    /// Looks up a host's first address. May block while the network responds. `nil` if the host has no address.
    init?(host: String, port: UInt16) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let first = found else { return nil }
        defer { freeaddrinfo(first) }
        family = first.pointee.ai_family
        bytes = [UInt8](
            UnsafeRawBufferPointer(start: first.pointee.ai_addr, count: Int(first.pointee.ai_addrlen)))
    }
}
