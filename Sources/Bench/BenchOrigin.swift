import ArgumentParser
import Catalog
import Demo
import Foundation
import Glibc
import Terminal

/// The origin of a benchmark, a process of its own so that its cost is not counted. Ends with its standard input.
struct BenchOrigin: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "origin", abstract: "Serve painted pictures until standard input ends.", shouldDisplay: false)

    @OptionGroup var options: LatencyOptions

    func run() async throws {
        let origin = DemoOrigin(
            conditions: DemoOrigin.Conditions(latency: options.latency, jitter: options.jitter, bandwidth: nil))
        let port = try origin.start()
        print("Listening on http://127.0.0.1:\(port)")
        fflush(nil)
        await Task.detached { _ = try? FileHandle.standardInput.readToEnd() }.value
        await origin.stop()
    }
}
