import Foundation
import JSON

/// The product, run as people run it: `lookahead demo` or `lookahead serve` on a port of its own.
package final class LookaheadProcess {
    package private(set) var port: UInt16
    package private(set) var child: Child
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
        let marks = arguments.first == "demo" && !isForPeople ? ["--mark-pictures"] : []
        self.environment = environment
        self.arguments = arguments + marks + ["--cache-directory", cache.path]
        child = try Child(Self.executable, self.arguments + ["--port", "0"], environment: environment, input: input)
        port = try await child.port(after: "Listening on")
    }

    /// The executable, which the package manager puts beside the tests.
    package static var executable: String {
        let tests =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("lookahead").path
    }

    package var address: String { "http://127.0.0.1:\(port)/" }

    /// - Returns: the exit status.
    @discardableResult
    package func stop() -> Int32 { child.stop() }

    package func kill() { child.kill() }

    /// Starts it again where it was, as a supervisor would.
    ///
    /// Somebody's outgoing connection may stand on the port for a moment: it then tries again.
    ///
    /// - Parameter other: the subcommand and what it is given, where they are to be others this time.
    package func restart(as other: [String]? = nil, attempts: Int = 20) async throws {
        let arguments = other.map { $0 + ["--cache-directory", cache.path] } ?? arguments
        child = try Child(Self.executable, arguments + ["--port", "\(port)"], environment: environment)
        do {
            port = try await child.port(after: "Listening on")
        } catch {
            child.stop()
            guard attempts > 1 else { throw error }
            try await restart(as: other, attempts: attempts - 1)
        }
    }
}
