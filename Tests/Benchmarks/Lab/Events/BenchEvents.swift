import ArgumentParser
import Gallery
import Terminal

/// Event streams by the thousand: memory, CPU, delivery, and how soon a leaver is noticed.
struct BenchEvents: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "Measure thousands of event streams at once.",
        discussion: """
            The server runs in its own process. --peer is another server, measured by the same clients in the same \
            run. It must print "Listening on http://127.0.0.1:PORT" and answer:
              GET /events                     an event stream
              GET /count                      the number of open streams
              POST /broadcast?bytes=N         sends one event to all streams
              POST /pace?bytes=N&seconds=N    sends each stream one event a second
            The data of each event begins with T and the monotonic clock in nanoseconds.
            """)

    @Option(BoundedNumber("streams", "Streams open at once", unit: "streams", default: 10_000, in: 1...50_000))
    var streams: Int
    @Option(BoundedNumber("bytes", "Size of an event", unit: "bytes", default: 10_000, in: 64...1_000_000)) var bytes:
        Int
    @Option(
        BoundedNumber(
            "seconds", "Time during which each stream gets an event a second", unit: "seconds", default: 10, in: 1...600
        ))
    var seconds: Int
    @OptionGroup var comparison: ComparisonOptions

    func run() throws {
        var load = EventLoad()
        (load.streams, load.bytes, load.seconds) = (streams, bytes, seconds)
        let progress = ProgressReport("Measuring event streams", unit: "steps")
        let steps = EventLoad.steps * comparison.rounds * (comparison.peer == nil ? 1 : 2)
        func measure(_ server: BenchServer) throws -> EventLoad.Figures {
            defer { server.stop() }
            return try load.measure(server) { progress.advance(of: steps) }
        }
        var (own, peer): ([EventLoad.Figures], [EventLoad.Figures]) = ([], [])
        for _ in 0..<comparison.rounds {
            own.append(try measure(try BenchServer.own(["event-server"])))
            if let other = comparison.peer { peer.append(try measure(try BenchServer([other]))) }
        }
        progress.end()
        print(Self.comparison(own, peer).text(comparison.format))
        guard own.allSatisfy({ $0.status == 0 && $0.lost == 0 }) else {
            throw CommandFailure("events were lost, or the server did not stop cleanly")
        }
    }

    private static func comparison(_ own: [EventLoad.Figures], _ peer: [EventLoad.Figures]) -> Comparison {
        var rows = Comparison()
        func add(_ name: String, _ title: String, _ decimals: Int, _ value: (EventLoad.Figures) -> Double) {
            rows.add(name, title, decimals: decimals, own: own.map(value), peer: peer.map(value))
        }
        add("streams", "streams", 0) { Double($0.streams) }
        add("threads", "threads", 0) { Double($0.threads) }
        add("memory", "kB a stream", 2) { $0.memory / 1000 }
        add("memoryAfter", "kB a stream, after all events", 2) { $0.memoryAfter / 1000 }
        add("connect", "s to open them all", 2) { $0.connectSeconds }
        add("idle", "% of a core, idle", 1) { 100 * $0.idle }
        add("paced", "% of a core, an event a second each", 1) { 100 * $0.pacedCPU }
        add("p50", "ms of delivery, median", 3) { $0.pacedP50 }
        add("p99", "ms of delivery, 99%", 3) { $0.pacedP99 }
        add("lost", "events lost", 0) { Double($0.lost) }
        add("broadcast", "ms until a broadcast reached all", 0) { $0.broadcast }
        add("broadcastCPU", "ms of CPU a broadcast", 0) { 1000 * $0.broadcastCPU }
        add("leaver", "ms until a leaver is noticed", 1) { $0.leaver }
        add("stop", "s from SIGTERM to the end", 2) { $0.stopSeconds }
        return rows
    }
}
