import Glibc
import Synchronization

/// A process that a test started and stops.
///
/// Spawned by hand: Foundation's `Process` hands down the signal mask of the thread it runs on, and Dispatch's threads
/// block every signal, so that a child would never hear SIGTERM, nor a shell among its children SIGCHLD.
final class Child: Sendable {
    private let process: pid_t
    /// The lines of its standard output, as they come.
    private let lines: AsyncStream<String>
    private let status = Mutex<Int32?>(nil)

    init(_ executable: String, _ arguments: [String]) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw HTTPExchange.Failure(description: "no pipe: errno \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        process = try Self.spawn(executable, arguments, output: ends[1])
        close(ends[1])
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        lines = stream
        Self.read(ends[0], into: continuation)
    }

    /// Waits for the first line that has `marker` in it, and gives the number at its end.
    func port(after marker: String) async throws -> UInt16 {
        var said: [String] = []
        for await line in lines {
            said.append(line)
            guard line.contains(marker) else { continue }
            let digits = line.reversed().drop { !$0.isNumber }.prefix { $0.isNumber }
            if let port = UInt16(String(digits.reversed())) { return port }
        }
        throw HTTPExchange.Failure(description: "the process ended before it said '\(marker)', but: \(said)")
    }

    /// Asks it to stop and waits until it has. Its exit status; -1 when a signal ended it.
    @discardableResult
    func stop() -> Int32 { end(by: SIGTERM) }

    /// Stops it as a crash would.
    func kill() { _ = end(by: SIGKILL) }

    private func end(by signal: Int32) -> Int32 {
        status.withLock { status in
            if let status { return status }
            Glibc.kill(process, signal)
            var raw: Int32 = 0
            while waitpid(process, &raw, 0) < 0, errno == EINTR {}
            let code = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : -1
            status = code
            return code
        }
    }

    private static func spawn(_ executable: String, _ arguments: [String], output: Int32) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let words = ([executable] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let result = posix_spawn(&process, executable, &actions, &attributes, words, environ)
        guard result == 0 else {
            throw HTTPExchange.Failure(description: "\(executable) does not start: errno \(result)")
        }
        return process
    }

    private static func read(_ descriptor: Int32, into lines: AsyncStream<String>.Continuation) {
        HTTPExchange.queue.async {
            var pending: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 4096)
            while case let count = Glibc.read(descriptor, &chunk, chunk.count), count > 0 {
                pending += chunk[..<count]
                while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                    lines.yield(String(decoding: pending[..<end], as: UTF8.self))
                    pending.removeSubrange(...end)
                }
            }
            close(descriptor)
            lines.finish()
        }
    }
}
