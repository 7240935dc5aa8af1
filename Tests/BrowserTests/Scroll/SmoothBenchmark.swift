import Foundation
import JSON
import Testing

/// How smooth the page is, in figures: `LOOKAHEAD_PAGE_BENCHMARK=1 swift test -c release --filter SmoothBenchmark`.
/// Not a test of every day: what it measures depends on what else the machine does.
@Suite(
    .serialized, .enabled(if: ProcessInfo.processInfo.environment["LOOKAHEAD_PAGE_BENCHMARK"] != nil),
    .timeLimit(.minutes(20)))
struct SmoothBenchmark {
    @Test("flings cost the main thread under 8 ms a frame, in 95 of 100 frames, and no long task")
    func fling() async throws {
        let work = try await measured { browser in
            for _ in 0..<2 {  // of three the browser would not keep all of the trace
                // Let go at 6,000 px a second, it slows down as on a phone: by 0.998 a millisecond.
                for time in stride(from: 0.0, to: 2300, by: 150) {
                    let speed = 6000 * pow(0.998, time)
                    try await scroll(browser, by: max(8, speed * 0.15), speed: speed)
                }
            }
        }
        print("flings: \(work)")
        #expect(work.frames.count > 100)
        #expect(work.percentile(0.95) < 8)
        #expect(work.longTasks == 0)
    }

    @Test("at 6,000 px a second for five seconds on end there is no long task either")
    func rush() async throws {
        let work = try await measured { browser in try await scroll(browser, by: 30_000, speed: 6000) }
        print("at full speed: \(work)")
        #expect(work.frames.count > 100)
        #expect(work.longTasks == 0)
    }

    /// The main thread's work while the content moves.
    private func measured(_ movement: (Browser) async throws -> Void) async throws -> MainThreadWork {
        let demo = try await Demo(items: 1_000_000, latency: 20, bandwidth: 1000)
        defer { demo.stop() }
        // Once slowly, so that the pictures are there and the page, not the painting of the demo's pictures on the same
        // processors, is what is measured: it then gets them all, as fast as it asks.
        try await withBrowser { browser in
            try await browser.open(demo.address)
            try await browser.until("probe.filled()", "first pictures")
            try await scroll(browser, by: 32_000, speed: 3000)
        }
        let browser = try await Browser(tracing: 1280, height: 900)
        do {
            try await browser.open(demo.address)
            try await browser.until("probe.filled()", "first pictures")
            try await browser.run("console.timeStamp('begin');")
            try await movement(browser)
            try await browser.run("console.timeStamp('end');")
            let work = MainThreadWork(try await browser.trace())
            await browser.quit()
            return work
        } catch {
            await browser.quit()
            throw error
        }
    }

    private func scroll(_ browser: Browser, by distance: Double, speed: Double) async throws {
        try await browser.devtools(
            "Input.synthesizeScrollGesture",
            [
                "x": 500, "y": 450, "yDistance": .number(-distance.rounded()), "speed": .number(speed.rounded()),
                "gestureSourceType": "mouse", "preventFling": true,
            ])
    }

