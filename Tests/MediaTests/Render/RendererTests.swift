import CImageCodecs
import Glibc
import Media
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct RendererTests {
    let box = ThumbnailSize(width: 60, height: 40)
    let good = Encode.jpeg(.quadrants())

    private func configuration(workers: Int = 1, wallTime: Double = 60) -> WorkerConfiguration {
        var configuration = WorkerConfiguration(executable: workerExecutable(), workers: workers)
        configuration.limits.wallTime = wallTime
        return configuration
    }

    /// Renders and returns the error.
    private func failure(_ renderer: Renderer, _ bytes: [UInt8]) async -> RenderError? {
        do {
            _ = try await renderer.render(bytes, size: box)
            return nil
        } catch {
            return error
        }
    }

    private func untilRunning(_ renderer: Renderer, _ count: Int = 1) async throws {
        try await eventually("\(count) running") { renderer.load.running >= count }
    }

    @Test("a worker makes the same thumbnail as this process")
    func sameAsHere() async throws {
        let renderer = Renderer(configuration())
        let options = RenderOptions(format: .webp, quality: 60, smallSide: 32)
        let there = try await renderer.render(good, size: box, options: options)
        #expect(try there == PictureRenderer().render(good, size: box, options: options))
        await renderer.shutdown()
    }

    @Test("a worker's refusal carries its reason")
    func refusal() async {
        let renderer = Renderer(configuration())
        #expect(await failure(renderer, Array("<html>".utf8)) == .notAPicture("looks like HTML"))
        let tooLarge = await failure(renderer, Segments.emptyPNG(width: 1_000_001, height: 10))
        #expect(tooLarge.map { "\($0)" } == "PNG of 1000001 x 10 pixels is over the limit of 1000000 a side")
        await renderer.shutdown()
    }

    @Test(
        "a worker that crashes fails its current picture, and the next picture is rendered",
        arguments: [SIGSEGV, SIGABRT])
    func crashes(signal: Int32) async throws {
        let renderer = Renderer(configuration())
        _ = try await renderer.render(good, size: box)
        let worker = try #require(renderer.pool.processes.first)
        // A stopped worker stays in the middle of its picture.
        kill(worker, SIGSTOP)
        async let lost = failure(renderer, good)
        try await untilRunning(renderer)
        async let next = failure(renderer, good)
        kill(worker, signal)
        kill(worker, SIGCONT)
        #expect(await lost == .workerDied("signal \(signal)"))
        #expect(await next == nil)
        #expect(renderer.pool.processes.first != worker)
        await renderer.shutdown()
    }

    @Test("a picture is rendered after an idle worker died")
    func diedIdle() async throws {
        let renderer = Renderer(configuration())
        _ = try await renderer.render(good, size: box)
        let worker = try #require(renderer.pool.processes.first)
        kill(worker, SIGKILL)
        // Waits for the worker's end without reaping it.
        var information = siginfo_t()
        #expect(waitid(P_PID, UInt32(worker), &information, WEXITED | WNOWAIT) == 0)
        #expect(await failure(renderer, good) == nil)
        #expect(renderer.pool.processes.first != worker)
        await renderer.shutdown()
    }

    @Test(
        "a worker stopped or killed from outside is replaced, and its picture is rendered",
        arguments: [SIGSTOP, SIGKILL, SIGTERM])
    func interrupted(signal: Int32) async throws {
        var configuration = configuration()
        // The clock advances only when it is read, and only while the stopped worker exists.
        let (stopped, passed) = (Box<Int32>(0), Box(ContinuousClock.now))
        configuration.limits.stallTime = signal == SIGSTOP ? 0.4 : 60
        configuration.now = {
            let worker = stopped.value
            let isPassing = worker != 0 && kill(worker, 0) == 0
            return passed.change { time in
                if isPassing { time += .milliseconds(100) }
                return time
            }
        }
        let renderer = Renderer(configuration)
        _ = try await renderer.render(good, size: box)
        let worker = try #require(renderer.pool.processes.first)
        kill(worker, SIGSTOP)
        if signal == SIGSTOP { stopped.change { $0 = worker } }
        async let picture = failure(renderer, good)
        try await untilRunning(renderer)
        if signal != SIGSTOP {
            kill(worker, signal)
            kill(worker, SIGCONT)
        }
        #expect(await picture == nil)
        #expect(kill(worker, 0) != 0, "the worker must be gone")
        #expect(renderer.pool.processes.first != worker)
        await renderer.shutdown()
    }

    @Test("a picture whose two workers hang fails and can be retried")
    func hangsTwice() async throws {
        var configuration = WorkerConfiguration(executable: "/bin/sleep", arguments: ["1000"], workers: 1)
        configuration.limits.stallTime = 0.2
        let renderer = Renderer(configuration)
        let error = try #require(await failure(renderer, good))
        #expect(error == .interrupted("no progress") && error.retryable)
        #expect(renderer.pool.processes.isEmpty)
        await renderer.shutdown()
    }

    @Test("a worker that computes without end fails its picture as too slow")
    func worksWithoutEnd() async throws {
        var configuration = WorkerConfiguration(
            executable: "/bin/sh", arguments: ["-c", "while :; do :; done"], workers: 1)
        configuration.limits.wallTime = 2
        configuration.limits.cpuTime = 0.01
        let renderer = Renderer(configuration)
        #expect(await failure(renderer, good) == .tooSlow(seconds: 0.01))
        await renderer.shutdown()
    }

    @Test("a picture fails after too much processor time, but not after waiting")
    func works() async throws {
        var configuration = configuration()
        let long = Encode.png(.chirp(3000, 2000))
        configuration.limits.cpuTime = 0.02
        let brief = Renderer(configuration)
        #expect(await failure(brief, long) == .tooSlow(seconds: 0.02))
        await brief.shutdown()
        configuration.limits.cpuTime = 0.5
        let renderer = Renderer(configuration)
        #expect(await failure(renderer, good) == nil)
        let worker = try #require(renderer.pool.processes.first)
        kill(worker, SIGSTOP)
        async let slow = failure(renderer, good)
        try await untilRunning(renderer)
        // Lets more time pass than the worker may compute.
        let other = Renderer(self.configuration())
        let began = ContinuousClock.now
        repeat {
            #expect(await failure(other, long) == nil)
        } while began.duration(to: .now) < .milliseconds(600)
        kill(worker, SIGCONT)
        #expect(await slow == nil)
        await renderer.shutdown()
        await other.shutdown()
    }

    @Test("a worker that exceeds its memory limit fails only its current picture")
    func outOfMemory() async throws {
        var configuration = configuration()
        configuration.limits.workerMemory = 280 << 20
        let renderer = Renderer(configuration)
        // 256 MB of pixels.
        let huge = Segments.emptyPNG(width: 8000, height: 8000)
        #expect(await failure(renderer, huge) == .overLimit("not enough memory: the picture needs 244 MB"))
        #expect(await failure(renderer, good) == nil)
        await renderer.shutdown()
    }

    @Test("a worker that has grown is replaced after its picture")
    func outgrown() async throws {
        var configuration = configuration()
        configuration.limits.workerRetention = 1 << 20
        let renderer = Renderer(configuration)
        #expect(await failure(renderer, good) == nil)
        #expect(await failure(renderer, good) == nil)
        #expect(renderer.pool.processes.isEmpty)
        await renderer.shutdown()
    }

    @Test("a missing worker program, and one that is not a worker, fail with a reason")
    func wrongExecutable() async throws {
        let missing = Renderer(WorkerConfiguration(executable: "/nowhere/lookahead"))
        guard case .noWorker = await failure(missing, good) else {
            Issue.record("a missing program must be reported")
            return
        }
        await missing.shutdown()
        let wrong = Renderer(WorkerConfiguration(executable: "/bin/false", arguments: []))
        #expect(await failure(wrong, good) == .workerDied("exit code 1"))
        await wrong.shutdown()
    }

    @Test("a cancelled picture leaves the queue")
    func queue() async throws {
        let renderer = Renderer(configuration())
        _ = try await renderer.render(good, size: box)
        let worker = try #require(renderer.pool.processes.first)
        kill(worker, SIGSTOP)
        async let running = failure(renderer, good)
        try await untilRunning(renderer)
        let waiting = Task { await failure(renderer, good) }
        try await eventually("one in the queue") { renderer.load.queued != 0 }
        waiting.cancel()
        #expect(await waiting.value == .cancelled)
        #expect(renderer.load.queued == 0)
        kill(worker, SIGCONT)
        #expect(await running == nil)
        await renderer.shutdown()
    }

    @Test("shutting down fails running and queued pictures and ends the worker")
    func shutdown() async throws {
        let renderer = Renderer(configuration())
        _ = try await renderer.render(good, size: box)
        let worker = try #require(renderer.pool.processes.first)
        kill(worker, SIGSTOP)
        async let running = failure(renderer, good)
        try await untilRunning(renderer)
        async let waiting = failure(renderer, good)
        try await eventually("one in the queue") { renderer.load.queued != 0 }
        await renderer.shutdown()
        #expect(await running == .shutDown)
        #expect(await waiting == .shutDown)
        #expect(await failure(renderer, good) == .shutDown)
        #expect(kill(worker, 0) != 0)
        await renderer.shutdown()
    }

    @Test("60 pictures at once each get their own thumbnail")
    func many() async throws {
        let renderer = Renderer(configuration(workers: 2))
        let box = box
        try await withThrowingTaskGroup(of: Void.self) { group in
            for value in 0..<60 {
                group.addTask {
                    let color = [UInt8(value * 4), UInt8(255 - value * 4), 128, 255]
                    let thumbnail = try await renderer.render(Encode.png(.flat(90, 60, color)), size: box)
                    #expect(thumbnail.decoded().differs(30, 20, from: color) <= 4)
                }
            }
            try await group.waitForAll()
        }
        #expect(renderer.pool.processes.count <= 2)
        await renderer.shutdown()
    }

    @Test("a worker needs under 32 MB for baseline JPEG")
    func memory() async throws {
        let renderer = Renderer(configuration())
        let photo = Encode.jpeg(.chirp(2000, 1500), quality: 90)
        for _ in 0..<5 { _ = try await renderer.render(photo, size: ThumbnailSize(width: 384, height: 256)) }
        let worker = try #require(renderer.pool.processes.first)
        let peak = ProcessFigures(worker).peakMemory
        #expect(1..<32 << 20 ~= peak, "\(peak) bytes")
        await renderer.shutdown()
    }
}

/// A value that several threads read and change.
private final class Box<Value: Sendable>: Sendable {
    private let held: Mutex<Value>

    init(_ value: Value) { held = Mutex(value) }

    var value: Value { held.withLock { $0 } }

    @discardableResult
    func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { held.withLock { body(&$0) } }
}
