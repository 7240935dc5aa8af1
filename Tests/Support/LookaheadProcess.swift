import Foundation
import Synchronization

/// The product, run as users run it: `lookahead demo` or `lookahead serve` on its own port, which stays reserved while the
/// server is down.
package final class LookaheadProcess: Sendable {
    private let running: Mutex<Child>
    private let place: HeldPort
    private let arguments: [String]
    private let environment: [String: String]
    private let cache: TemporaryFolder

    /// Whether the demo's pictures are for screenshots. Other runs mark the pictures with machine-readable numbers.
    private static let isForPeople = ProcessInfo.processInfo.environment["LOOKAHEAD_SCREENSHOTS"] != nil

    /// - Parameters:
    ///   - arguments: the subcommand and its arguments. Port and cache folder are added.
    ///   - isForPeople: whether the demo's pictures are without the numbers for tests.
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

    /// The process that runs now or ran last.
    package var child: Child { running.withLock { $0 } }

    /// The executable, which the package manager puts beside the tests.
    package static var executable: String { beside("lookahead") }

    /// The executable of the load tests.
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

    /// Starts the server again on the same port, as a supervisor would.
    ///
    /// - Parameter other: the subcommand and its arguments, if they are to differ this time.
    package func restart(as other: [String]? = nil) async throws {
        let arguments = other.map { $0 + ["--cache-directory", cache.path] } ?? arguments
        let child = try Child(Self.executable, arguments + ["--port", "\(port)"], environment: environment)
        running.withLock { $0 = child }
        StartedServers.current?.add(child)
        _ = try await child.port(after: "Listening on")
    }
}

/// The servers that a test has started, so that their output can be reported.
package final class StartedServers: Sendable {
    /// The servers of the current test. `nil` if no test collects them.
    @TaskLocal package static var current: StartedServers?

    private let children = Mutex<[Child]>([])

    package init() {}

    package func add(_ child: Child) { children.withLock { $0.append(child) } }

    /// Stops all servers.
    ///
    /// - Returns: the last lines of each server's standard error, after the server's process.
    package func stop(lines: Int = 30) -> String {
        children.withLock { $0 }.map { child in
            // A halted process receives no other signal.
            child.signal(SIGCONT)
            child.stop()
            let said = child.standardError().split(separator: "\n").suffix(lines).joined(separator: "\n")
            return "standard error of server \(child.processIdentifier):\n\(said.isEmpty ? "nothing" : said)"
        }.joined(separator: "\n")
    }
}
