import ArgumentParser
import Foundation
import Replay

extension Trace {
    /// Reads a trace that a person names. The trace has the name of its file, without the ending.
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
    /// The players of `--policy`; without any, all of them.
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
