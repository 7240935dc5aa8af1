import ArgumentParser
import Catalog
import Demo
import Foundation
import Glibc
import Terminal

/// The origin of a benchmark, a process of its own so that its cost is not counted. Ends with its standard input.
struct BenchOrigin: AsyncParsableCommand {
    init() {}

    static let configuration = CommandConfiguration(
        commandName: "origin", abstract: "Serve painted pictures until standard input ends.", shouldDisplay: false)

    @OptionGroup var options: LatencyOptions
    @Option(help: "Mbit/s of all answers together.") var bandwidth: Double?
    @Option(help: "A file served as it is; may be repeated.") var file: [String] = []

    func run() async throws {
        var configuration = DemoOrigin.Configuration()
        configuration.files = try file.map { [UInt8](try Data(contentsOf: URL(fileURLWithPath: $0))) }
        let origin = DemoOrigin(
            configuration,
            conditions: DemoOrigin.Conditions(
                latency: options.latency, jitter: options.jitter, bandwidth: bandwidth))
        let port = try origin.start()
        print("Listening on http://127.0.0.1:\(port)")
        fflush(nil)
        await Task.detached { _ = try? FileHandle.standardInput.readToEnd() }.value
        await origin.stop()
    }
}
