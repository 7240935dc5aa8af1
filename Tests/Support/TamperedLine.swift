import Foundation
import Glibc
import Synchronization

/// A connection to a server on this machine on which a test can send its own bytes in the server's place.
package final class TamperedLine: Sendable {
    package enum Manner: Sendable {
        case faithful
        /// Forwards the server's bytes one at a time.
        case bytewise
        /// Sends these bytes immediately. The server receives and sends nothing.
        case says([UInt8])
        case hangsUp
    }

    private struct State {
        var manner: Manner
        /// Open connections, in the order of their creation. Closed under the lock, so that a descriptor in this list is never
        /// reused.
        var clients: [Int32] = []
    }

    /// The open connections. Lives until the line's threads have ended.
    private final class Connections: Sendable {
        let state: Mutex<State>

        init(_ manner: Manner) { state = Mutex(State(manner: manner)) }
    }

    package let port: UInt16
    private let listener: Int32
    private let connections: Connections

    package struct Refusal: Error {}

    package init(to server: UInt16, _ manner: Manner = .faithful) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = SocketAddress()
        guard address.bind(listener), listen(listener, 64) == 0 else {
            close(listener)
            throw Refusal()
        }
        let connections = Connections(manner)
        (port, self.listener, self.connections) = (address.port, listener, connections)
        Thread.detachNewThread {
            while case let client = accept(listener, nil, nil), client >= 0 {
                let manner = connections.state.withLock { state in
                    state.clients.append(client)
                    return state.manner
                }
                Thread.detachNewThread {
                    Self.serve(client, manner, server)
                    connections.state.withLock { state in
                        state.clients.removeAll { $0 == client }
                        close(client)
                    }
                }
            }
            close(listener)
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        connections.state.withLock { for client in $0.clients { shutdown(client, Int32(SHUT_RDWR)) } }
    }

    package var url: String { "redis://127.0.0.1:\(port)" }

    /// Sets the treatment of connections that are opened from now on.
    package func turn(_ manner: Manner) { connections.state.withLock { $0.manner = manner } }

    /// Sends bytes on every connection, or on one of the last two (`place` 0 or 1).
    package func say(_ bytes: [UInt8], on place: Int? = nil) {
        connections.state.withLock { state in
            let clients = place.map { state.clients.suffix(2).dropFirst($0).prefix(1) } ?? state.clients[...]
            for client in clients { Self.send(bytes[...], to: client) }
        }
    }

    private static func serve(_ client: Int32, _ manner: Manner, _ port: UInt16) {
        var on: Int32 = 1
        setsockopt(client, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var piece = buffer.count
        switch manner {
        case .faithful: break
        case .bytewise: piece = 1
        case .says(let bytes):
            send(bytes[...], to: client)
            while read(client, &buffer, buffer.count) > 0 {}
            return
        case .hangsUp: return
        }
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(server) }
        var address = SocketAddress(port: port)
        guard address.connect(server) else { return }
        while true {
            var polled = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            if poll(&polled, 2, -1) < 0 { continue }
            for (from, to, size) in [(client, server, buffer.count), (server, client, piece)]
            where polled[from == client ? 0 : 1].revents != 0 {
                let count = read(from, &buffer, buffer.count)
                guard count > 0 else { return }
                for start in stride(from: 0, to: count, by: size) {
                    send(buffer[start..<min(count, start + size)], to: to)
                }
            }
        }
    }

    private static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }
}
