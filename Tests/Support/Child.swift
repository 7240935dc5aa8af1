import Foundation
import Synchronization

/// A process that a test started and stops.
package final class Child: Sendable {
    private let process: Process
    /// The lines of its standard output, as they come.
    private let lines: AsyncStream<String>
    private let errors: OutputCollector

    package init(_ executable: String, _ arguments: [String], environment: [String: String] = [:], input: [UInt8] = [])
        throws
    {
        process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let output = Pipe()
        process.standardOutput = output
        let errorPipe = Pipe()
        process.standardError = errorPipe
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        lines = stream
        if input.isEmpty {
            process.standardInput = FileHandle.nullDevice
            try process.run()
        } else {
            let pipe = Pipe()
            process.standardInput = pipe
            try process.run()
            try pipe.fileHandleForWriting.write(contentsOf: Data(input))
            try pipe.fileHandleForWriting.close()
        }
        errors = OutputCollector(errorPipe.fileHandleForReading)
        let reader = output.fileHandleForReading
        Thread.detachNewThread {
            var pending: [UInt8] = []
            while case let bytes = reader.availableData, !bytes.isEmpty {
                pending += bytes
                while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                    continuation.yield(String(decoding: pending[..<end], as: UTF8.self))
                    pending.removeSubrange(...end)
                }
            }
            continuation.finish()
        }
    }

    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    package var processIdentifier: Int32 { process.processIdentifier }

    /// Waits for the first line that has `marker` in it, and gives the number at its end.
    package func port(after marker: String) async throws -> UInt16 {
        for await line in lines where line.contains(marker) {
            let digits = line.reversed().drop { !$0.isNumber }.prefix { $0.isNumber }
            if let port = UInt16(String(digits.reversed())) { return port }
        }
        throw Failure(description: "the process ended before it said '\(marker)'")
    }

    /// All the lines it writes on standard output from now on, until it ends.
    package func output() async -> String {
        var text = ""
        for await line in lines { text += line + "\n" }
        return text
    }

    /// All it wrote on standard error, once it and whoever it handed its standard error to have ended.
    package func standardError() -> String { errors.text() }

    /// Sends it a signal.
    package func signal(_ number: Int32) { Glibc.kill(process.processIdentifier, number) }

    /// Asks it to stop and waits until it has. Its exit status; -n after signal n.
    @discardableResult
    package func stop() -> Int32 {
        if process.isRunning { process.terminate() }
        return wait()
    }

    /// Stops it as a crash would.
    package func kill() {
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Waits until it has ended by itself.
    @discardableResult
    package func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }
}

/// Reads a pipe to its end, so that its writer never waits.
private final class OutputCollector: Sendable {
    /// Bytes kept; more is read and dropped.
    private static let limit = 1 << 20

    private let bytes = Mutex<[UInt8]>([])
    private let ended = DispatchGroup()

    init(_ handle: FileHandle) {
        ended.enter()
        Thread.detachNewThread { [self] in
            while case let data = handle.availableData, !data.isEmpty {
                bytes.withLock { if $0.count < Self.limit { $0 += data } }
            }
            ended.leave()
        }
    }

    func text() -> String {
        ended.wait()
        return String(decoding: bytes.withLock { $0 }, as: UTF8.self)
    }
}
