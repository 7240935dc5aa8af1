import MicroHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct ShutdownTests {
    @Test("shutdown ends streams with a bye, finishes the running request and returns early")
    func stops() async throws {
        let opened = Recorder<EventStream>()
        let begun = Promise<Bool>()
        let (goOn, go) = AsyncStream.makeStream(of: Void.self)
        var router = Router()
        router.on(.get, "/events") { _ in .stream(.events { opened.add($0) }) }
        router.on(.get, "/slow") { _ in
            begun.fulfil(true)
            return .later {
                for await _ in goOn { break }
                return Response(text: "done")
            }
        }
        router.on(.get, "/hello") { _ in .now(Response(text: "hello")) }
        try await serving(router) { server, port in
            let streams = try (0..<200).map { _ in try TestClient(port) }
            for client in streams { client.send("GET /events HTTP/1.1\r\nHost: x\r\n\r\n") }
            for client in streams { _ = try client.read(until: "retry: 2000\n\n") }
            let slow = try TestClient(port)
            slow.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try begun.wait()
            let other = try TestClient(port)
            #expect(try other.get("/hello").status == 200)
            let stopped = Promise<Bool>()
            Task {
                await server.shutdown(
                    grace: .seconds(3600), bye: Event(name: "bye", data: "{\"reason\":\"stopping\"}"))
                stopped.fulfil(true)
            }
            for client in streams {
                #expect(
                    try String(decoding: client.readToEnd(), as: UTF8.self)
                        == "event: bye\ndata: {\"reason\":\"stopping\"}\n\n")
            }
            let refused = try other.get("/hello")
            #expect(
                refused.status == 503 && refused.header("retry-after") != nil
                    && refused.header("connection")?.lowercased() == "close")
            #expect(throws: TestClient.Failure.self) { _ = try TestClient(port) }
            #expect(!stopped.isFulfilled)
            go.yield()
            #expect(try slow.answer().text == "done")
            // Waiting for anything else would take the full grace of an hour.
            #expect(try stopped.wait())
        }
    }

    @Test("a request that outlasts the grace period gets 503 and is cancelled")
    func graceEnds() async throws {
        let (begun, cancelled) = (Promise<Bool>(), Promise<Bool>())
        var router = Router()
        router.on(.get, "/slow") { _ in
            begun.fulfil(true)
            return .later {
                // Ends when its task is cancelled.
                for await _ in AsyncStream<Void>(Void.self, { _ in }) {}
                cancelled.fulfil(true)
                return Response(text: "too late")
            }
        }
        try await serving(router) { server, port in
            let slow = try TestClient(port)
            slow.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try begun.wait()
            try waiting { await server.shutdown(grace: .milliseconds(50)) }
            #expect(try slow.answer().status == 503)
            #expect(try cancelled.wait())
        }
    }

    @Test("a client that does not read cannot delay shutdown")
    func stuckReader() async throws {
        let opened = Recorder<EventStream>()
        var router = Router()
        router.on(.get, "/events") { _ in .stream(.events { opened.add($0) }) }
        try await serving(router) { server, port in
            let client = try TestClient(port, receiveBuffer: 4096)
            client.send("GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(opened.wait(for: 1))
            opened.all[0].send(Event(name: "x", data: [UInt8](repeating: 65, count: 8_000_000)))
            let reason = Promise<CloseReason>()
            opened.all[0].onClose { reason.fulfil($0) }
            // Waiting for the reader would take the grace of an hour.
            try waiting { await server.shutdown(grace: .seconds(3600), bye: Event(name: "bye", data: "")) }
            #expect(try reason.wait() == .stopped)
            client.stay()
        }
    }

    @Test("repeated starts and stops under load break no response")
    func cycles() async throws {
        var router = Router()
        router.on(.get, "/hello") { _ in .now(Response(text: "hello")) }
        router.on(.get, "/late") { _ in
            .later {
                // Responds from a different thread.
                await Task.detached {}.value
                return Response(text: "late")
            }
        }
        router.on(.get, "/events") { _ in .stream(.events { $0.send(Event(name: "x", data: "1")) }) }
        router.upload(.post, "/upload", limit: 1 << 20) { _ in
            .accept(Upload(receive: { _ in nil }, finish: { Response(text: "taken") }))
        }
        for _ in 0..<50 {
            let server = Server(router)
            let port = try server.start()
            let (answered, wrong) = (Recorder<Int>(), Recorder<String>())
            let threads = (0..<4).map { kind in
                Task {
                    try await onThread {
                        do {
                            while true {
                                let client = try TestClient(port)
                                for _ in 0..<20 {
                                    let answer =
                                        switch kind {
                                        case 0: try client.get("/hello")
                                        case 1: try client.get("/late")
                                        case 2: try client.post("/upload", [UInt8](repeating: 65, count: 100_000))
                                        default: try TestClient(port).get("/events")
                                        }
                                    if answer.status == 200 {
                                        answered.add(kind)
                                    } else if answer.status != 503 {
                                        wrong.add("\(answer.status)")
                                    }
                                    if answer.status == 503 || kind == 3 { return }
                                }
                            }
                        } catch let failure as TestClient.Failure {
                            // The connection may close between two requests, but not within a response.
                            if failure.what.contains("closed after") || failure.what.contains("got H") {
                                wrong.add(failure.what)
                            }
                        }
                    }
                }
            }
            let isLoaded = try await onThread { answered.wait(for: 20) }
            #expect(isLoaded)
            await server.shutdown(grace: .seconds(5), bye: Event(name: "bye", data: ""))
            for thread in threads { try await thread.value }
            #expect(wrong.all.isEmpty)
        }
    }

    @Test("a server can stop while it refuses malformed requests")
    func cyclesOfNoise() async throws {
        for _ in 0..<50 {
            let server = Server(Router())
            let port = try server.start()
            let refused = Recorder<Int>()
            let threads = (0..<4).map { _ in
                Task {
                    try await onThread {
                        // Until the server stops listening.
                        while let client = try? TestClient(port) {
                            client.send("GET / HTTP/1.1\r\nHost : x\r\n\r\n\u{1}\u{2}\r\n\r\nPOST\r\n\r\n")
                            if let answer = try? client.answer() { refused.add(answer.status) }
                        }
                    }
                }
            }
            let isLoaded = try await onThread { refused.wait(for: 20) }
            #expect(isLoaded)
            await server.shutdown(grace: .seconds(5))
            for thread in threads { try await thread.value }
            #expect(refused.all.allSatisfy { $0 == 400 || $0 == 503 })
        }
    }

    @Test("cancelling the task of run() stops the server")
    func runs() async throws {
        var router = Router()
        router.on(.get, "/hello") { _ in .text("hello") }
        let server = Server(router)
        let (ports, listening) = AsyncStream.makeStream(of: UInt16.self)
        let running = Task { try await server.run { listening.yield($0) } }
        var iterator = ports.makeAsyncIterator()
        let port = try #require(await iterator.next())
        let text = try await onThread { try get(port, "/hello").text }
        #expect(text == "hello")
        await #expect(throws: ServerError.self) { try await server.run() }
        running.cancel()
        try await running.value
        #expect(server.metrics == ServerMetrics())
        await #expect(throws: TestClient.Failure.self) { try await onThread { _ = try TestClient(port) } }
    }

    @Test("a stopped server can start again")
    func restarts() async throws {
        var router = Router()
        router.on(.get, "/hello") { _ in .now(Response(text: "hello")) }
        let server = Server(router)
        for _ in 0..<3 {
            let port = try server.start()
            let text = try await onThread { try get(port, "/hello").text }
            #expect(text == "hello")
            #expect(throws: ServerError.self) { _ = try server.start() }
            await server.shutdown()
            await server.shutdown()
            #expect(server.metrics == ServerMetrics())
        }
    }
}
