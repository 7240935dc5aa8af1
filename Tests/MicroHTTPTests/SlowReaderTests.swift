import MicroHTTP
import TestSupport
import Testing

/// Readers that are slower than their stream.
@Suite(.timeLimit(.minutes(1)))
struct SlowReaderTests: ServesEvents {
    @Test(
        "a reader that stops reading stays within the queue limits and is closed as stuck")
    func slowReader() async throws {
        let opened = Recorder<EventStream>()
        try await serving(router(opened)) {
            $0.streamQueue = .init(bytes: 200_000, count: 64)
            // The test passes the time by hand, so the reader that keeps up has a full minute.
            $0.stuckTimeout = .seconds(60)
            $0.heartbeat = .seconds(3600)
        } _: { server, port in
            let stuck = try open(port, receiveBuffer: 4096)
            _ = try stuck.read(until: "retry: 2000\n\n")
            let reader = try open(port)
            _ = try reader.read(until: "retry: 2000\n\n")
            let (a, b) = (try first(opened, 0), try first(opened, 1))
            let reason = Promise<CloseReason>()
            a.onClose { reason.fulfil($0) }
            let event = Event(name: "big", data: [UInt8](repeating: 65, count: 10_000), isDroppable: true)
            var results: [SendResult] = []
            for _ in 0..<200 {
                results.append(a.send(event))
                #expect(a.pressure.bytes <= 200_000)
                _ = b.send(event)
                #expect(try reader.read(until: "\n\n").utf8.count == 10_000 + 19)
            }
            #expect(results.contains(.queued))
            #expect(results.contains(.closed) || server.metrics.droppedEvents > 0)
            #expect(a.isOpen && !reason.isFulfilled)
            a.look(after: .seconds(61))
            b.look(after: .seconds(61))
            #expect(try reason.wait() == .stuck)
            #expect(server.metrics.endedStreams == [.stuck: 1])
            #expect(b.send(Event(name: "x", data: "still here")) == .sent)
            #expect(try reader.read(until: "\n\n") == "event: x\ndata: still here\n\n")
            stuck.stay()
        }
    }

    @Test("a stuck reader is closed after the stuck timeout")
    func closedByItself() async throws {
        let opened = Recorder<EventStream>()
        try await serving(router(opened)) {
            $0.stuckTimeout = .milliseconds(50)
        } _: { _, port in
            let client = try open(port, receiveBuffer: 4096)
            let stream = try first(opened)
            let reason = Promise<CloseReason>()
            stream.onClose { reason.fulfil($0) }
            // Bytes beyond the kernel's buffers stay queued.
            stream.send(Event(name: "big", data: [UInt8](repeating: 65, count: 8_000_000)))
            #expect(try reason.wait() == .stuck)
            client.stay()
        }
    }

    @Test(
        "the kernel's timeout for a silent peer is longer than the server's own",
        arguments: [0.01, 10, 29, 30, 100, 86_400])
    func kernel(seconds: Double) {
        var configuration = ServerConfiguration()
        configuration.stuckTimeout = .seconds(seconds)
        #expect(configuration.problem() == nil)
        #expect(Double(configuration.peerTimeout) >= max(30_000, seconds * 1000 * 4 / 3))
    }

    @Test(
        "a queued event is superseded by key or discarded, and the rest arrive in order"
    )
    func coalesces() async throws {
        let opened = Recorder<EventStream>()
        try await serving(router(opened)) { _, port in
            let client = try open(port, receiveBuffer: 4096)
            _ = try client.read(until: "retry: 2000\n\n")
            let stream = try first(opened)
            let drained = Promise<Bool>()
            stream.onDrain { drained.fulfil(true) }
            let filler = Event(name: "f", data: [UInt8](repeating: 65, count: 100_000))
            var fillers = 0
            repeat { fillers += 1 } while stream.send(filler) == .sent && fillers < 100
            for n in 0..<5 { #expect(stream.send(Event(name: "plan", data: "\(n)", key: 1)) == .queued) }
            for n in 0..<5 { stream.send(Event(name: "picture", data: "\(n)", key: 100 + UInt64(n))) }
            stream.send(Event(name: "end", data: "."))
            #expect(stream.discard { $0 >= 100 && $0 != 103 } == 4)
            let text = try client.read(until: "event: end\ndata: .\n\n")
            #expect(text.hasSuffix("event: plan\ndata: 4\n\nevent: picture\ndata: 3\n\nevent: end\ndata: .\n\n"))
            #expect(text.components("event: f\n") == fillers)
            #expect(try drained.wait())
            #expect(stream.pressure == (0, 0))
        }
    }

    @Test("a required event that does not fit closes the stream")
    func overflows() async throws {
        let opened = Recorder<EventStream>()
        try await serving(router(opened)) {
            $0.streamQueue = .init(bytes: 100_000, count: 64)
        } _: { _, port in
            let client = try open(port, receiveBuffer: 4096)
            _ = try client.read(until: "retry: 2000\n\n")
            let stream = try first(opened)
            let reason = Promise<CloseReason>()
            stream.onClose { reason.fulfil($0) }
            for _ in 0..<100 where stream.isOpen {
                stream.send(Event(name: "f", data: [UInt8](repeating: 65, count: 50_000)))
            }
            #expect(try reason.wait() == .overflow)
            client.stay()
        }
    }
}

extension String {
    /// Number of occurrences of the part.
    fileprivate func components(_ part: String) -> Int {
        var (rest, count) = (self[...], 0)
        while let found = rest.firstRange(of: part) {
            count += 1
            rest = rest[found.upperBound...]
        }
        return count
    }
}
