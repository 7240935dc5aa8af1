import ArgumentParser
import Catalog
import Foundation
import Glibc

/// The origin of a benchmark, a process of its own so that its cost is not counted. Ends with its standard input.
struct BenchOrigin: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "origin", abstract: "Serve painted pictures until standard input ends.", shouldDisplay: false)

    @Option var latency = 80.0
    @Option var jitter = 0.35

    func run() async throws {
        let origin = DemoOrigin(
            conditions: DemoOrigin.Conditions(latency: latency, jitter: jitter, bandwidth: nil))
        let port = try origin.start()
        print("Listening on http://127.0.0.1:\(port)")
        fflush(nil)
        await Task.detached { _ = try? FileHandle.standardInput.readToEnd() }.value
        await origin.stop()
    }

    /// One that has been started.
    final class Child {
        let address: String
        private let process: Process
        private let input = Pipe()

        init(latency: Double, jitter: Double) throws {
            process = Process()
            process.executableURL = URL(fileURLWithPath: try Installation.executable())
            process.arguments = ["bench", "origin", "--latency", "\(latency)", "--jitter", "\(jitter)"]
            let output = Pipe()
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            var line = Data()
            while !line.contains(10) {
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { throw Running.Failure("the benchmark's origin did not start") }
                line += more
            }
            let text = String(decoding: line, as: UTF8.self)
            guard let place = text.range(of: "http://") else {
                throw Running.Failure("the benchmark's origin said: \(text)")
            }
            address = String(text[place.lowerBound...].prefix { !$0.isNewline })
        }

        func stop() {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
    }
}
