import Glibc
import MicroHTTP
import TestSupport
import Testing

/// Clients that leave before their response, and responses that miss their deadline.
@Suite(.timeLimit(.minutes(1)))
struct LeavingTests {
    /// Serves `/slow`, which ends only when its task is cancelled and records the cancellation.
    private func router(_ cancelled: Recorder<Bool>) -> Router {
        var router = Router()
        router.on(.get, "/slow") { _ in
            .later {
                for await _ in AsyncStream<Void>(Void.self, { _ in }) {}
                cancelled.add(Task.isCancelled)
                return Response(text: "too late")
            }
        }
        router.on(.get, "/hello") { _ in .now(Response(text: "hello")) }
        return router
    }

    @Test("a client that leaves cancels its work and frees its connection", arguments: [false, true])
    func leaves(byReset: Bool) async throws {
        let cancelled = Recorder<Bool>()
        let statuses = Recorder<Int>()
        var router = router(cancelled)
        router.observer = { statuses.add($0.status) }
        try await serving(router) { server, port in
            let clients = try (0..<20).map { _ in try TestClient(port) }
            for client in clients { client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n") }
            #expect(eventually { server.metrics.requestsInFlight == 20 })
            #expect(cancelled.all.isEmpty)
            for client in clients { if byReset { client.crash() } else { client.leave() } }
            #expect(cancelled.wait(for: 20))
            #expect(cancelled.all.allSatisfy { $0 })
            #expect(eventually { server.metrics.requestsInFlight == 0 && server.metrics.connections == 0 })
            #expect(statuses.all == [Int](repeating: 0, count: 20))
        }
    }

    @Test("a delayed refusal blocks no other client and ends if its client leaves")
    func heldBack() async throws {
        var router = router(Recorder())
        router.on(.post, "/hello") { _ in .now(Response(text: "hello")) }
        router.gate = { request in
            let delay = request.header("X-Delay").flatMap { Int($0) }
            return delay.map { Refusal(Response(status: 401, text: "no"), after: .milliseconds($0)) }
        }
        try await serving(router) { server, port in
            let held = try TestClient(port)
            held.send("GET /hello HTTP/1.1\r\nHost: x\r\nX-Delay: 3600000\r\n\r\n")
            #expect(eventually { server.metrics.requestsInFlight == 1 })
            let client = try TestClient(port)
            for request in ["GET /hello HTTP/1.1\r\n", "POST /hello HTTP/1.1\r\nContent-Length: 0\r\n"] {
                client.send("\(request)Host: x\r\nX-Delay: 1\r\n\r\n")
                #expect(try client.answer().status == 401)
                #expect(try client.get("/hello").text == "hello")
            }
            client.send("POST /hello HTTP/1.1\r\nHost: x\r\nX-Delay: 1\r\nContent-Length: 3\r\n\r\nabc")
            #expect(try client.answer().status == 401)
            #expect(try client.get("/hello").text == "hello")
            client.send("POST /hello HTTP/1.1\r\nHost: x\r\nX-Delay: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na")
            #expect(try client.answer().status == 401)
            #expect(try client.readToEnd().isEmpty)
            held.leave()
            #expect(eventually { server.metrics.requestsInFlight == 0 })
        }
    }

    @Test("a client that stays gets its response while other clients leave")
    func stays() async throws {
        let (answers, answer) = AsyncStream.makeStream(of: Void.self)
        var router = router(Recorder())
        router.on(.get, "/soon") { _ in
            .later {
                for await _ in answers { break }
                return Response(text: "here")
            }
        }
        try await serving(router) { server, port in
            let client = try TestClient(port)
            for _ in 0..<20 {
                client.send("GET /soon HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(eventually { server.metrics.requestsInFlight == 1 })
                let gone = try TestClient(port)
                gone.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(eventually { server.metrics.requestsInFlight == 2 })
                gone.leave()
                #expect(eventually { server.metrics.requestsInFlight == 1 })
                answer.yield()
                #expect(try client.answer().text == "here")
                #expect(try client.get("/hello").text == "hello")
            }
        }
    }

    @Test("a request past its response deadline gets 504 and is cancelled")
    func deadline() async throws {
        let cancelled = Recorder<Bool>()
        try await serving(router(cancelled)) {
            $0.responseDeadline = .milliseconds(50)
        } _: { _, port in
            let client = try TestClient(port)
            #expect(try client.get("/slow").status == 504)
            #expect(cancelled.wait(for: 1) && cancelled.all == [true])
            #expect(try client.get("/hello").status == 200)
        }
    }
}
