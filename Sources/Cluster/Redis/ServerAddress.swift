import Glibc
import Threads

/// A network address with its port, as sockets take it.
package struct ServerAddress: Sendable {
    let family: Int32
    /// A `sockaddr` of the family.
    package let bytes: [UInt8]

    /// Looks a name up, which may wait for the network.
    package init?(host: String, port: UInt16) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let first = found else { return nil }
        defer { freeaddrinfo(first) }
        family = first.pointee.ai_family
        bytes = [UInt8](
            UnsafeRawBufferPointer(start: first.pointee.ai_addr, count: Int(first.pointee.ai_addrlen)))
    }

    /// Where a server is now; `nil` where that is not known. May wait for the network.
    ///
    /// - Parameter patience: how long a sentinel has to connect, and again to answer.
    package static func of(_ server: RedisAddress, patience: Duration) -> ServerAddress? {
        guard let master = server.master else { return ServerAddress(host: server.host, port: server.port) }
        for sentinel in server.sentinels {
            if let address = ServerAddress(host: sentinel.host, port: sentinel.port),
                let (host, port) = ask(address, for: master, as: server, patience: patience),
                let found = ServerAddress(host: host, port: port)
            {
                return found
            }
        }
        return nil
    }

    /// Asks a sentinel for the server of a name.
    private static func ask(
        _ sentinel: ServerAddress, for master: String, as server: RedisAddress, patience: Duration
    ) -> (host: String, port: UInt16)? {
        guard let socket = RedisSocket(to: sentinel) else { return nil }
        var questions = [RedisCommand("SENTINEL", "get-master-addr-by-name", master)]
        // One that needs no password refuses it, and answers all the same.
        if let authentication = server.authentication { questions.insert(authentication, at: 0) }
        for question in questions { socket.send { question.write(to: &$0) } }
        var deadline = ContinuousClock.now + patience
        var parser = ReplyParser()
        var replies: [RedisReply] = []
        while replies.count < questions.count {
            let left = deadline - ContinuousClock.now
            var polled = socket.polled
            guard left > .zero, poll(&polled, 1, left.pollMilliseconds) >= 0 || errno == EINTR else {
                return nil
            }
            if polled.revents == 0 { continue }
            if !socket.isConnected {
                guard socket.finishConnecting() else { return nil }
                deadline = ContinuousClock.now + patience
            } else if polled.revents != Int16(POLLOUT) {
                guard let bytes = socket.receive(), (try? parser.read(bytes, into: &replies)) != nil else { return nil }
            }
            guard socket.flush() else { return nil }
        }
        guard let words = replies[questions.count - 1].array, words.count == 2, let host = words[0].bytes,
            host.count < Int(NI_MAXHOST), let digits = words[1].bytes,
            let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0
        else { return nil }
        return (String(decoding: host, as: UTF8.self), port)
    }
}
