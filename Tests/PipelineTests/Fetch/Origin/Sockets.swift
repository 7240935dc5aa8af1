import Glibc

/// The kernel's view of this process's connections.
enum Sockets {
    /// Descriptors of this process whose other end is `port` on an IPv4 address.
    static func open(to port: UInt16) -> Int {
        (0..<Int32(8_192)).count { descriptor in
            var name = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isConnected = withUnsafeMutablePointer(to: &name) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) == 0 }
            }
            return isConnected && name.sin_family == sa_family_t(AF_INET) && name.sin_port == port.bigEndian
        }
    }
}
