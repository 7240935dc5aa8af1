import Glibc

/// Thousands of pages that all hear of a changed gallery at once, while others scroll.
final class BurstLoad {
    struct Figures {
        var streams = 0
        /// Until the event had reached every stream: the median.
        var milliseconds = 0.0
        /// Milliseconds to the answer of updates that were due while a burst was under way.
        var p50 = 0.0
        var p99 = 0.0
    }

    private final class Reader: LoadEvents {
        var isReady = false
        var onGallery: (() -> Void)?

        override func event(_ name: [UInt8], _ data: [UInt8]) {
            isReady = true
            if name.elementsEqual("gallery".utf8) { onGallery?() }
        }
    }

    private let loop: LoadLoop
    private let server: BenchServer
    private var readers: [Reader] = []

    init(_ loop: LoadLoop, _ server: BenchServer, streams: Int) throws {
        self.loop = loop
        self.server = server
        let sessions = try UpdateLoad.open(
            loop, server, count: streams, gallery: "lively", body: "\"viewport\":{\"width\":600,\"height\":400}")
        readers = try sessions.map { try Reader(loop, port: server.port, path: "/api/v1/sessions/\($0)/events") }
        let readers = readers
        guard loop.run(seconds: 60, until: { readers.allSatisfy(\.isReady) }) else {
            throw Running.Failure("only \(readers.count { $0.isReady }) of \(streams) streams opened")
        }
    }

    /// One burst a second, while pages post updates at a steady rate.
    func measure(_ load: UpdateLoad, rate: Double, bursts: Int) throws -> Figures {
        var left = 0
        var began = Int64(0)
        var times = Durations()
        for reader in readers {
            reader.onGallery = {
                left -= 1
                if left == 0 { times.add(LoadLoop.now - began) }
            }
        }
        var failed = false
        for number in 0..<bursts {
            loop.after(milliseconds: 500 + 1000 * Double(number)) { [self] in
                if left > 0 { failed = true }
                left = readers.count
                began = LoadLoop.now
                if (try? server.tell("burst")) == nil { failed = true }
            }
        }
        let figures = load.pace(rate: rate, seconds: Double(bursts) + 0.5) { left > 0 }
        loop.run(seconds: 10) { left == 0 }
        guard !failed, left == 0, times.count == bursts else {
            throw Running.Failure("a burst had not reached all streams when the next was due")
        }
        for reader in readers { reader.leave() }
        return Figures(
            streams: readers.count, milliseconds: times.milliseconds(at: 0.5), p50: figures.p50, p99: figures.p99)
    }
}
