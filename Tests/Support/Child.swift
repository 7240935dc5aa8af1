import Foundation
import Glibc
import Synchronization

/// A process that a test starts and stops.
///
/// Spawned without Foundation's `Process`, which passes on the signal mask of its thread. Dispatch's threads block every
/// signal, so such a child would never receive SIGTERM, and a shell among its children no SIGCHLD.
package final class Child: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    package let processIdentifier: pid_t
    /// Lines of the child's standard output.
    private let lines: AsyncStream<String>
    private let errors: OutputCollector
    /// Exit status of the child, or `nil` if it has not been waited for.
    private let status = Mutex<Int32?>(nil)
    /// Held while spawning a child. Otherwise another child could inherit a pipe between the pipe's creation and its
    /// close-on-exec flag.
    private static let spawning = Mutex(())

    /// - Parameters:
    ///   - environment: variables added to those of this process.
    ///   - input: bytes of the child's standard input, which then ends. Empty for `/dev/null`.
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

    /// Reaps a child that was never waited for. The watcher of exit tests spins as long as any child is not reaped.
    deinit {
        guard status.withLock({ $0 == nil }) else { return }
        let process = processIdentifier
        Thread.detachNewThread {
            var raw: Int32 = 0
            while waitpid(process, &raw, 0) < 0, errno == EINTR {}
        }
    }

    /// Waits for the first line of the child's standard output that contains `marker`.
    package func line(with marker: String) async throws -> String {
        var said: [String] = []
        for await line in lines {
            if line.contains(marker) { return line }
            said.append(line)
        }
        throw Failure(
            description: "the process ended without printing '\(marker)'; it printed \(said): \(standardError())")
    }

    /// Waits for the first line that contains `marker`, and returns the number at its end.
    package func port(after marker: String) async throws -> UInt16 {
        let line = try await line(with: marker)
        let digits = line.reversed().drop { !$0.isNumber }.prefix { $0.isNumber }
        guard let port = UInt16(String(digits.reversed())) else { throw Failure(description: "no port in '\(line)'") }
        return port
    }

    /// Returns all lines that the child writes to standard output from now on, until it ends.
    package func output() async -> String {
        var text = ""
        for await line in lines { text += line + "\n" }
        return text
    }

    /// Returns everything that the child wrote to standard error, after the child and all processes with its standard error
    /// have ended.
    package func standardError() -> String { errors.text() }

    /// Sends the child a signal, unless it has been waited for.
    package func signal(_ number: Int32) {
        status.withLock { if $0 == nil { Glibc.kill(processIdentifier, number) } }
    }

    /// Sends SIGTERM and waits until the child has ended. Returns its exit status, or -n after signal n.
    @discardableResult
    package func stop() -> Int32 {
        signal(SIGTERM)
        return wait()
    }

    /// Ends the child with SIGKILL, like a crash, and waits for it.
    package func kill() {
        signal(SIGKILL)
        wait()
    }

    /// Waits until the child has ended. Returns its exit status, or -n after signal n.
    @discardableResult
    package func wait() -> Int32 {
        // Waits without reaping first, so that signals can still be sent. Then reaps the child under the lock.
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

    /// Returns the two ends of a pipe. No other child inherits them.
    private static func pipe() throws -> (ours: Int32, theirs: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { throw Failure(description: "no pipe: errno \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Returns two connected sockets. Writing to a socket whose reader has gone raises no signal.
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
