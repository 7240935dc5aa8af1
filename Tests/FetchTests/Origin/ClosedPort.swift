import Glibc
import TestSupport

/// A bound port without a listening socket. The system refuses connections to the port, and no other process can bind the port.
final class ClosedPort {
    let port: UInt16
    private let descriptor: Int32

    init(address: String = "127.0.0.1") throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var name = SocketAddress(address)
        let isBound = name.bind(descriptor)
        (self.descriptor, port) = (descriptor, name.port)
        guard isBound else { throw OriginFailure(code: errno) }
    }

    /// Call this at the end of the test, so that the object lives until then.
    func close() { _ = Glibc.close(descriptor) }

    /// Opens the same port on another address. Tries another port from `first` if it is in use there.
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
