import Glibc

/// A port of this machine that the system gives to no other process while this object exists, whether a server listens there or
/// not.
///
/// The object's socket is bound but never listens. Connections are refused, a server can start on the port, and the system
/// never uses the port for outgoing connections. Sharing the port requires `SO_REUSEADDR`, which this socket and the servers
/// set.
package final class HeldPort: Sendable {
    package let number: UInt16
    private let socket: Int32

    package struct Refusal: Error, CustomStringConvertible {
        package let description: String
    }

    /// - Parameter number: a port that is already held, to hold it longer. 0 picks a free port.
    package init(_ number: UInt16 = 0) throws(Refusal) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var on: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var address = SocketAddress(port: number)
        guard address.bind(socket) else {
            let reason = errno
            close(socket)
            throw Refusal(description: "port \(number) cannot be held: errno \(reason)")
        }
        self.number = address.port
        self.socket = socket
    }

    deinit { close(socket) }
}
