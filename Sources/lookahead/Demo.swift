import ArgumentParser
import Catalog
import Gallery

struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve a gallery of painted pictures, downloaded from an origin that is slow on purpose.",
        discussion: """
            The origin runs inside this process, on a port of its own, and answers over real HTTP. Its latency, \
            bandwidth and failures can be changed while it runs, on the page or by PATCH /api/v1/demo/origin.

            Examples:
              lookahead demo
              lookahead demo --items 10000000 --latency 150 --bandwidth 10 --failure-rate 0.02
              lookahead demo --port 0
            """)

    @Option(
        Setting("items", "Pictures in the gallery", unit: "pictures", default: 100_000, in: 1...DemoCatalog.maxItems))
    var items: Int

    @OptionGroup(title: "The demo's own origin") var origin: OriginOptions

    @Option(
        Setting(
            "failure-rate", "Share of the pictures that fail", unit: "a share", default: 0.0,
            in: DemoOrigin.Conditions.failureRateBounds))
    var failureRate: Double

    @OptionGroup var options: ServerOptions

    func run() async throws {
        // In memory, so that every demo begins with nothing downloaded.
        var effective = try options.effective(defaultCache: "none")
        if options.printSettings { return Running.printSettings(effective) }
        let conditions = DemoOrigin.Conditions(
            latency: origin.latency, jitter: origin.jitter, bandwidth: origin.bandwidth,
            failureRate: failureRate)
        let origin = DemoOrigin(conditions: conditions)
        let port = try origin.start()
        effective.settings.allowedOrigins.append("127.0.0.1:\(port)")
        let server = try Running.server(effective, demo: origin)
        try server.galleries.add(
            DemoCatalog(itemCount: items, origin: "http://127.0.0.1:\(port)"), id: "demo")
        try await Running.serve(server) { await origin.stop() }
    }
}
