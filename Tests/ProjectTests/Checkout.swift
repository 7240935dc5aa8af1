import Foundation
import TestSupport

/// The folder of this package.
enum Checkout {
    static let path = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// The folder of this build's products and modules.
    static let products = URL(fileURLWithPath: LookaheadProcess.executable).deletingLastPathComponent().path

    static func text(_ file: String) throws -> String {
        try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
    }

    static func isFile(_ name: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder) && !isFolder.boolValue
    }

    /// Whether the shell would find a program of this name.
    static func isProgram(_ name: String) -> Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
            .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }

    /// Runs a command in the checkout to its end.
    static func run(
        _ command: String, environment: [String: String] = [:]
    ) async throws -> (status: Int32, output: String) {
        let child = try Child("/bin/bash", ["-c", "cd '\(path)' && \(command) 2>&1"], environment: environment)
        let output = await child.output()
        return (child.wait(), output)
    }
}
