import MicroHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ByteStreamTests {
    private func router(_ opened: Recorder<ByteStream>) -> Router {
        var router = Router()
        router.on(.get, "/raw") { _ in .stream(.bytes { opened.add($0) }) }
        return router
    }

    @Test("a client that leaves closes its stream and wakes the writer that waits")
    func leaves() async throws {
        let opened = Recorder<ByteStream>()
        try await serving(router(opened)) { server, port in
            let client = try TestClient(port, receiveBuffer: 4096)
            client.send("GET /raw HTTP/1.1\r\nHost: x\r\n\r\n")
            try #require(opened.wait(for: 1))
            let stream = opened.all[0]
            let reason = Promise<CloseReason>()
            stream.onClose { reason.fulfil($0) }
            stream.write([UInt8](repeating: 66, count: 10_000_000))
            #expect(stream.pending > 0)
            let drained = Promise<Bool>()
            Task { drained.fulfil(await stream.drained()) }
            client.leave()
            #expect(try reason.wait() == .peer)
            #expect(try drained.wait() == false)
            #expect(server.metrics.streams == 0)
        }
    }

    @Test("a slow reader receives everything written before the end")
    func arrives() async throws {
        let opened = Recorder<ByteStream>()
        try await serving(router(opened)) { _, port in
            let client = try TestClient(port, receiveBuffer: 4096)
            client.send("GET /raw HTTP/1.1\r\nHost: x\r\n\r\n")
            try #require(opened.wait(for: 1))
            let body = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            opened.all[0].write(body)
            opened.all[0].finish()
            #expect(opened.all[0].write([1]) == .closed)
            #expect(try client.readToEnd() == body)
        }
    }

    @Test("an aborted response closes the connection")
    func aborts() async throws {
        let opened = Recorder<ByteStream>()
        try await serving(router(opened)) { server, port in
            let client = try TestClient(port)
            client.send("GET /raw HTTP/1.1\r\nHost: x\r\n\r\n")
            try #require(opened.wait(for: 1))
            opened.all[0].write([1, 2])
            opened.all[0].abort()
            #expect(client.seesEnd())
            #expect(server.metrics.streams == 0)
        }
    }
}
