import Foundation
import Synchronization

/// The product, run as people run it: `lookahead demo` or `lookahead serve` on a port of its own, which stays its own
/// while it is down.
package final class LookaheadProcess: Sendable {
    private let running: Mutex<Child>
    private let place: HeldPort
    private let arguments: [String]
    private let environment: [String: String]
    private let cache: TemporaryFolder

    /// The pages that tests look at have pictures whose numbers a machine can read; those that people look at do not.
    private static let isForPeople = ProcessInfo.processInfo.environment["LOOKAHEAD_SCREENSHOTS"] != nil

    /// - Parameters:
    ///   - arguments: the subcommand and what it is given; port and cache folder are added.
    ///   - isForPeople: whether the demo's pictures are as people see them.
    package init(
        _ arguments: [String], environment: [String: String] = [:], input: [UInt8] = [],
        isForPeople: Bool = LookaheadProcess.isForPeople
    ) async throws {
        cache = try TemporaryFolder()
        place = try HeldPort()
        let marks = arguments.first == "demo" && !isForPeople ? ["--mark-pictures"] : []
        self.environment = environment
        self.arguments = arguments + marks + ["--cache-directory", cache.path]
        let child = try Child(
            Self.executable, self.arguments + ["--port", "\(place.number)"], environment: environment, input: input)
        running = Mutex(child)
        StartedServers.current?.add(child)
        _ = try await child.port(after: "Listening on")
    }

    package var port: UInt16 { place.number }

    /// The one that runs now, or ran last.
    package var child: Child { running.withLock { $0 } }

    /// The executable, which the package manager puts beside the tests.
    package static var executable: String { beside("lookahead") }

    /// The one that measures it under load.
    package static var lab: String { beside("lookahead-lab") }

    /// The folder of the page in the checkout.
    package static let publicDirectory = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Public").path

    private static func beside(_ name: String) -> String {
        let tests =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent(name).path
    }

    package var address: String { "http://127.0.0.1:\(port)/" }

    /// - Returns: the exit status.
    @discardableResult
    package func stop() -> Int32 { child.stop() }

    package func kill() { child.kill() }

    /// Starts it again where it was, as a supervisor would.
    ///
    /// - Parameter other: the subcommand and what it is given, where they are to be others this time.
    package func restart(as other: [String]? = nil) async throws {
        let arguments = other.map { $0 + ["--cache-directory", cache.path] } ?? arguments
        let child = try Child(Self.executable, arguments + ["--port", "\(port)"], environment: environment)
        running.withLock { $0 = child }
        StartedServers.current?.add(child)
        _ = try await child.port(after: "Listening on")
    }
}

/// The servers that a test has started, so that it can tell what they said.
package final class StartedServers: Sendable {
    /// Those of the test that runs; nil where nobody asks.
    @TaskLocal package static var current: StartedServers?

    private let children = Mutex<[Child]>([])

    package init() {}

    package func add(_ child: Child) { children.withLock { $0.append(child) } }

    /// Ends all of them.
    ///
    /// - Returns: the last lines that they wrote on standard error, those of each after its process.
    package func stop(lines: Int = 30) -> String {
        children.withLock { $0 }.map { child in
            // One that a test has halted hears nothing else.
            child.signal(SIGCONT)
            child.stop()
            let said = child.standardError().split(separator: "\n").suffix(lines).joined(separator: "\n")
            return "standard error of server \(child.processIdentifier):\n\(said.isEmpty ? "nothing" : said)"
        }.joined(separator: "\n")
    }
}
