import Glibc

/// A listening socket with a full backlog, so that further connections are neither accepted nor refused.
package final class SilentListener {
    package let port: UInt16
    private var sockets: [Int32] = []

    package init() throws(HeldPort.Refusal) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        sockets = [listener]
        var address = SocketAddress()
        let isListening = address.bind(listener) && listen(listener, 0) == 0
        port = address.port
        guard isListening else { throw HeldPort.Refusal(description: "cannot listen: errno \(errno)") }
        // Connects until a connection hangs, which means that the backlog is full.
        while true {
            let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            sockets.append(client)
            _ = address.connect(client)
            var entry = pollfd(fd: client, events: Int16(POLLOUT), revents: 0)
            if poll(&entry, 1, 50) == 0 { return }
        }
    }

    package func close() {
        for socket in sockets { _ = Glibc.close(socket) }
    }
}
