import CMicroHTTPD
import Glibc
import Synchronization

/// Streams live on sockets taken over from libmicrohttpd, which relies on it not shutting a socket down when it closes its
/// own descriptor: so it is with MHD_USE_TURBO, though no document says so. This tries it when a server starts.
struct HandoffProbe: Sendable {
    private let taken = Slot()

    private final class Slot: Sendable {
        let stream = Mutex<ByteStream?>(nil)
    }

    var router: Router {
        var router = Router()
        let taken = taken
        router.on(.get, "/take") { _ in
            .stream(
                .bytes { stream in
                    taken.stream.withLock { $0 = stream }
                    stream.write([1])
                })
        }
        router.on(.get, "/after") { _ in .now(Response()) }
        return router
    }

    /// Whether a socket taken over outlives what the parser did to it. Leaves nothing behind.
    func succeeds(on engine: Engine) -> Bool {
        defer { engine.requests.store(0, ordering: .relaxed) }
        guard let first = ask("/take", engine) else { return false }
        defer { close(first) }
        guard read(first) == 1 else { return false }
        // When the parser answers something else it is done with the first socket.
        guard let second = ask("/after", engine) else { return false }
        defer { close(second) }
        guard read(second) != nil else { return false }
        let stream = taken.stream.withLock { stream in
            defer { stream = nil }
            return stream
        }
        stream?.write([2])
        stream?.finish()
        // Both ends are counted before they can be seen here.
        return read(first) == 2 && readToEnd(first) && readToEnd(second)
    }

    private func ask(_ path: String, _ engine: Engine) -> Int32? {
        var pair: [Int32] = [-1, -1]
        guard micro_loopback_pair(&pair) != 0 else { return nil }
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_storage()
        address.ss_family = sa_family_t(AF_INET)
        engine.admission.enterAnyway()
        engine.connect(pair[1], &address, socklen_t(MemoryLayout<sockaddr_in>.size))
        let request = Array("GET \(path) HTTP/1.1\r\nHost: probe\r\nConnection: close\r\n\r\n".utf8)
        _ = send(pair[0], request, request.count, Int32(MSG_NOSIGNAL))
        return pair[0]
    }

    private func read(_ fd: Int32) -> UInt8? {
        var byte: UInt8 = 0
        return recv(fd, &byte, 1, 0) == 1 ? byte : nil
    }

    private func readToEnd(_ fd: Int32) -> Bool {
        var rest = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(fd, &rest, rest.count, 0)
            if count <= 0 { return count == 0 }
        }
    }
}
