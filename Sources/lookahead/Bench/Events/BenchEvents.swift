import ArgumentParser
import JSON

/// Event streams by the thousand: memory, CPU, delivery, and how soon a leaver is noticed.
struct BenchEvents: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "Measure thousands of event streams at once.",
        discussion: """
            The server is a process of its own, and so is each of --beside: another server that answers the same, \
            measured by the same clients in the same run. It says "Listening on http://127.0.0.1:PORT", sends events at \
            GET /events, tells how many streams are open at GET /count, and sends one event to all at \
            POST /broadcast?bytes=N and one a second to each at POST /pace?bytes=N&seconds=N, the data of each beginning \
            with T and the monotonic clock in nanoseconds.
            """)

    @Option(help: "text or json.") var format = BenchFormat.text
    @Option(help: "Streams open at once (1 to 50000).") var streams = 10_000
    @Option(help: "Bytes of an event (64 to 1000000).") var bytes = 10_000
    @Option(help: "Seconds of one event a second to each stream (1 to 600).") var seconds = 10
    @Option(help: "Rounds, of which the median counts (1 to 20).") var rounds = 1
    @Option(help: "Executable of another server to measure in the same run, in turns.") var beside: String?

    func validate() throws {
        func check(_ value: Int, _ flag: String, _ range: ClosedRange<Int>) throws {
            guard range.contains(value) else {
                throw ValidationError("--\(flag) must be from \(range.lowerBound) to \(range.upperBound), not \(value)")
            }
        }
        try check(streams, "streams", 1...50_000)
        try check(bytes, "bytes", 64...1_000_000)
        try check(seconds, "seconds", 1...600)
        try check(rounds, "rounds", 1...20)
    }

    func run() throws {
        var load = EventLoad()
        (load.streams, load.bytes, load.seconds) = (streams, bytes, seconds)
        var (own, peer): ([EventLoad.Figures], [EventLoad.Figures]) = ([], [])
        for _ in 0..<rounds {
            own.append(try Self.measure(try BenchServer.own(["bench", "event-server"]), load))
            if let beside { peer.append(try Self.measure(try BenchServer([beside]), load)) }
        }
        let rows = Self.rows.map { row in
            (row, own.map(row.value).median, peer.isEmpty ? nil : peer.map(row.value).median)
        }
        print(format == .json ? Self.json(rows) : Self.text(rows))
        guard own.allSatisfy({ $0.status == 0 && $0.lost == 0 }) else {
            throw Running.Failure("events were lost, or the server did not end well")
        }
    }

    private static func measure(_ server: BenchServer, _ load: EventLoad) throws -> EventLoad.Figures {
        defer { server.stop() }
        return try load.measure(server)
    }

    struct Row: Sendable {
        var name: String
        var title: String
        var decimals: Int
        var value: @Sendable (EventLoad.Figures) -> Double
    }

    static let rows = [
        Row(name: "streams", title: "streams", decimals: 0) { Double($0.streams) },
        Row(name: "threads", title: "threads", decimals: 0) { Double($0.threads) },
        Row(name: "memory", title: "kB a stream", decimals: 2) { $0.memory / 1000 },
        Row(name: "memoryAfter", title: "kB a stream, after all events", decimals: 2) { $0.memoryAfter / 1000 },
        Row(name: "connect", title: "s to open them all", decimals: 2) { $0.connectSeconds },
        Row(name: "idle", title: "% of a core, idle", decimals: 1) { 100 * $0.idle },
        Row(name: "paced", title: "% of a core, an event a second each", decimals: 1) { 100 * $0.pacedCPU },
        Row(name: "p50", title: "ms of delivery, median", decimals: 3) { $0.pacedP50 },
        Row(name: "p99", title: "ms of delivery, 99 %", decimals: 3) { $0.pacedP99 },
        Row(name: "lost", title: "events lost", decimals: 0) { Double($0.lost) },
        Row(name: "broadcast", title: "ms until a broadcast reached all", decimals: 0) { $0.broadcast },
        Row(name: "broadcastCPU", title: "ms of CPU a broadcast", decimals: 0) { 1000 * $0.broadcastCPU },
        Row(name: "leaver", title: "ms until a leaver is noticed", decimals: 1) { $0.leaver },
        Row(name: "stop", title: "s from SIGTERM to the end", decimals: 2) { $0.stopSeconds },
    ]

    private static func text(_ rows: [(Row, Double, Double?)]) -> String {
        var table = TextTable(["", "Lookahead"] + (rows.first?.2 == nil ? [] : ["beside", "ratio"]))
        for (row, own, peer) in rows {
            let others = peer.map { [$0.text(row.decimals), (own / $0).text(2)] } ?? []
            table.add([row.title, own.text(row.decimals)] + others)
        }
        return table.text
    }

    private static func json(_ rows: [(Row, Double, Double?)]) -> String {
        var writer = JSONWriter()
        func write(_ name: String, _ value: ((Row, Double, Double?)) -> Double?, _ writer: inout JSONWriter) {
            writer.member(name) { $0.object { for row in rows { $0.member(row.0.name, value(row) ?? .nan) } } }
        }
        writer.object {
            write("lookahead", { $0.1 }, &$0)
            if rows.first?.2 != nil { write("beside", { $0.2 }, &$0) }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
