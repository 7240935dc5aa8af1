import Foundation
import TestSupport

/// A shell command that has ended. The programs under test are on its search path.
struct Command {
    let status: Int32
    let output: String
    let errors: String

    init(_ text: String, environment: [String: String] = [:], input: [UInt8] = []) async throws {
        let programs = URL(fileURLWithPath: LookaheadProcess.executable).deletingLastPathComponent().path
        let path = "\(programs):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
        let child = try Child(
            "/bin/bash", ["-c", text], environment: environment.merging(["PATH": path]) { $1 }, input: input)
        output = await child.output()
        status = child.wait()
        errors = child.standardError()
    }
}
