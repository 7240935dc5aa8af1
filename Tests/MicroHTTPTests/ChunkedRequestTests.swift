import MicroHTTP
import TestSupport
import Testing

/// Chunked bodies over a connection. Framing that a proxy in front may read differently is refused.
@Suite(.timeLimit(.minutes(1)))
struct ChunkedRequestTests {
    typealias Case = HostileRequestTests.Case

    private var router: Router {
        var router = Router()
        router.on(.get, "/hello") { _ in .now(Response(text: "hello")) }
        router.on(.post, "/echo") { .now(Response(body: $0.body)) }
        return router
    }

    private static func chunked(_ body: String) -> String {
        "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + body
    }

    static let refused: [Case] = [
        .init("chunks with LF alone", chunked("3\nabc\n0\n\n"), 400),
        .init("a line of NUL for the end of the body", chunked("3\r\nabc\r\n0\r\n\0\r\n\r\n"), 400),
        .init("a chunk of nearly 2^64 bytes that never arrive", chunked("ffffffffffffffff\r\n"), 413),
        .init("a chunk larger than any body may be", chunked("3\r\nabc\r\n10000\r\n"), 413),
        .init(
            "extensions of 6 kB in total",
            chunked(String(repeating: "1;\(String(repeating: "a", count: 600))\r\na\r\n", count: 10)), 431),
        .init("a trailer without an end", chunked("0\r\n" + String(repeating: "X-T: 1\r\n", count: 1000)), 431),
    ]

    @Test("a malformed or oversized chunked body is refused and closes the connection", arguments: refused)
    func refuses(_ one: Case) async throws {
        // Deadlines far in the future: no request is refused for being late.
        try await serving(router) {
            $0.requestDeadline = .seconds(3600)
            $0.idleTimeout = .seconds(3600)
        } _: { server, port in
            let client = try TestClient(port)
            client.send(one.bytes + "GET /hello HTTP/1.1\r\nHost: smuggled\r\n\r\n")
            #expect(try client.answer().status == one.status, "\(one.name)")
            #expect(client.seesEnd(), "\(one.name): the connection stays open")
            #expect(eventually { server.metrics.requestsInFlight == 0 })
        }
    }

    @Test("chunk framing is checked across reads")
    func inPieces() async throws {
        let bodies = [("3\r\nabc\r", "\n0\n\r\n", 400), ("3;x\r", "\nabc\r\n0\r\nX-T: 1\r\n\r\n", 200)]
        try await serving(router) { _, port in
            for (first, second, status) in bodies {
                let client = try TestClient(port)
                let other = try TestClient(port)
                client.send(Self.chunked(first))
                // Once the other client has its response, the server has read the first piece.
                _ = try other.get("/hello")
                _ = try other.get("/hello")
                client.send(second)
                #expect(try client.answer().status == status)
                if status == 200 { #expect(try client.get("/hello").text == "hello") }
            }
        }
    }

    @Test("an oversized chunk is refused when its size arrives, and its upload is abandoned")
    func tooLargeLater() async throws {
        var router = router
        let (pieces, abandoned) = (Recorder<[UInt8]>(), Promise<Bool>())
        router.upload(.post, "/upload", limit: 100) { _ in
            .accept(
                Upload(
                    receive: {
                        pieces.add($0)
                        return nil
                    }, finish: { Response(status: 201) }, abandoned: { abandoned.fulfil(true) }))
        }
        try await serving(router) {
            $0.requestDeadline = .seconds(3600)
            $0.idleTimeout = .seconds(3600)
        } _: { _, port in
            let client = try TestClient(port)
            client.send(Self.chunked("3\r\nabc\r\n").replacing("/echo", with: "/upload"))
            #expect(pieces.wait(for: 1))
            client.send("62\r\n")
            #expect(try client.answer().status == 413)
            #expect(try client.readToEnd().isEmpty)
            #expect(try abandoned.wait())
        }
    }

    @Test("a chunked request is refused if it arrives before the previous response")
    func pipelined() async throws {
        try await serving(router) { _, port in
            let client = try TestClient(port)
            let chunked = Self.chunked("3\r\nabc\r\n0\r\n\r\n")
            for _ in 0..<3 {
                client.send(chunked)
                #expect(try client.answer().text == "abc")
                #expect(try client.get("/hello").text == "hello")
            }
            client.send("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n" + chunked)
            #expect(try client.answer().text == "hello")
            #expect(try client.answer().status == 400)
            #expect(client.seesEnd())
        }
    }
}
