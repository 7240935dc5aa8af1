import Glibc

/// A port that is taken but not listened on: connections are refused, and nobody else can open it meanwhile.
final class ClosedPort {
    let port: UInt16
    private let descriptor: Int32

    init(address: String = "127.0.0.1") throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = inet_addr(address)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        (self.descriptor, port) = (descriptor, UInt16(bigEndian: name.sin_port))
        guard isBound else { throw OriginFailure(code: errno) }
    }

    /// To be called at the end of the test: an object may be gone after its last use.
    func close() { _ = Glibc.close(descriptor) }

    /// Opens the same port on another address; when that is taken there, calls `first` for another port.
    static func pair<First>(
        _ first: () throws -> First, port: (First) -> UInt16
    ) async throws -> (First, inside: TestOrigin) {
        var attempts = 20
        while true {
            let one = try first()
            do {
                return (one, try TestOrigin(address: "127.0.0.1", port: port(one)))
            } catch {
                if let origin = one as? TestOrigin { await origin.stop() }
                if let closed = one as? ClosedPort { closed.close() }
                attempts -= 1
                if attempts == 0 { throw error }
            }
        }
    }
}
