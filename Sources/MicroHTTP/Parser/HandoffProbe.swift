import CMicroHTTPD
import Glibc
import Synchronization

/// Start-up test of the socket handoff. Streams use sockets taken over from libmicrohttpd, so libmicrohttpd must not shut a socket down
/// when it closes its own descriptor. With MHD_USE_TURBO the socket stays open, but this is undocumented.
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

    /// Returns whether a socket survives its handoff from the parser. Cleans up all traces.
    func succeeds(on engine: Engine) -> Bool {
        defer { engine.requests.store(0, ordering: .relaxed) }
        guard let first = ask("/take", engine) else { return false }
        defer { close(first) }
        guard read(first) == 1 else { return false }
        // Once the parser responds to the second request, it has finished with the first socket.
        guard let second = ask("/after", engine) else { return false }
        defer { close(second) }
        guard read(second) != nil else { return false }
        let stream = taken.stream.withLock { stream in
            defer { stream = nil }
            return stream
        }
        stream?.write([2])
        stream?.finish()
        // The ends of both connections are counted before they become visible here.
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
