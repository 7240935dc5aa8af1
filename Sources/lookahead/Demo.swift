import ArgumentParser
import Catalog
import Demo
import Terminal

struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve a gallery of painted pictures from an origin that is slow on purpose.",
        discussion: """
            The origin runs in this process on its own port and answers over real HTTP. You can change its latency, \
            bandwidth and failure rate while it runs: on the page, or with PATCH /api/v1/demo/origin.

            Examples:
              lookahead demo
              lookahead demo --items 10000000 --latency 150 --bandwidth 10 --failure-rate 0.02
              lookahead demo --port 0
            """)

    @OptionGroup(title: "Painted pictures and their origin") var painted: PaintedOptions

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try Installation.prepareDescriptors()
        // No cache folder, so that every demo begins with nothing downloaded.
        var settings = try options.settings(defaultCache: nil)
        let conditions = DemoOrigin.Conditions(
            latency: painted.origin.latency, jitter: painted.origin.jitter, bandwidth: painted.origin.bandwidth,
            failureRate: painted.failureRate)
        var configuration = DemoOrigin.Configuration()
        configuration.marksPictures = painted.markPictures
        let origin = DemoOrigin(configuration, conditions: conditions)
        let port = try origin.start()
        settings.allowedOrigins.append("127.0.0.1:\(port)")
        let server = try Running.server(settings, origin: origin)
        try server.galleries.add(
            DemoCatalog(itemCount: painted.items, origin: "http://127.0.0.1:\(port)"), id: "demo")
        try await Running.serve(server, opensBrowser: options.opensBrowser) { await origin.stop() }
    }
}
