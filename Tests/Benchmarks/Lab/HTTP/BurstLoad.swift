import Foundation
import Replay
import Synchronization
import Terminal

/// Thousands of pages that all hear of a changed gallery at once, while others scroll. They read on a thread of their own:
/// what the scrolling ones wait for is the server, not their neighbours.
final class BurstLoad {
    struct Figures {
        var streams = 0
        /// Until the event had reached every stream: the median.
        var milliseconds = 0.0
        /// Milliseconds to the answer of updates that were due while a burst was under way.
        var p50 = 0.0
        var p99 = 0.0
    }

    /// State shared by the two threads.
    private final class Progress: Sendable {
        let open = Atomic(0)
        /// Streams that the present burst has not reached, and when it reached the last one.
        let left = Atomic(0)
        let reached = Atomic<Int64>(0)
        let isOver = Atomic(false)
    }

    private final class Reader: LoadEvents {
        var progress: Progress?
        private var isReady = false

        override func event(_ name: [UInt8], _ data: [UInt8]) {
            guard let progress else { return }
            if !isReady { progress.open.add(1, ordering: .relaxed) }
            isReady = true
            guard name.elementsEqual("gallery".utf8) else { return }
            if progress.left.subtract(1, ordering: .sequentiallyConsistent).newValue == 0 {
                progress.reached.store(LoadLoop.now, ordering: .sequentiallyConsistent)
            }
        }
    }

    private let loop: LoadLoop
    private let server: BenchServer
    private let streams: Int
    private let progress = Progress()

    init(_ loop: LoadLoop, _ server: BenchServer, streams: Int) throws {
        self.loop = loop
        self.server = server
        self.streams = streams
        let sessions = try UpdateLoad.open(
            loop, server, count: streams, gallery: "lively", body: "\"viewport\":{\"width\":600,\"height\":400}")
        Thread.detachNewThread { [progress, port = server.port] in Self.read(sessions, port, progress) }
        guard loop.run(seconds: 60, until: { progress.open.load(ordering: .relaxed) == streams }) else {
            throw CommandFailure("only \(progress.open.load(ordering: .relaxed)) of \(streams) streams opened")
        }
    }

    private static func read(_ sessions: [String], _ port: UInt16, _ progress: Progress) {
        let loop = LoadLoop()
        // A stream that cannot be opened is left out: the caller counts the open ones.
        let readers = sessions.compactMap {
            try? Reader(loop, port: port, path: "/api/v1/sessions/\($0)/events")
        }
        for reader in readers { reader.progress = progress }
        loop.run { progress.isOver.load(ordering: .relaxed) }
        for reader in readers { reader.leave() }
    }

    private var left: Int { progress.left.load(ordering: .sequentiallyConsistent) }

    /// One burst a second, while pages post updates at a steady rate.
    func measure(_ load: UpdateLoad, rate: Double, bursts: Int) throws -> Figures {
        defer { progress.isOver.store(true, ordering: .relaxed) }
        var began: [Int64] = []
        var times = Durations()
        func note() {
            guard began.count > times.count, left == 0 else { return }
            times.add(progress.reached.load(ordering: .sequentiallyConsistent) - began[times.count])
        }
        var failed = false
        for number in 0..<bursts {
            loop.after(milliseconds: 500 + 1000 * Double(number)) { [self] in
                note()
                if left > 0 { failed = true }
                progress.left.store(streams, ordering: .sequentiallyConsistent)
                began.append(LoadLoop.now)
                if (try? server.tell("burst")) == nil { failed = true }
            }
        }
        let figures = load.pace(rate: rate, seconds: Double(bursts) + 0.5) { [self] in left > 0 }
        loop.run(seconds: 10) { left == 0 }
        note()
        guard !failed, times.count == bursts else {
            throw CommandFailure("a burst had not reached all streams when the next was due")
        }
        return Figures(
            streams: streams, milliseconds: times.milliseconds(at: 0.5), p50: figures.p50, p99: figures.p99)
    }
}
