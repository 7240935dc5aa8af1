import TestSupport

/// The kernel's view of this process's connections.
enum Sockets {
    /// Number of this process's sockets that are connected to `port` on an IPv4 address.
    static func open(to port: UInt16) -> Int {
        (0..<Int32(8_192)).count { SocketAddress(peerOf: $0)?.port == port }
    }
}
