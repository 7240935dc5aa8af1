import Foundation
import Glibc
import Synchronization

/// A process that a test started and stops.
///
/// Spawned by hand: Foundation's `Process` hands down the signal mask of the thread it runs on, and Dispatch's threads
/// block every signal, so that a child would never hear SIGTERM, nor a shell among its children SIGCHLD.
package final class Child: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    package let processIdentifier: pid_t
    /// The lines of its standard output, as they come.
    private let lines: AsyncStream<String>
    private let errors: OutputCollector
    /// How it ended, once it has been waited for.
    private let status = Mutex<Int32?>(nil)
    /// One child at a time is spawned: none inherits another's pipe between its making and its mark.
    private static let spawning = Mutex(())

    /// - Parameters:
    ///   - environment: set besides what this process has.
    ///   - input: its standard input, which then ends; nothing for `/dev/null`.
    package init(_ executable: String, _ arguments: [String], environment: [String: String] = [:], input: [UInt8] = [])
        throws
    {
        let (process, output, errorOutput, given) = try Self.spawning.withLock { _ in
            let output = try Self.pipe()
            let errorOutput = try Self.pipe()
            let given = input.isEmpty ? nil : try Self.pair()
            defer { for end in [output.theirs, errorOutput.theirs, given?.theirs].compactMap({ $0 }) { close(end) } }
            let process = try Spawn.start(
                executable, arguments, environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
                input: given?.theirs, output: output.theirs, errors: errorOutput.theirs)
            return (process, output.ours, errorOutput.ours, given?.ours)
        }
        processIdentifier = process
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        lines = stream
        let program = executable.split(separator: "/").last ?? "program"
        errors = OutputCollector(errorOutput, of: "\(process)-\(program)")
        if let given { Self.write(input, to: given) }
        Self.read(output, into: continuation)
    }

    /// Whoever was never waited for is still buried: what watches over exit tests spins for as long as anybody is not.
    deinit {
        guard status.withLock({ $0 == nil }) else { return }
        let process = processIdentifier
        Thread.detachNewThread {
            var raw: Int32 = 0
            while waitpid(process, &raw, 0) < 0, errno == EINTR {}
        }
    }

    /// Waits for the first line of its standard output that has `marker` in it.
    package func line(with marker: String) async throws -> String {
        var said: [String] = []
        for await line in lines {
            if line.contains(marker) { return line }
            said.append(line)
        }
        throw Failure(description: "the process ended before it said '\(marker)', but \(said): \(standardError())")
    }

    /// Waits for the first line that has `marker` in it, and gives the number at its end.
    package func port(after marker: String) async throws -> UInt16 {
        let line = try await line(with: marker)
        let digits = line.reversed().drop { !$0.isNumber }.prefix { $0.isNumber }
        guard let port = UInt16(String(digits.reversed())) else { throw Failure(description: "no port in '\(line)'") }
        return port
    }

    /// All the lines it writes on standard output from now on, until it ends.
    package func output() async -> String {
        var text = ""
        for await line in lines { text += line + "\n" }
        return text
    }

    /// All it wrote on standard error, once it and whoever it handed its standard error to have ended.
    package func standardError() -> String { errors.text() }

    /// Sends it a signal, unless it has been waited for.
    package func signal(_ number: Int32) {
        status.withLock { if $0 == nil { Glibc.kill(processIdentifier, number) } }
    }

    /// Asks it to stop and waits until it has. Its exit status; -n after signal n.
    @discardableResult
    package func stop() -> Int32 {
        signal(SIGTERM)
        return wait()
    }

    /// Stops it as a crash would.
    package func kill() {
        signal(SIGKILL)
        wait()
    }

    /// Waits until it has ended by itself.
    @discardableResult
    package func wait() -> Int32 {
        // First only looking, so that a signal may be sent meanwhile; it is buried under the lock.
        var seen = siginfo_t()
        while waitid(P_PID, id_t(processIdentifier), &seen, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        return status.withLock { status in
            if let status { return status }
            var raw: Int32 = 0
            while waitpid(processIdentifier, &raw, 0) < 0, errno == EINTR {}
            let code = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : -(raw & 0x7F)
            status = code
            return code
        }
    }

    /// Two ends of a line, of which no other child inherits either.
    private static func pipe() throws -> (ours: Int32, theirs: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { throw Failure(description: "no pipe: errno \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// The same as sockets: writing to one whose reader has gone raises no signal.
    private static func pair() throws -> (ours: Int32, theirs: Int32) {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Failure(description: "no socket: errno \(errno)") }
        return (ends[0], ends[1])
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        Thread.detachNewThread {
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                if count <= 0 { break }
                sent += count
            }
            close(descriptor)
        }
    }

    private static func read(_ descriptor: Int32, into lines: AsyncStream<String>.Continuation) {
        Thread.detachNewThread {
            var pending: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 4096)
            while case let count = Glibc.read(descriptor, &chunk, chunk.count), count > 0 {
                pending += chunk[..<count]
                while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                    lines.yield(String(decoding: pending[..<end], as: UTF8.self))
                    pending.removeSubrange(...end)
                }
            }
            if !pending.isEmpty { lines.yield(String(decoding: pending, as: UTF8.self)) }
            close(descriptor)
            lines.finish()
        }
    }
}
