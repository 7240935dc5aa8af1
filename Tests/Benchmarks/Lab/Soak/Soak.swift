import Glibc
import Media
import Replay

/// Pages that come, scroll, lose their stream and go, for as long as told, against a real server; and what must hold then.
final class Soak {
    struct Counts {
        var opened = 0
        var closed = 0
        var vanished = 0
        var reconnects = 0
        var streams = 0
        var updates = 0
        /// Pictures asked for one by one, and those of them that nobody waited for.
        var glances = 0
        var left = 0
        var pictures = 0
        /// Pictures sent whole that the page held whole.
        var repeated = 0
    }

    struct Sample {
        var seconds: Double
        var figures: ProcessFigures
    }

    /// How long a page that rests waits for what it shows, in milliseconds.
    static let patience = 60_000.0
    /// Pictures a page holds before the server may send one again.
    static let pageHolds = 900

    let loop = LoadLoop()
    private let server: BenchServer
    let items: Int
    /// Two cells of 200 x 180, 8 px apart, stand beside each other in 600 px.
    var contentHeight: Int { items / 2 * 188 }
    var port: UInt16 { server.port }
    var counts = Counts()
    var settled = Durations()
    private(set) var problems: [String] = []
    private(set) var samples: [Sample] = []
    private(set) var isEnding = false
    private(set) var workers: SoakWorkers?
    private(set) var folder: SoakFolder?
    private var pages: [SoakPage] = []
    private var pagesLeft = 0

    init(_ server: BenchServer, items: Int) {
        self.server = server
        self.items = items
    }

    func fail(_ problem: String) { if problems.count < 20 { problems.append(problem) } }

    func finished(_ page: SoakPage) { pagesLeft -= 1 }

    /// Runs `pages` pages for `seconds`, then has all go and waits until the server has let go of everything.
    ///
    /// - Parameter onSecond: told each second, from the first on, which it is.
    func run(pages count: Int, seconds: Double, onSecond: @escaping (Int) -> Void = { _ in }) throws -> [String] {
        let picture = try loop.ask(port, "GET", "/api/v1/galleries/demo/items/0/image").body
        let workers = SoakWorkers(self, server), folder = try SoakFolder(self, picture: picture)
        (self.workers, self.folder) = (workers, folder)
        let before = server.figures
        workers.start()
        folder.start()
        let began = LoadLoop.now
        pages = (0..<count).map { SoakPage(self, seed: UInt64($0 + 1)) }
        pagesLeft = count
        // Over five seconds, so that not all do the same at once.
        for (number, page) in pages.enumerated() {
            loop.after(milliseconds: min(5000, seconds * 200) * Double(number) / Double(count), page.start)
        }
        func sample() {
            samples.append(Sample(seconds: Double(LoadLoop.now - began) / 1e9, figures: server.figures))
            onSecond(samples.count)
            if !isEnding { loop.after(milliseconds: 1000, sample) }
        }
        loop.after(milliseconds: 1000, sample)
        loop.run(seconds: seconds) { !self.problems.isEmpty }
        // However short: a folder that went is to come back once.
        loop.run(seconds: 2 * SoakFolder.patience / 1000) { folder.returns > 0 || !self.problems.isEmpty }
        isEnding = true
        if !loop.run(seconds: Self.patience / 1000 + 10, until: { pagesLeft <= 0 }) {
            fail("\(pagesLeft) pages did not end")
        }
        try folder.end()
        let metrics = try settledMetrics()
        check(metrics)
        checkFlat(from: before, seconds: seconds)
        return problems
    }

    /// The server's metrics once nothing is open or under way any more.
    private func settledMetrics() throws -> SoakMetrics {
        var metrics = try readMetrics()
        for _ in 0..<240 where !metrics.isSettled {
            loop.run(seconds: 0.25)
            metrics = try readMetrics()
        }
        if !metrics.isSettled { fail("the server does not release: \(metrics.unsettled)") }
        return metrics
    }

    private func readMetrics() throws -> SoakMetrics {
        SoakMetrics(String(decoding: try loop.ask(port, "GET", "/metrics").body, as: UTF8.self))
    }

    private func check(_ metrics: SoakMetrics) {
        func same(_ what: String, _ told: Double, _ expected: Double) {
            if told != expected { fail("\(what): the metrics say \(told.text(0)), not \(expected.text(0))") }
        }
        let sessions = "/api/v1/sessions"
        same("sessions opened", metrics["sessions_opened_total"], Double(counts.opened))
        same("sessions ended", metrics["sessions_ended_total"], Double(counts.opened))
        same(
            "updates answered",
            metrics["requests_total", "route=\"\(sessions)/{s}/viewport\"", "status=\"200\""], Double(counts.updates))
        same("streams opened", metrics["requests_total", "route=\"\(sessions)/{s}/events\""], Double(counts.streams))
        same(
            "sessions closed", metrics["requests_total", "route=\"\(sessions)/{s}/close\"", "status=\"204\""],
            Double(counts.closed))
        let glances = metrics["requests_total", "route=\"/api/v1/galleries/{g}/items/{i}/image\""]
        if glances > Double(counts.glances + 1) { fail("pictures asked for: the metrics say \(glances.text(0))") }
        same("requests timed", metrics["request_seconds_count"], metrics["requests_total"])
        same("tasks ended", metrics["tasks_total"], metrics["tasks_created_total"])
        same(
            "pictures fetched", metrics["pictures_total"],
            metrics["stages_started_total", "stage=\"fetch\""]
                + metrics["stages_started_total", "stage=\"remoteHead\""])
        same(
            "pictures rendered", metrics["render_seconds_count"] + metrics["render_failures_total"],
            metrics["stages_started_total", "stage=\"render\""])
        // Pictures sent again are looked up in memory without a task.
        let lookups = metrics["cache_hits_total"] + metrics["cache_misses_total"]
        if lookups < metrics["stages_started_total", "stage=\"store\""] {
            fail("cache lookups: only \(lookups.text(0))")
        }
        if counts.repeated > 0 { fail("\(counts.repeated) pictures were sent to pages that held them") }
    }

    private func checkFlat(from before: ProcessFigures, seconds: Double) {
        let after = server.figures
        if after.descriptors > before.descriptors + 24 {
            fail("file descriptors: \(before.descriptors) before, \(after.descriptors) after")
        }
        // Changes of memory in the first minute are warm-up.
        guard seconds >= 60 else { return }
        func median(_ part: ClosedRange<Double>, _ value: (ProcessFigures) -> Int) -> Double {
            let values = samples.filter { part.contains($0.seconds / seconds) }.map { Double(value($0.figures)) }
                .sorted()
            return values.isEmpty ? 0 : values[values.count / 2]
        }
        func flat(_ what: String, allowance: Double, _ value: (ProcessFigures) -> Int) {
            let (early, late) = (median(0.3...0.5, value), median(0.8...1, value))
            if late > early * 1.1 + allowance { fail("\(what) grew from \(early.text(0)) to \(late.text(0))") }
        }
        flat("memory", allowance: 4e6) { $0.memory }
        flat("threads", allowance: 2) { $0.threads }
        flat("file descriptors", allowance: 16) { $0.descriptors }
    }
}
