import ArgumentParser
import Foundation
import Replay

extension Trace {
    /// Reads a trace from a path given by a person. The trace is named after its file, without the extension.
    ///
    /// - Parameter path: a file, or - for standard input.
    package init(file path: String) throws {
        let name = path == "-" ? "standard input" : URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        guard let file = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path) else {
            throw CommandFailure("cannot read the trace \(path)")
        }
        do {
            self = try Trace(try file.readToEnd() ?? Data(), name: name)
        } catch {
            throw CommandFailure("\(path): \(error)")
        }
    }
}

extension Replay.Player {
    /// Returns the players named by `--policy`, or all players if there are no names.
    package static func named(_ policies: [String]) throws -> [Replay.Player] {
        if policies.isEmpty { return all }
        return try policies.map { name in
            guard let player = Replay.Player(name) else {
                throw ValidationError(
                    "--policy must be one of \(all.map(\.description).joined(separator: ", ")), not \(name)")
            }
            return player
        }
    }
}
