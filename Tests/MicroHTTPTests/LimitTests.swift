import Dispatch
import Glibc
import MicroHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LimitTests {
    private var router: Router {
        var router = Router()
        router.on(.get, "/hello") { _ in .now(Response(text: "hello")) }
        router.on(.post, "/small", bodyLimit: 10) { .now(Response(body: $0.body)) }
        return router
    }

    @Test("a connection over the limit gets 503 until another connection closes")
    func connections() async throws {
        try await serving(router) {
            $0.maxConnections = 3
            $0.patience = .milliseconds(20)
        } _: { server, port in
            var clients = try (0..<3).map { _ in try TestClient(port) }
            for client in clients { #expect(try client.get("/hello").status == 200) }
            let answer = try get(port, "/hello")
            #expect(answer.status == 503 && answer.header("retry-after") == "1")
            #expect(answer.text == "there are too many connections\n")
            #expect(eventually { server.metrics.refusedConnections == 1 })
            clients.removeLast().leave()
            #expect(eventually { server.metrics.connections == 2 })
            let next = try TestClient(port)
            #expect(try next.get("/hello").status == 200)
            for client in clients { client.stay() }
        }
    }

    @Test("a crowd larger than the connection limit queues, and every client is served")
    func crowd() async throws {
        try await serving(router) {
            $0.maxConnections = 4
            $0.patience = .seconds(60)
        } _: { server, port in
            let clients = try (0..<100).map { _ in try TestClient(port) }
            for client in clients {
                #expect(try client.get("/hello").status == 200)
                client.leave()
            }
            #expect(server.metrics.refusedConnections == 0)
        }
    }

    /// libmicrohttpd takes 128 events at a time. After exactly 128 it would wait for more by itself.
    @Test("every client gets a response if many send at the same moment", arguments: [127, 128, 129, 256])
    func moment(count: Int) async throws {
        var router = router
        let (entered, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        router.on(.get, "/gate") { _ in
            entered.signal()
            gate.wait()
            return .now(Response(text: "open"))
        }
        try await serving(router) { _, port in
            let clients = try (0..<count).map { _ in try TestClient(port) }
            for client in clients { #expect(try client.get("/hello").status == 200) }
            let keeper = try TestClient(port)
            keeper.send("GET /gate HTTP/1.1\r\nHost: x\r\n\r\n")
            entered.wait()
            for client in clients { client.send("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n") }
            gate.signal()
            #expect(try keeper.answer().text == "open")
            for client in clients { #expect(try client.answer().text == "hello") }
            for client in clients + [keeper] { client.stay() }
        }
    }

    @Test("a connection over the limit per address gets 429, unless loopback is exempt")
    func perAddress() async throws {
        for limited in [true, false] {
            try await serving(router) {
                $0.maxConnectionsPerAddress = 2
                $0.limitsLoopback = limited
            } _: { server, port in
                let clients = try (0..<2).map { _ in try TestClient(port) }
                for client in clients { #expect(try client.get("/hello").status == 200) }
                let third = try get(port, "/hello")
                #expect(third.status == (limited ? 429 : 200))
                clients[0].leave()
                #expect(eventually { server.metrics.connections == 1 })
                let fourth = try get(port, "/hello")
                #expect(fourth.status == 200)
                clients[1].stay()
            }
        }
    }

    @Test("an address holds at most a quarter of the connections, unless it is a proxy")
    func quarter() async throws {
        for isProxy in [false, true] {
            try await serving(router) {
                $0.maxConnections = 80
                $0.limitsLoopback = true
                $0.isProxy = { isProxy && $0 == "127.0.0.1" }
            } _: { server, port in
                let silent = try (0..<20).map { _ in try TestClient(port) }
                #expect(eventually { server.metrics.connections == 20 })
                let next = try get(port, "/hello")
                #expect(next.status == (isProxy ? 200 : 429))
                let other = try TestClient(port, from: "127.0.0.2").get("/hello")
                #expect(other.status == 200)
                for client in silent { client.stay() }
            }
        }
    }

    @Test("a body over its route's limit gets 413")
    func bodies() async throws {
        try await serving(router) { _, port in
            let client = try TestClient(port)
            #expect(try client.post("/small", Array(repeating: 65, count: 10)).status == 200)
            #expect(try client.post("/small", Array(repeating: 65, count: 11)).status == 413)
        }
    }

    @Test("a header over the configured limit gets 431")
    func headers() async throws {
        try await serving(router) {
            $0.headerLimit = 2048
        } _: { _, port in
            let client = try TestClient(port)
            #expect(try client.get("/hello", headers: "X-A: \(String(repeating: "a", count: 1000))\r\n").status == 200)
            #expect(try client.get("/hello", headers: "X-A: \(String(repeating: "a", count: 2100))\r\n").status == 431)
        }
    }

    @Test("a slow request gets 408 at its deadline, in headers, body or chunks")
    func drips() async throws {
        try await serving(router) {
            $0.requestDeadline = .milliseconds(200)
        } _: { server, port in
            for begin in [
                "GET /hello HTTP/1.1\r\nHost: x\r\nX-A: ",
                "POST /small HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n",
                "POST /small HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n",
            ] {
                let client = try TestClient(port)
                client.send(begin)
                // One byte every 50 ms keeps the connection from idling, so only the deadline can end it.
                var (drips, ended) = (0, false)
                while !ended && drips < 8 {
                    client.send("a")
                    drips += 1
                    var poll = pollfd(fd: client.fd, events: Int16(POLLIN), revents: 0)
                    ended = Glibc.poll(&poll, 1, 50) > 0
                }
                let answer = try client.answer()
                #expect(answer.status == 408)
                #expect(answer.text == "the request took too long to arrive\n")
                #expect(client.seesEnd())
            }
            #expect(eventually { server.metrics.connections == 0 && server.metrics.requestsInFlight == 0 })
        }
    }

    @Test("a connection without any request closes at the request deadline")
    func silence() async throws {
        try await serving(router) {
            $0.requestDeadline = .milliseconds(200)
            $0.idleTimeout = .seconds(3600)
        } _: { _, port in
            let used = try clientThatAsked(port, "/hello")
            let silent = try TestClient(port)
            #expect(silent.seesEnd())
            #expect(try used.get("/hello").status == 200)
        }
    }

    @Test("an idle connection closes after the idle timeout, even if it drips bytes")
    func idles() async throws {
        try await serving(router) {
            $0.idleTimeout = .seconds(1)
        } _: { _, port in
            let silent = try TestClient(port)
            let used = try clientThatAsked(port, "/hello")
            let dripping = try TestClient(port)
            for _ in 0..<100 {
                dripping.send("G")
                var poll = pollfd(fd: dripping.fd, events: Int16(POLLIN), revents: 0)
                if Glibc.poll(&poll, 1, 50) > 0 { break }
            }
            #expect(dripping.seesEnd() && silent.seesEnd() && used.seesEnd())
        }
    }

    @Test("start fails with a clear error for a used port, a foreign address or a bad value")
    func startErrors() async throws {
        try await serving(router) { _, port in
            var configuration = ServerConfiguration()
            configuration.port = port
            let second = Server(Router(), configuration: configuration)
            #expect {
                _ = try second.start()
            } throws: { "\($0)".contains("port \(port)") && "\($0)".contains("in use") }
        }
        var foreign = ServerConfiguration()
        foreign.address = "192.0.2.1"
        let server = Server(Router(), configuration: foreign)
        #expect { _ = try server.start() } throws: { "\($0)".contains("192.0.2.1 is not an address of this machine") }
        var wrong = ServerConfiguration()
        wrong.headerLimit = 5
        let other = Server(Router(), configuration: wrong)
        #expect(throws: ServerError.configuration("headerLimit must be 1024...65536")) { _ = try other.start() }
    }

    @Test("limits above the system's descriptor limit are lowered in proportion and logged")
    func descriptors() async throws {
        let notes = Recorder<String>()
        try await serving(router) {
            $0.maxConnections = 250_000
            $0.maxStreams = 750_000
            $0.log = { notes.add($0) }
        } _: { server, port in
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            try #require(limit.rlim_cur < 1_000_000)
            #expect(server.metrics.maxConnections + server.metrics.maxStreams < Int(limit.rlim_cur))
            #expect(server.metrics.maxStreams > 2 * server.metrics.maxConnections)
            #expect(notes.all.contains { $0.contains("ulimit -n") })
            let answer = try get(port, "/hello")
            #expect(answer.status == 200)
        }
    }
}
