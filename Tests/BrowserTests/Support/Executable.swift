import Foundation
import TestSupport

/// Where programs are, as a shell would find them.
enum Executable {
    static func find(_ name: String) throws -> String {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(
            separator: ":")
        for folder in folders where FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)") {
            return "\(folder)/\(name)"
        }
        throw TestClient.Failure(what: "\(name) is not on the PATH")
    }
}
