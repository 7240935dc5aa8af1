import Foundation
import Glibc
import Media
import Terminal

/// A server that is measured: a process of its own, which says `Listening on http://…:PORT` when it is ready.
final class BenchServer {
    let port: UInt16
    /// The started process.
    let name: String
    private let process = Process()
    private let input = Pipe()
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameter command: the executable's path and its arguments.
    init(_ command: [String]) throws {
        guard let executable = command.first else { throw CommandFailure("there is no server to start") }
        name = command.joined(separator: " ")
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = Array(command.dropFirst())
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        process.terminationHandler = { [ended] _ in ended.signal() }
        try process.run()
        var line = Data()
        while !line.contains(10) {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { throw CommandFailure("\(executable) ended before it was ready") }
            line += more
        }
        let text = String(decoding: line, as: UTF8.self).prefix { !$0.isNewline }
        guard let port = UInt16(text.reversed().prefix { $0.isNumber }.reversed().map(String.init).joined()) else {
            throw CommandFailure("\(executable) said: \(text)")
        }
        self.port = port
    }

    /// This executable with other arguments.
    static func own(_ arguments: [String]) throws -> BenchServer {
        try BenchServer([try Installation.executable()] + arguments)
    }

    /// The executable `lookahead` with these arguments: `LOOKAHEAD_BINARY`, or the one beside this.
    static func lookahead(_ arguments: [String]) throws -> BenchServer {
        let own = URL(fileURLWithPath: try Installation.executable())
        let named = ProcessInfo.processInfo.environment["LOOKAHEAD_BINARY"]
        return try BenchServer(
            [named ?? own.deletingLastPathComponent().appendingPathComponent("lookahead").path] + arguments)
    }

    /// Writes a line to its standard input.
    func tell(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
    }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    var isRunning: Bool { process.isRunning }

    /// Exit status once it has ended; -n after signal n.
    func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    /// Asks it to stop. One that does not within ten seconds is killed, and said to be.
    func stop() {
        guard process.isRunning else { return }
        signal(SIGTERM)
        if ended.wait(timeout: .now() + 10) == .timedOut {
            FileHandle.standardError.write(Data("The server did not stop within 10 s and is killed.\n".utf8))
            signal(SIGKILL)
        }
        process.waitUntilExit()
    }

    /// CPU seconds so far of one of its threads.
    func cpu(ofThread name: String) -> Double {
        ProcessFigures.seconds(ofThread: name, in: process.processIdentifier)
    }

    /// The processes that it has started and that are alive.
    var children: [Int32] { ProcessFigures.children(of: process.processIdentifier) }

    var figures: ProcessFigures { ProcessFigures(process.processIdentifier) }
}
