import Glibc
import MicroHTTP
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct EventStreamTests: ServesEvents {
    @Test("a stream sends its headers and retry time, then its events in order")
    func carriesEvents() async throws {
        let opened = Recorder<EventStream>()
        try await serving(router(opened)) { server, port in
            let client = try open(port, headers: "Last-Event-ID: e-7\r\n")
            let head = try client.head()
            #expect(head.status == 200)
            #expect(head.header("content-type") == "text/event-stream")
            #expect(head.header("cache-control") == "no-store")
            #expect(head.header("x-more") == "1")
            #expect(try client.read(until: "\n\n") == "retry: 2000\n\n")
            let stream = try first(opened)
            #expect(stream.lastEventID == "e-7")
            #expect(stream.send(Event(name: "a", id: "e-8", data: "one")) == .sent)
            #expect(stream.send(Event(name: "b", data: "two\nlines")) == .sent)
            #expect(try client.read(until: "\n\n") == "id: e-8\nevent: a\ndata: one\n\n")
            #expect(try client.read(until: "\n\n") == "event: b\ndata: two\ndata: lines\n\n")
            #expect(server.metrics.streams == 1)
            client.stay()
            #expect(eventually { server.metrics.connections == 0 && server.metrics.requestsInFlight == 0 })
        }
    }

    @Test(
        "a hundred open streams still carry events after other requests")
    func handoffHolds() async throws {
        let opened = Recorder<EventStream>()
        try await serving(router(opened)) { _, port in
            let clients = try (0..<100).map { _ in try open(port) }
            let other = try TestClient(port)
            for index in clients.indices {
                _ = try clients[index].read(until: "retry: 2000\n\n")
                #expect(try other.get("/hello").status == 200)
            }
            _ = try first(opened, 99)
            for stream in opened.all { #expect(stream.send(Event(name: "x", data: "1")) == .sent) }
            for client in clients { #expect(try client.read(until: "\n\n") == "event: x\ndata: 1\n\n") }
        }
    }

    @Test("the server refuses to start if the library shuts down handed-off sockets", .tags(.handoff))
    func handoffProbeFails() throws {
        var configuration = ServerConfiguration()
        configuration.turbo = false
        let server = Server(Router(), configuration: configuration)
        #expect {
            _ = try server.start()
        } throws: { error in
            if case .handoffFails = error as? ServerError { "\(error)".contains("libmicrohttpd") } else { false }
        }
    }

    @Test("a stream ends when its client closes, half-closes or resets the connection")
    func leaving() async throws {
        let opened = Recorder<EventStream>()
        try await serving(router(opened)) { server, port in
            let ways: [(TestClient) -> Void] = [{ $0.leave() }, { shutdown($0.fd, Int32(SHUT_WR)) }, { $0.crash() }]
            for (index, leave) in ways.enumerated() {
                let client = try open(port)
                _ = try client.read(until: "retry: 2000\n\n")
                let reason = Promise<CloseReason>()
                let stream = try first(opened, index)
                stream.onClose { reason.fulfil($0) }
                leave(client)
                #expect(try reason.wait() == .peer)
                #expect(stream.send(Event(name: "x", data: "")) == .closed)
                #expect(!stream.isOpen)
            }
            #expect(server.metrics.streams == 0)
        }
    }

    @Test("onClose runs once, or immediately if the stream has ended")
    func closesOnce() async throws {
        let opened = Recorder<EventStream>()
        let closed = Recorder<String>()
        try await serving(router(opened)) { _, port in
            let client = try open(port)
            let stream = try first(opened)
            stream.onClose { _ in closed.add("first") }
            stream.onClose { _ in closed.add("second") }
            stream.close(bye: Event(name: "bye", data: "{}"))
            stream.close()
            #expect(
                try String(decoding: client.readToEnd(), as: UTF8.self).hasSuffix(
                    "retry: 2000\n\nevent: bye\ndata: {}\n\n"))
            #expect(closed.wait(for: 2))
            stream.onClose { closed.add("late \($0)") }
            #expect(closed.all == ["first", "second", "late finished"])
        }
    }

    @Test("idle streams receive heartbeats and share their wake-ups")
    func heartbeats() async throws {
        let opened = Recorder<EventStream>()
        try await serving(router(opened)) {
            $0.heartbeat = .milliseconds(300)
        } _: { server, port in
            let clients = try (0..<100).map { _ in try open(port) }
            for client in clients { _ = try client.read(until: "retry: 2000\n\n") }
            _ = try first(opened, 99)
            for client in clients { #expect(try client.read(until: "\n\n") == ": hb\n\n") }
            let (before, began) = (server.metrics.wakeups, ContinuousClock.now)
            for _ in 0..<2 {
                for client in clients { #expect(try client.read(until: "\n\n") == ": hb\n\n") }
            }
            // At least 200 heartbeats, sent at ticks at least 100 ms apart. Sent one by one, each would be a wake-up.
            let ticks = Int(began.duration(to: .now) / .milliseconds(100))
            #expect(server.metrics.wakeups - before <= ticks + 100)
        }
    }

    @Test("a client that floods its event stream is disconnected")
    func floods() async throws {
        let opened = Recorder<EventStream>()
        try await serving(router(opened)) { _, port in
            let client = try open(port)
            _ = try client.read(until: "retry: 2000\n\n")
            let reason = Promise<CloseReason>()
            try first(opened).onClose { reason.fulfil($0) }
            for _ in 0..<10_000 where !reason.isFulfilled { client.send([UInt8](repeating: 65, count: 1000)) }
            #expect(try reason.wait() == .flooded)
        }
    }

    @Test("a stream over the limit gets 503 until another stream closes")
    func limited() async throws {
        let opened = Recorder<EventStream>()
        try await serving(router(opened)) {
            $0.maxStreams = 2
        } _: { server, port in
            let one = try open(port)
            let two = try open(port)
            _ = try one.read(until: "retry: 2000\n\n")
            _ = try two.read(until: "retry: 2000\n\n")
            let three = try open(port)
            let answer = try three.answer()
            #expect(answer.status == 503)
            #expect(answer.header("retry-after") == "5")
            one.leave()
            #expect(eventually { server.metrics.streams == 1 })
            let four = try open(port)
            #expect(try four.head().status == 200)
            two.stay()
        }
    }

    @Test("HEAD of an event stream returns its headers and opens no stream")
    func head() async throws {
        let opened = Recorder<EventStream>()
        try await serving(router(opened)) { _, port in
            let client = try TestClient(port)
            #expect(try client.get("/events", method: "HEAD").header("content-type") == "text/event-stream")
            #expect(try client.get("/hello").status == 200)
            #expect(opened.all.isEmpty)
        }
    }

    @Test("two threads can send to streams that open and close")
    func concurrent() async throws {
        let opened = Recorder<EventStream>()
        try await serving(router(opened)) { server, port in
            let stop = Promise<Bool>()
            let sent = Promise<Bool>()
            let senders = (0..<2).map { _ in Promise<Bool>() }
            for done in senders {
                Task {
                    try await onThread {
                        let event = Event(name: "x", data: [UInt8](repeating: 65, count: 2000), key: 1)
                        while !stop.isFulfilled {
                            for stream in opened.all.suffix(20) where stream.send(event) == .sent { sent.fulfil(true) }
                        }
                        done.fulfil(true)
                    }
                }
            }
            for round in 0..<2000 where round < 100 || !sent.isFulfilled {
                let client = try open(port)
                _ = try client.read(until: "retry: 2000\n\n")
                if round % 2 == 0 { client.crash() }
            }
            #expect(
                eventually { server.metrics.streams == 0 && sent.isFulfilled }, "\(server.metrics) \(sent.isFulfilled)")
            stop.fulfil(true)
            for done in senders { #expect(try done.wait()) }
        }
    }
}

extension Tag {
    @Tag static var handoff: Self
}