    @Test("after 20,000 thumbnails heap and processes are no larger than after 2,000 plus a tenth")
    func memory() async throws {
        let demo = try await Demo(items: 1_000_000, latency: 0, bandwidth: 10_000)
        defer { demo.stop() }
        try await withBrowser { browser in
            try await browser.devtools("Performance.enable")
            try await browser.open(demo.address)
            try await browser.until("probe.filled()", "first pictures")
            try await browser.run(
                """
                window.__count = 0;
                new MutationObserver((changes) => {
                  for (const { target } of changes) if (target.dataset.state === 'ready') window.__count += 1;
                }).observe(document.getElementById('grid'), { subtree: true, attributeFilter: ['data-state'] });
                """)
            var early: [String: Double] = [:]
            var late: [String: Double] = [:]
            for goal in [2_000, 5_000, 10_000, 20_000] {
                try await browser.wait(
                    """
                    while (window.__count < \(goal)) {
                      probe.scroller.scrollTop += probe.scroller.clientHeight;
                      // Each screen is seen, for two frames at least.
                      for (let frame = 0; frame < 2; frame++) await probe.frame();
                      await probe.until(() => probe.visible().length && probe.visible().every((cell) => cell.dataset.state === 'ready'), 'a screen');
                    }
                    """)
                // The same state each time: nothing under way.
                let session = try await browser.session()
                try await browser.wait(
                    "await probe.until(async () => { const { counts } = await probe.get('/api/v1/sessions/\(session)'); return !counts.queued && !counts.loading; }, 'nothing under way'); for (let frame = 0; frame < 60; frame++) await probe.frame();"
                )
                try await browser.devtools("HeapProfiler.collectGarbage")
                let metrics = try await browser.devtools("Performance.getMetrics")["metrics"]?.array ?? []
                late = Dictionary(
                    metrics.map { ($0["name"]?.string ?? "", $0["value"]?.number ?? 0) }, uniquingKeysWith: { $1 })
                late["processes"] = Double(ProcessMemory.proportional(of: browser.processIdentifier))
                // The texts of the pictures that the page holds, most of it all, lie in the heap or, once an image has
                // taken them, beside it: only together do both parts tell.
                let usage = try await browser.devtools("Runtime.getHeapUsage")
                late["heap"] =
                    (usage["usedSize"]?.number ?? .infinity) + (usage["backingStorageSize"]?.number ?? .infinity)
                if early.isEmpty { early = late }
                let megabytes = ["heap", "processes"].map { "\($0) \((late[$0] ?? 0) / 1e6) MB" }
                print("\(goal) thumbnails: \(megabytes.joined(separator: ", "))")
            }
            for name in ["heap", "Nodes", "JSEventListeners", "processes"] {
                #expect((late[name] ?? .infinity) <= (early[name] ?? 0) * 1.1, "\(name)")
            }
        }
    }
}

/// The main thread's work between two marks of a trace, frame by frame.
struct MainThreadWork: CustomStringConvertible {
    /// Milliseconds of processor time for each frame, sorted.
    var frames: [Double] = []
    /// Tasks that held the main thread for 50 ms of processor time.
    var longTasks = 0

    init(_ trace: [JSON]) {
        func mark(_ name: String) -> JSON? {
            trace.first { $0["name"] == "TimeStamp" && $0["args"]?["data"]?["message"] == .string(name) }
        }
        guard let begin = mark("begin"), let from = begin["ts"]?.number, let to = mark("end")?["ts"]?.number else {
            return
        }
        let here = trace.filter { event in
            event["tid"] == begin["tid"] && event["pid"] == begin["pid"]
                && (from..<to).contains(event["ts"]?.number ?? 0)
        }
        // Work after the hand-over of one frame is for the next.
        let starts = here.filter { $0["name"] == "Commit" }.compactMap { $0["ts"]?.number }.sorted()
        var sums = [Double](repeating: 0, count: max(0, starts.count - 1))
        for task in here where task["name"] == "RunTask" {
            let duration = (task["tdur"]?.number ?? 0) / 1000
            if duration > 50 { longTasks += 1 }
            let frame = (starts.firstIndex { $0 > task["ts"]?.number ?? 0 } ?? starts.count) - 1
            if sums.indices.contains(frame) { sums[frame] += duration }
        }
        frames = sums.sorted()
    }

    func percentile(_ share: Double) -> Double {
        frames.isEmpty ? 0 : frames[min(frames.count - 1, Int(Double(frames.count) * share))]
    }

    var description: String {
        let figures = [0.5, 0.95, 1].map { String(format: "%.1f", percentile($0)) }
        return "\(frames.count) frames, ms each p50 \(figures[0]), p95 \(figures[1]), most \(figures[2]); "
            + "\(longTasks) long tasks"
    }
}
