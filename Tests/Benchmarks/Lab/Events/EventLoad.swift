import Glibc
import Terminal

/// Measures the cost of thousands of event streams for one server, from the outside.
struct EventLoad {
    struct Figures {
        var streams = 0
        var connectSeconds = 0.0
        var threads = 0
        /// Bytes of the server's memory for each stream, open and idle, and after all the events.
        var memory = 0.0
        var memoryAfter = 0.0
        /// CPU seconds a second, with nothing sent.
        var idle = 0.0
        /// CPU seconds a second, and delivery in milliseconds, at one event a second to each stream.
        var pacedCPU = 0.0
        var pacedP50 = 0.0
        var pacedP99 = 0.0
        var lost = 0
        /// Milliseconds until one event has reached every stream: the median of several; and CPU seconds of each.
        var broadcast = 0.0
        var broadcastCPU = 0.0
        /// Milliseconds until the server counts a stream less whose client has left, at most; NaN where it did not in two seconds.
        var leaver = 0.0
        /// Exit status, and seconds from SIGTERM to it.
        var status: Int32 = 0
        var stopSeconds = 0.0
    }

    var streams = 10_000
    var bytes = 10_000
    var seconds = 10
    var broadcasts = 5

    private final class Reader: LoadEvents {
        var isReady = false
        var isLost = false
        var delivered = 0
        var onEvent: ((_ sent: Int64) -> Void)?

        override func opened() { isReady = status == 200 }
        override func ended() { isLost = true }

        override func event(_ name: [UInt8], _ data: [UInt8]) {
            guard data.first == UInt8(ascii: "T"), let sent = Self.number(data.dropFirst()) else { return }
            delivered += 1
            onEvent?(Int64(sent))
        }
    }

    /// How often ``measure(_:onStep:)`` tells of a step.
    static let steps = 5

    func measure(_ server: BenchServer, onStep: () -> Void = {}) throws -> Figures {
        let loop = LoadLoop()
        var figures = Figures()
        figures.streams = streams
        // A first stream and event, so that what is made once is not counted as a stream's.
        let first = try Reader(loop, port: server.port, path: "/events")
        loop.run(seconds: 10) { first.isReady }
        _ = try loop.ask(server.port, "POST", "/broadcast?bytes=\(bytes)")
        guard loop.run(seconds: 10, until: { first.delivered == 1 }) else {
            throw CommandFailure("the server sends no events")
        }
        let before = server.figures.memory

        let readers = try open(loop, server, &figures)
        onStep()
        let idleFrom = server.figures
        loop.run(seconds: 3)
        figures.idle = (server.figures.seconds - idleFrom.seconds) / 3
        figures.threads = idleFrom.threads
        figures.memory = Double(server.figures.memory - before) / Double(streams)

        onStep()

        try broadcast(loop, server, readers, &figures)
        onStep()
        try pace(loop, server, readers, &figures)
        onStep()
        figures.memoryAfter = Double(server.figures.memory - before) / Double(streams)
        try leave(loop, server, readers, &figures)

        let began = LoadLoop.now
        server.signal(SIGTERM)
        loop.run(seconds: 15) { !server.isRunning }
        figures.stopSeconds = Double(LoadLoop.now - began) / 1e9
        if server.isRunning {
            server.signal(SIGKILL)
        }
        figures.status = server.wait()
        for reader in readers + [first] { reader.leave() }
        onStep()
        return figures
    }

    private func open(_ loop: LoadLoop, _ server: BenchServer, _ figures: inout Figures) throws -> [Reader] {
        let began = LoadLoop.now
        var readers: [Reader] = []
        while readers.count < streams {
            for _ in 0..<min(500, streams - readers.count) {
                readers.append(try Reader(loop, port: server.port, path: "/events"))
            }
            guard loop.run(seconds: 60, until: { readers.allSatisfy(\.isReady) }) else {
                let open = readers.count { $0.isReady }
                let lost = readers.count { $0.isLost }
                throw CommandFailure(
                    "only \(open) of \(readers.count) streams opened; \(lost) were closed, the others not answered, by "
                        + server.name)
            }
        }
        figures.connectSeconds = Double(LoadLoop.now - began) / 1e9
        return readers
    }

    private func broadcast(
        _ loop: LoadLoop, _ server: BenchServer, _ readers: [Reader], _ figures: inout Figures
    ) throws {
        var times: [Double] = []
        let cpu = server.figures.seconds
        for _ in 0..<broadcasts {
            var left = readers.count
            var (sent, last) = (Int64.max, Int64(0))
            for reader in readers {
                reader.onEvent = {
                    left -= 1
                    sent = min(sent, $0)
                    last = LoadLoop.now
                }
            }
            _ = try loop.ask(server.port, "POST", "/broadcast?bytes=\(bytes)")
            guard loop.run(seconds: 60, until: { left == 0 }) else {
                throw CommandFailure("\(left) streams did not get a broadcast")
            }
            times.append(Double(last - sent) / 1e6)
            loop.run(seconds: 0.3)
        }
        figures.broadcast = times.sorted()[times.count / 2]
        figures.broadcastCPU = (server.figures.seconds - cpu) / Double(broadcasts)
    }

    private func pace(_ loop: LoadLoop, _ server: BenchServer, _ readers: [Reader], _ figures: inout Figures) throws {
        var durations = Durations()
        let expected = readers.count * seconds
        for reader in readers { reader.onEvent = { durations.add(LoadLoop.now - $0) } }
        let cpu = server.figures.seconds
        _ = try loop.ask(server.port, "POST", "/pace?bytes=\(bytes)&seconds=\(seconds)")
        loop.run(seconds: Double(seconds) + 10) { durations.count >= expected }
        // Of the time that the events were due in: a server that comes late spends it later.
        figures.pacedCPU = (server.figures.seconds - cpu) / Double(seconds)
        figures.pacedP50 = durations.milliseconds(at: 0.5)
        figures.pacedP99 = durations.milliseconds(at: 0.99)
        figures.lost = expected - durations.count
    }

    private func leave(_ loop: LoadLoop, _ server: BenchServer, _ readers: [Reader], _ figures: inout Figures) throws {
        let client = try LoadClient(loop, port: server.port)
        func count() -> Int {
            var count: Int?
            client.ask("GET", "/count") { count = $0.flatMap { Int(String(decoding: $0.body, as: UTF8.self)) } ?? -1 }
            loop.run(seconds: 5) { count != nil }
            return count ?? -1
        }
        for reader in readers.prefix(20) {
            let before = count()
            let began = LoadLoop.now
            reader.leave()
            while count() >= before {
                guard LoadLoop.now - began < 2_000_000_000 else {
                    figures.leaver = .nan
                    return
                }
            }
            figures.leaver = max(figures.leaver, Double(LoadLoop.now - began) / 1e6)
        }
        client.leave()
    }
}
