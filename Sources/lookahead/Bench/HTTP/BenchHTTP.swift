import ArgumentParser
import Foundation
import JSON

/// Viewport updates: what they cost, how long they take, and how long while thousands of streams receive a burst.
struct BenchHTTP: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "http",
        abstract: "Measure viewport updates: JSON, routing, session and model, at ten million items.",
        discussion: """
            Pages scroll at 3,000 px/s through a gallery of ten million items, each with its event stream open. \
            --beside is another server, measured by the same clients in the same run: it is given a file of the plans \
            that Lookahead answered, one a line, says "Listening on http://127.0.0.1:PORT", and answers \
            POST /api/v1/sessions/ID/viewport with one of them.
            """)

    @Option(help: "text or json.") var format = BenchFormat.text
    @Option(help: "Pages that scroll (1 to 1000).") var pages = 64
    @Option(help: "Streams that receive a burst, 0 to leave it out (0 to 10000).") var streams = 5_000
    @Option(help: "Seconds of each measurement (1 to 600).") var seconds = 5
    @Option(help: "Rounds, of which the median counts (1 to 20).") var rounds = 1
    @Option(help: "Executable of another server to measure in the same run, in turns.") var beside: String?

    func validate() throws {
        func check(_ value: Int, _ flag: String, _ range: ClosedRange<Int>) throws {
            guard range.contains(value) else {
                throw ValidationError("--\(flag) must be from \(range.lowerBound) to \(range.upperBound), not \(value)")
            }
        }
        try check(pages, "pages", 1...1000)
        try check(streams, "streams", 0...10_000)
        try check(seconds, "seconds", 1...600)
        try check(rounds, "rounds", 1...20)
    }

    /// One server's figures: at its highest rate, at half of Lookahead's, and during bursts.
    private struct Measured {
        var full = UpdateLoad.Figures()
        var half = UpdateLoad.Figures()
        var burst: BurstLoad.Figures?
    }

    func run() throws {
        let plans = FileManager.default.temporaryDirectory.appendingPathComponent("lookahead-plans-\(getpid())")
        defer { try? FileManager.default.removeItem(at: plans) }
        var (own, peer): ([Measured], [Measured]) = ([], [])
        for _ in 0..<rounds {
            own.append(try measureOwn(plans))
            guard let beside, let half = own.last?.half.rate else { continue }
            peer.append(try measurePeer([beside, plans.path], half: half))
        }
        let rows = Self.rows(own: own, peer: peer)
        print(format == .json ? Self.json(rows) : Self.text(rows, hasPeer: !peer.isEmpty))
    }

    private func measureOwn(_ plans: URL) throws -> Measured {
        let server = try BenchServer.own(["bench", "gallery-server"])
        defer { server.stop() }
        let loop = LoadLoop()
        let viewport = "\"viewport\":{\"width\":1200,\"height\":900,\"scrollTop\":1000000}"
        let sessions = try UpdateLoad.open(loop, server, count: pages, gallery: "wide", body: viewport)
        let listeners = try sessions.map {
            try LoadEvents(loop, port: server.port, path: "/api/v1/sessions/\($0)/events")
        }
        let load = try UpdateLoad(loop, server, sessions: sessions)
        _ = load.saturate(seconds: 1)
        var measured = Measured()
        measured.full = load.saturate(seconds: Double(seconds))
        measured.half = load.pace(rate: measured.full.rate / 2, seconds: Double(seconds))
        try Data(load.plans.joined(separator: [10])).write(to: plans)
        if streams > 0 {
            let burst = try BurstLoad(loop, server, streams: streams)
            measured.burst = try burst.measure(load, rate: measured.half.rate, bursts: seconds)
        }
        for listener in listeners { listener.leave() }
        for figures in [measured.full, measured.half] where figures.status.keys.contains(where: { $0 != 200 }) {
            throw Running.Failure("not every update was taken: \(figures.status)")
        }
        return measured
    }

    private func measurePeer(_ command: [String], half: Double) throws -> Measured {
        let server = try BenchServer(command)
        defer { server.stop() }
        let loop = LoadLoop()
        let load = try UpdateLoad(loop, server, sessions: (0..<pages).map { "page\($0)" })
        _ = load.saturate(seconds: 1)
        var measured = Measured()
        measured.full = load.saturate(seconds: Double(seconds))
        measured.half = load.pace(rate: min(half, measured.full.rate / 2), seconds: Double(seconds))
        return measured
    }

    private struct Row {
        var name: String
        var title: String
        var decimals: Int
        var own: Double
        var peer: Double?
    }

    private static func rows(own: [Measured], peer: [Measured]) -> [Row] {
        func row(_ name: String, _ title: String, _ decimals: Int, _ value: (Measured) -> Double) -> Row {
            Row(
                name: name, title: title, decimals: decimals, own: own.map(value).median,
                peer: peer.isEmpty ? nil : peer.map(value).median)
        }
        var rows = [
            row("answering", "µs of CPU an update: JSON, routing, session, model", 1) {
                // A server without such a thread does all there is in all of its threads.
                $0.full.answering > 0 ? $0.full.answering : $0.full.cpu
            },
            row("cpu", "µs with the pool, and looking up and downloading what it asks for", 1) { $0.full.cpu },
            row("rate", "updates a second, at most", 0) { $0.full.rate },
            row("halfRate", "updates a second, then", 0) { $0.half.rate },
            row("halfP50", "ms to the answer, median", 3) { $0.half.p50 },
            row("halfP99", "ms to the answer, 99 %", 3) { $0.half.p99 },
        ]
        func burst(_ name: String, _ title: String, _ decimals: Int, _ value: (BurstLoad.Figures) -> Double) {
            let values = own.compactMap(\.burst).map(value)
            if !values.isEmpty {
                rows.append(Row(name: name, title: title, decimals: decimals, own: values.median, peer: nil))
            }
        }
        burst("burstStreams", "streams that receive bursts", 0) { Double($0.streams) }
        burst("burstTime", "ms until a burst reached all", 0) { $0.milliseconds }
        burst("burstP50", "ms to the answer meanwhile, median", 3) { $0.p50 }
        burst("burstP99", "ms to the answer meanwhile, 99 %", 3) { $0.p99 }
        return rows
    }

    private static func text(_ rows: [Row], hasPeer: Bool) -> String {
        var table = TextTable(["", "Lookahead"] + (hasPeer ? ["beside", "ratio"] : []))
        for row in rows {
            let others = row.peer.map { [$0.text(row.decimals), (row.own / $0).text(2)] } ?? []
            table.add([row.title, row.own.text(row.decimals)] + others)
        }
        return table.text
    }

    private static func json(_ rows: [Row]) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("lookahead") { $0.object { for row in rows { $0.member(row.name, row.own) } } }
            guard rows.contains(where: { $0.peer != nil }) else { return }
            writer.member("beside") {
                $0.object { for row in rows { if let peer = row.peer { $0.member(row.name, peer) } } }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
