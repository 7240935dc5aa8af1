import Glibc
import MicroHTTP
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ServerTests {
    private var router: Router {
        var router = Router()
        router.on(.get, "/hello") { _ in .now(Response(text: "hello")) }
        router.on(.post, "/echo") { request in .now(Response(headers: [("Content-Type", "x/y")], body: request.body)) }
        router.on(.get, "/late/{n}") { request in
            let n = request.number("n") ?? -1
            return .later {
                await Task.detached {}.value
                return Response(text: "late \(n)")
            }
        }
        router.on(.get, "/seen") { request in
            .now(
                Response(
                    text: [
                        request.path, request.rawTarget, request.query("a") ?? "-", request.header("X-Seen") ?? "-",
                        request.host ?? "-", request.remoteAddress,
                    ].joined(separator: "|")))
        }
        return router
    }

    @Test("a connection serves several requests")
    func keepsAlive() async throws {
        try await serving(router) { server, port in
            let client = try TestClient(port)
            for _ in 0..<3 {
                let answer = try client.get("/hello")
                #expect(answer.status == 200)
                #expect(answer.text == "hello")
                #expect(answer.header("content-length") == "5")
            }
            #expect(server.metrics.connections == 1)
            client.stay()
        }
    }

    @Test("a request body arrives whole, with a length or in chunks")
    func echoes() async throws {
        try await serving(router) { _, port in
            let client = try TestClient(port)
            let body = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            #expect(try client.post("/echo", body).body == body)
            #expect(try client.post("/echo", []).body == [])
            client.send(
                "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
            #expect(try client.answer().text == "abcde")
        }
    }

    @Test(
        "a response releases its owner after it is sent, and not before",
        arguments: [[:], ["X-More": "of every answer"]])
    func keeps(more: [String: String]) async throws {
        let owner = Mutex<Owner?>(Owner())
        let gone = owner.withLock { $0?.gone }
        var router = Router()
        let body = [UInt8](repeating: 7, count: 8 << 20)
        router.on(.get, "/kept") { _ in
            // Eight megabytes are copied.
            .later {
                Response(
                    body: body,
                    keeping: owner.withLock { owner in
                        defer { owner = nil }
                        return owner
                    })
            }
        }
        router.extraHeaders = { _ in more.map { ($0.key, $0.value) } }
        try await serving(router) { _, port in
            let client = try TestClient(port)
            client.send("GET /kept HTTP/1.1\r\nHost: x\r\n\r\n")
            // The head has arrived. The body exceeds the kernel's buffers, so part of it has not.
            _ = try client.head()
            #expect(gone?.isSet == false)
            _ = try client.read(count: body.count)
            while gone?.isSet == false { sched_yield() }
        }
    }

    @Test("a client that reads an owned response below 64 kB/s is disconnected")
    func slowKeeping() async throws {
        let owners = Mutex<[Owner.Gone]>([])
        let body = [UInt8](repeating: 7, count: 16 << 20)
        var router = Router()
        router.on(.get, "/kept") { _ in
            .later {
                let owner = Owner()
                owners.withLock { $0.append(owner.gone) }
                return Response(body: body, keeping: owner)
            }
        }
        router.on(.get, "/plain") { _ in .later { Response(body: body) } }
        try await serving(router) { server, port in
            func begin(_ path: String, receiveBuffer: Int32? = nil) throws -> TestClient {
                let client = try TestClient(port, receiveBuffer: receiveBuffer)
                client.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(try client.head().status == 200)
                return client
            }
            let limit = Duration.seconds(60 + (body.count >> 16))
            let early = try begin("/kept")
            server.look(after: limit - .seconds(50))
            #expect(try early.read(count: body.count).count == body.count)
            let (late, plain) = (try begin("/kept", receiveBuffer: 4096), try begin("/plain"))
            server.look(after: limit)
            #expect(eventually { owners.withLock { $0.count == 2 && $0.allSatisfy(\.isSet) } })
            #expect(try plain.read(count: body.count).count == body.count)
            late.stay()
        }
    }

    private final class Owner: Sendable {
        final class Gone: Sendable {
            private let value = Atomic(false)
            var isSet: Bool { value.load(ordering: .relaxed) }
            func set() { value.store(true, ordering: .relaxed) }
        }
        let gone = Gone()
        deinit { gone.set() }
    }

    @Test("deferred responses arrive in order on one connection")
    func answersLater() async throws {
        try await serving(router) { _, port in
            let client = try TestClient(port)
            client.send((0..<20).map { "GET /late/\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
            for n in 0..<20 { #expect(try client.answer().text == "late \(n)") }
        }
    }

    @Test("HEAD returns the headers of GET without the body")
    func head() async throws {
        try await serving(router) { _, port in
            let client = try TestClient(port)
            let answer = try client.get("/hello", method: "HEAD")
            #expect(answer.status == 200)
            #expect(answer.header("content-length") == "5")
            #expect(try client.get("/hello").text == "hello")
        }
    }

    @Test("an unknown path gets 404, a wrong method gets 405, and OPTIONS lists the methods")
    func unknown() async throws {
        try await serving(router) { _, port in
            let client = try TestClient(port)
            #expect(try client.get("/nowhere").status == 404)
            let wrong = try client.post("/hello", [1, 2, 3])
            #expect(wrong.status == 405)
            #expect(wrong.header("allow") == "GET, HEAD, OPTIONS")
            let options = try client.get("/echo", method: "OPTIONS")
            #expect(options.status == 204)
            #expect(options.header("allow") == "POST, OPTIONS")
            #expect(try client.get("*", method: "OPTIONS").status == 204)
            #expect(try client.get("/hello").status == 200)
        }
    }

    @Test("a handler sees path, target, query, headers, host and remote address")
    func seesRequest() async throws {
        try await serving(router) { _, port in
            let client = try TestClient(port)
            #expect(
                try client.get("/a/../%73een?a=1%202+3&a=4", headers: "x-SEEN: yes\r\n").text
                    == "/seen|/a/../%73een?a=1%202+3&a=4|1 2 3|yes|localhost|127.0.0.1")
            #expect(
                try client.get("http://other:81/seen?b", headers: "").text
                    == "/seen|http://other:81/seen?b|-|-|other:81|127.0.0.1")
        }
    }

    @Test("the error hook renders every error response, even before routing")
    func rendersErrors() async throws {
        var router = router
        router.errorResponse = { status, detail, request in
            Response(status: status, text: "\(status) \(request?.path ?? "?")")
        }
        try await serving(router) { _, port in
            let (unknown, malformed) = (try get(port, "/nowhere"), try get(port, "/%zz"))
            #expect(unknown.text == "404 /nowhere")
            #expect(malformed.text == "400 ?")
        }
    }

    @Test("the gate refuses a request before its handler runs or a large body is read")
    func gate() async throws {
        var router = router
        router.gate = { $0.header("authorization") == "let me in" ? nil : Refusal(Response(status: 401, text: "no")) }
        try await serving(router) { _, port in
            let client = try TestClient(port)
            #expect(try client.get("/hello").status == 401)
            #expect(try client.post("/echo", [1, 2]).status == 401)
            #expect(try client.get("/hello", headers: "Authorization: let me in\r\n").status == 200)
            client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n")
            #expect(try client.answer().status == 401)
            #expect(client.seesEnd())
        }
    }

    @Test("the observer receives each request's method, route and status")
    func observes() async throws {
        let records = Recorder<String>()
        var router = router
        router.observer = { records.add("\($0.method?.rawValue ?? "?") \($0.route) \($0.status)") }
        try await serving(router) { _, port in
            let client = try TestClient(port)
            _ = try client.get("/late/7")
            _ = try client.get("/nowhere")
            _ = try client.get("/%00")
            #expect(records.wait(for: 3))
            #expect(
                records.all == ["GET /late/{n} 200", "GET  404", "? 0 400"]
                    || records.all == ["GET /late/{n} 200", "GET  404", "?  400"])
        }
    }
}
