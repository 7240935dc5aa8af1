import Glibc

/// A listening socket whose backlog is full, so that no further connection comes about and none is refused.
final class SilentListener {
    let port: UInt16
    private var sockets: [Int32] = []

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        sockets = [listener]
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 0) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        port = UInt16(bigEndian: name.sin_port)
        guard isListening else { throw OriginFailure(code: errno) }
        // Connect until one hangs: then the backlog is full.
        while true {
            let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            sockets.append(client)
            _ = withUnsafePointer(to: &name) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(client, $0, length) }
            }
            var entry = pollfd(fd: client, events: Int16(POLLOUT), revents: 0)
            if poll(&entry, 1, 50) == 0 { return }
        }
    }

    func close() {
        for socket in sockets { _ = Glibc.close(socket) }
    }
}
