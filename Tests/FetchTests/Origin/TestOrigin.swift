import Fetch
import Foundation
import Glibc
import Media
import Synchronization
import TestSupport

/// An HTTP/1.1 origin on a loopback address whose behaviour the test defines. Uses one thread for each connection,
/// blocking sockets, and counts everything.
final class TestOrigin: Sendable {
    struct Counts: Sendable {
        /// Connections accepted, and connections now open.
        var accepts = 0
        var open = 0
        /// Requests read, responses completed, and requests aborted by their client.
        var requests = 0
        var completed = 0
        var aborted = 0
        var bytes = 0
    }

    /// Responds to one request. Returns `false` to close the connection.
    typealias Answer = @Sendable (OriginRequest, OriginConnection) -> Bool

    private struct State {
        var counts = Counts()
        var log: [OriginRequest] = []
        var sockets: Set<Int32> = []
        var isStopped = false
    }

    let address: String
    let port: UInt16
    private let listener: Int32
    private let answer: Answer
    private let state = Mutex(State())

    init(address: String = "127.0.0.1", port: UInt16 = 0, _ answer: @escaping Answer = OriginRoutes.answer) throws {
        self.address = address
        self.answer = answer
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var one: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        var name = SocketAddress(address, port: port)
        guard name.bind(listener), listen(listener, 512) == 0 else { throw OriginFailure(code: errno) }
        self.port = name.port
        Thread.detachNewThread { [self] in accept() }
    }

    var origin: WebOrigin { WebOrigin(host: address, port: port) }
    var counts: Counts { state.withLock { $0.counts } }
    var log: [OriginRequest] { state.withLock { $0.log } }

    func url(_ path: String) -> String { "http://\(address):\(port)\(path)" }

    /// Returns when the counts satisfy `condition`.
    func until(_ condition: (Counts) -> Bool) async throws {
        try await eventually("the counts of \(address):\(port)", of: { counts }, satisfies: condition)
    }

    /// Closes all sockets and returns when every connection's thread has ended.
    func stop() async {
        let sockets = state.withLock { state in
            state.isStopped = true
            return state.sockets
        }
        for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) }
        shutdown(listener, Int32(SHUT_RDWR))
        try? await until { $0.open == 0 }
    }

    func count(_ change: (inout Counts) -> Void) {
        state.withLock { change(&$0.counts) }
    }

    private func accept() {
        while true {
            let socket = Glibc.accept(listener, nil, nil)
            if socket < 0 {
                if errno == EINTR || errno == ECONNABORTED { continue }
                close(listener)
                return
            }
            _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
            var one: Int32 = 1
            setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
            let isStopped = state.withLock { state in
                if !state.isStopped { state.sockets.insert(socket) }
                return state.isStopped
            }
            if isStopped {
                close(socket)
                continue
            }
            count {
                $0.accepts += 1
                $0.open += 1
            }
            Thread.detachNewThread { [self] in serve(OriginConnection(socket: socket, origin: self)) }
        }
    }

    private func serve(_ connection: OriginConnection) {
        while let request = connection.readRequest() {
            state.withLock { $0.log.append(request) }
            count { $0.requests += 1 }
            let goesOn = answer(request, connection)
            count { if connection.isBroken { $0.aborted += 1 } else { $0.completed += 1 } }
            if !goesOn || connection.isBroken { break }
        }
        _ = state.withLock { $0.sockets.remove(connection.socket) }
        close(connection.socket)
        count { $0.open -= 1 }
    }
}

struct OriginFailure: Error {
    let code: Int32
}
