import ArgumentParser
import Catalog
import Gallery

struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve a gallery of painted pictures, downloaded from an origin that is slow on purpose.",
        discussion: """
            The origin runs inside this process, on a port of its own, and answers over real HTTP. Its latency, \
            bandwidth and failures can be changed while it runs, on the page or by PATCH /api/v1/demo/origin.
            """)

    @Option(help: "Pictures in the gallery (1 to \(DemoCatalog.maxItems)).")
    var items = 100_000

    @Option(help: "Median time to the first byte, in ms (0 to 60000).")
    var latency = 80.0

    @Option(help: "Spread of the latency: sigma of a log-normal factor (0 to 3).")
    var jitter = 0.35

    @Option(help: "Bandwidth of the origin, shared by all downloads, in Mbit/s (0.01 to 100000).")
    var bandwidth = 25.0

    @Option(help: "Share of the pictures that fail (0 to 1).")
    var failureRate = 0.0

    @OptionGroup var options: ServerOptions

    func validate() throws {
        func check<Value: Comparable>(_ value: Value, _ flag: String, in range: ClosedRange<Value>) throws {
            guard range.contains(value) else {
                throw ValidationError("--\(flag) must be from \(range.lowerBound) to \(range.upperBound), not \(value)")
            }
        }
        try check(items, "items", in: 1...DemoCatalog.maxItems)
        try check(latency, "latency", in: 0...60_000)
        try check(jitter, "jitter", in: 0...3)
        try check(bandwidth, "bandwidth", in: 0.01...100_000)
        try check(failureRate, "failure-rate", in: 0...1)
    }

    func run() async throws {
        // In memory, so that every demo begins with nothing downloaded.
        var effective = try options.effective(defaultCache: "none")
        if options.printSettings { return Running.printSettings(effective) }
        let origin = DemoOrigin(
            conditions: DemoOrigin.Conditions(
                latency: latency, jitter: jitter, bandwidth: bandwidth, failureRate: failureRate))
        let port = try origin.start()
        effective.settings.allowedOrigins.append("127.0.0.1:\(port)")
        let server = try Running.server(effective, demo: origin)
        try server.galleries.add(
            DemoCatalog(itemCount: items, origin: "http://127.0.0.1:\(port)"), id: "demo")
        try await Running.serve(server) { await origin.stop() }
    }
}
