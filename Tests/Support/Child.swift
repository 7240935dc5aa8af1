import Foundation

/// A process that a test started and stops.
package final class Child: Sendable {
    private let process: Process
    /// The lines of its standard output, as they come.
    private let lines: AsyncStream<String>

    package init(_ executable: String, _ arguments: [String], environment: [String: String] = [:], input: [UInt8] = [])
        throws
    {
        process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
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
