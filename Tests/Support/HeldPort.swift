import Glibc

/// A port of this machine that nobody else is given as long as this is kept, whether a server listens there or not.
///
/// Its socket is bound and never listens: who connects is refused, a server that starts there finds its place, and the
/// system gives the port to no outgoing connection meanwhile. That the two share it is what `SO_REUSEADDR` is for: this
/// sets it, and so do the servers.
package final class HeldPort: Sendable {
    package let number: UInt16
    private let socket: Int32

    package struct Refusal: Error, CustomStringConvertible {
        package let description: String
    }

    /// - Parameter number: one that is held already, to hold it longer; a free one if none is given.
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
