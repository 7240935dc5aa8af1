import ArgumentParser
import Foundation
import Gallery
import Terminal

/// Viewport updates: what they cost, how long they take, and how long while thousands of streams receive a burst.
struct BenchHTTP: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "http",
        abstract: "Measure viewport updates with ten million items: JSON, routing, session and model.",
        discussion: """
            Pages scroll at 3,000 px/s through a gallery of ten million items, each with an open event stream. With \
            --beside, other clients keep opening sessions in every layout, resizing, changing layouts, listing items \
            and opening streams; the result is the distribution of the scrolling pages' update times.

            --peer is another server, measured by the same clients in the same run. Its argument is a file of plans \
            that Lookahead answered, one a line. It must print "Listening on http://127.0.0.1:PORT" and answer \
            POST /api/v1/sessions/ID/viewport with one of the plans.
            """)

    @Option(BoundedNumber("pages", "Scrolling pages", unit: "pages", default: 64, in: 1...1000)) var pages: Int
    @Option(
        BoundedNumber(
            "streams", "Streams that receive a burst; 0 to skip it", unit: "streams", default: 5_000,
            in: 0...10_000))
    var streams: Int
    @Option(BoundedNumber("seconds", "How long each measurement takes", unit: "seconds", default: 5, in: 1...600))
    var seconds: Int
    @Option(
        BoundedNumber(
            "servers", "Servers that share the pages; bursts use one server", unit: "servers", default: 1,
            in: 1...16))
    var servers: Int
    @Option(help: "Redis server to share through.") var redis: String?
    @Flag(help: "Measure only updates, while other clients make slow requests.") var beside = false
    @OptionGroup var comparison: ComparisonOptions

    func validate() throws {
        guard servers <= pages else { throw ValidationError("--servers must be at most --pages") }
        if beside, comparison.peer != nil { throw ValidationError("give --beside or --peer, not both") }
    }

    /// One server's figures: at its highest rate, at half of Lookahead's, and during bursts.
    private struct Measured {
        var full = UpdateLoad.Figures()
        var half = UpdateLoad.Figures()
        var burst: BurstLoad.Figures?
    }

    func run() throws {
        if beside {
            let progress = ProgressReport("Measuring viewport updates beside others", unit: "steps")
            let load = try BesideLoad.measure(pages: pages, seconds: Double(seconds)) { progress.advance(of: 3) }
            progress.end()
            return print(load.text(comparison.format))
        }
        let plans = FileManager.default.temporaryDirectory.appendingPathComponent("lookahead-plans-\(getpid())")
        defer { try? FileManager.default.removeItem(at: plans) }
        var (own, peer): ([Measured], [Measured]) = ([], [])
        let progress = ProgressReport("Measuring viewport updates", unit: "steps")
        let steps = comparison.rounds * (2 + (streams > 0 ? 1 : 0) + (comparison.peer == nil ? 0 : 2))
        let onStep = { progress.advance(of: steps) }
        for _ in 0..<comparison.rounds {
            own.append(try measureOwn(plans, onStep))
            guard let other = comparison.peer, let half = own.last?.half.rate else { continue }
            peer.append(try measurePeer([other, plans.path], half: half, onStep))
        }
        progress.end()
        print(Self.comparison(own, peer).text(comparison.format))
    }

    private func measureOwn(_ plans: URL, _ onStep: () -> Void) throws -> Measured {
        let servers = try (0..<servers).map { number in
            try BenchServer.own(
                ["gallery-server"] + (redis.map { ["--redis", $0, "--node", "n\(number)"] } ?? []))
        }
        defer { for server in servers { server.stop() } }
        let loop = LoadLoop()
        let viewport = "\"viewport\":{\"width\":1200,\"height\":900,\"scrollTop\":1000000}"
        let sessions = try servers.enumerated().map { number, server in
            try UpdateLoad.open(
                loop, server, count: (pages + number) / servers.count, gallery: "wide", body: viewport)
        }
        let listeners = try zip(servers, sessions).flatMap { server, sessions in
            // As the page listens.
            try sessions.map {
                try LoadEvents(loop, port: server.port, path: "/api/v1/sessions/\($0)/events?except=plan")
            }
        }
        let load = try UpdateLoad(loop, Array(zip(servers, sessions)))
        _ = load.saturate(seconds: 1)
        var measured = Measured()
        measured.full = load.saturate(seconds: Double(seconds))
        onStep()
        measured.half = load.pace(rate: measured.full.rate / 2, seconds: Double(seconds))
        onStep()
        try Data(load.plans.joined(separator: [10])).write(to: plans)
        if streams > 0, servers.count == 1 {
            let burst = try BurstLoad(loop, servers[0], streams: streams)
            measured.burst = try burst.measure(load, rate: measured.half.rate, bursts: seconds)
            onStep()
        }
        for listener in listeners { listener.leave() }
        for figures in [measured.full, measured.half] where figures.status.keys.contains(where: { $0 != 200 }) {
            throw CommandFailure("some updates failed: \(figures.status)")
        }
        return measured
    }

    private func measurePeer(_ command: [String], half: Double, _ onStep: () -> Void) throws -> Measured {
        let server = try BenchServer(command)
        defer { server.stop() }
        let loop = LoadLoop()
        let load = try UpdateLoad(loop, server, sessions: (0..<pages).map { "page\($0)" })
        _ = load.saturate(seconds: 1)
        var measured = Measured()
        measured.full = load.saturate(seconds: Double(seconds))
        onStep()
        measured.half = load.pace(rate: min(half, measured.full.rate / 2), seconds: Double(seconds))
        onStep()
        return measured
    }

    private static func comparison(_ own: [Measured], _ peer: [Measured]) -> Comparison {
        var rows = Comparison()
        func add(_ name: String, _ title: String, _ decimals: Int, _ value: (Measured) -> Double) {
            rows.add(name, title, decimals: decimals, own: own.map(value), peer: peer.map(value))
        }
        add("answering", "µs of CPU an update: JSON, routing, session, model", 1) {
            // A server without such a thread does all there is in all of its threads.
            $0.full.answering > 0 ? $0.full.answering : $0.full.cpu
        }
        add("cpu", "µs with the pool, and looking up and downloading what it asks for", 1) { $0.full.cpu }
        add("rate", "updates a second, at most", 0) { $0.full.rate }
        add("halfRate", "updates a second, then", 0) { $0.half.rate }
        add("halfCPU", "µs with the pool, then", 1) { $0.half.cpu }
        add("halfP50", "ms to the answer, median", 3) { $0.half.p50 }
        add("halfP99", "ms to the answer, 99%", 3) { $0.half.p99 }
        let bursts = own.compactMap(\.burst)
        func burst(_ name: String, _ title: String, _ decimals: Int, _ value: (BurstLoad.Figures) -> Double) {
            if !bursts.isEmpty { rows.add(name, title, decimals: decimals, own: bursts.map(value)) }
        }
        burst("burstStreams", "streams that receive bursts", 0) { Double($0.streams) }
        burst("burstTime", "ms until a burst reached all", 0) { $0.milliseconds }
        burst("burstP50", "ms to the answer meanwhile, median", 3) { $0.p50 }
        burst("burstP99", "ms to the answer meanwhile, 99%", 3) { $0.p99 }
        return rows
    }
}
