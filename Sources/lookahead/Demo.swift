import ArgumentParser
import Catalog
import Demo
import Gallery
import Terminal

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

    @OptionGroup(title: "The painted pictures, and the origin that they come from") var painted: PaintedOptions

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try Installation.prepareDescriptors()
        // In memory, so that every demo begins with nothing downloaded.
        var effective = try options.effective(defaultCache: nil)
        if options.printSettings { return Running.printSettings(effective) }
        let conditions = DemoOrigin.Conditions(
            latency: painted.origin.latency, jitter: painted.origin.jitter, bandwidth: painted.origin.bandwidth,
            failureRate: painted.failureRate)
        var configuration = DemoOrigin.Configuration()
        configuration.marksPictures = painted.markPictures
        let origin = DemoOrigin(configuration, conditions: conditions)
        let port = try origin.start()
        effective.settings.allowedOrigins.append("127.0.0.1:\(port)")
        let server = try Running.server(effective, origin: origin)
        try server.galleries.add(
            DemoCatalog(itemCount: painted.items, origin: "http://127.0.0.1:\(port)"), id: "demo")
        try await Running.serve(server, opensBrowser: options.opensBrowser) { await origin.stop() }
    }
}
