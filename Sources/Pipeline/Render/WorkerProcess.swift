import CImageCodecs
import Glibc

/// A worker process as its renderer sees it: started, asked one picture at a time, killed when it does not answer.
/// An instance belongs to one thread, but for ``pid``.
final class WorkerProcess {
    let pid: pid_t
    private let socket: Int32

    /// Starts the executable with a socket as its standard input and output, and sends it the limits.
    init(_ configuration: RendererConfiguration) throws(RenderError) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw .noWorker(String(cString: strerror(errno)))
        }
        defer { close(ends[1]) }
        do {
            pid = try Self.spawn(configuration, end: ends[1])
        } catch {
            close(ends[0])
            throw error
        }
        socket = ends[0]
        var hello = FrameWriter()
        configuration.limits.write(to: &hello)
        // A worker that is gone already is noticed when it is asked for a picture.
        _ = send(hello.frame(), until: Deadline(seconds: configuration.limits.wallTime))
    }

    private static func spawn(_ configuration: RendererConfiguration, end: Int32) throws(RenderError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        // Should the end be 0 or 1 itself, the copy made from it first keeps it safe.
        posix_spawn_file_actions_adddup2(&actions, end, 3)
        posix_spawn_file_actions_adddup2(&actions, 3, 0)
        posix_spawn_file_actions_adddup2(&actions, 3, 1)
        _ = ImageProcessCloseFrom(&actions, 3)
        // The terminal's interrupt is for the server, which lets its workers go in its own time.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGCHLD, SIGALRM, SIGPROF] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

        let arguments = ([configuration.executable] + configuration.arguments).map { strdup($0) } + [nil]
        // A crash is an answer here; tracing it back takes seconds and helps nobody.
        let environment = environmentStrings().map { strdup($0) } + [nil]
        defer { for string in arguments + environment { free(string) } }
        var pid: pid_t = 0
        let result = posix_spawn(&pid, configuration.executable, &actions, &attributes, arguments, environment)
        guard result == 0 else { throw .noWorker("\(configuration.executable): \(String(cString: strerror(result)))") }
        return pid
    }

    private static func environmentStrings() -> [String] {
        var strings = ["SWIFT_BACKTRACE=enable=no", "MALLOC_ARENA_MAX=1"]
        for name in ["PATH", "LD_LIBRARY_PATH", "LANG", "TMPDIR"] {
            if let value = getenv(name) { strings.append("\(name)=\(String(cString: value))") }
        }
        return strings
    }

    /// Whether the process waits for a picture. One that has something to say now, or has hung up, is of no more use.
    var isReady: Bool {
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) == 0
    }

    /// Asks for a picture. When this throws ``RenderError/tooSlow(seconds:)`` or ``RenderError/workerDied(_:)`` the
    /// process has ended and must be replaced; `forget` is called before its id is free for another's.
    func render(
        _ bytes: [UInt8], _ size: ThumbnailSize, _ options: RenderOptions, limits: RenderLimits, forget: () -> Void
    ) throws(RenderError) -> RenderAnswer {
        let deadline = Deadline(seconds: limits.wallTime)
        var request = FrameWriter()
        RenderRequest(size: size, options: options, byteCount: bytes.count).write(to: &request)
        let outcome: Outcome
        if let failure = send(request.frame(following: bytes.count), until: deadline) ?? send(bytes, until: deadline) {
            outcome = failure
        } else {
            outcome = receive(until: deadline)
        }
        switch outcome {
        case .answer(let answer): return answer
        case .late:
            forget()
            _ = end(atOnce: true)
            throw .tooSlow(seconds: limits.wallTime)
        case .gone:
            forget()
            let ending = end()
            // Its own timer has ended it.
            if ending.signal == SIGPROF { throw .tooSlow(seconds: limits.cpuTime) }
            throw .workerDied(ending.description)
        }
    }

    /// How a process ended.
    struct Ending: CustomStringConvertible {
        /// 0 where it ended by itself.
        var signal: Int32
        var code: Int32

        var description: String { signal == 0 ? "exit code \(code)" : "signal \(signal)" }
    }

    /// Kills the process if need be and waits for it, saying how it ended.
    func end(atOnce: Bool = false) -> Ending {
        close(socket)
        if atOnce { kill(pid, SIGKILL) }
        // A process that is dying of itself should be heard; one that only hangs must not be waited for.
        let descriptor = ImageProcessDescriptor(pid)
        if descriptor < 0 || !Deadline(seconds: 0.05).wait(for: POLLIN, on: descriptor) { kill(pid, SIGKILL) }
        if descriptor >= 0 { close(descriptor) }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return Ending(signal: status & 0x7F, code: (status >> 8) & 0xFF)
    }

    private enum Outcome {
        case answer(RenderAnswer)
        case late
        case gone
    }

    private func send(_ bytes: [UInt8], until deadline: Deadline) -> Outcome? {
        var done = 0
        while done < bytes.count {
            let sent = bytes.withUnsafeBytes { buffer in
                Glibc.send(
                    socket, buffer.baseAddress.map { $0 + done }, buffer.count - done,
                    Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if sent > 0 {
                done += sent
            } else if sent < 0, errno == EAGAIN {
                if !deadline.wait(for: POLLOUT, on: socket) { return .late }
            } else if sent < 0, errno == EINTR {
                continue
            } else {
                return .gone
            }
        }
        return nil
    }

    private func receive(until deadline: Deadline) -> Outcome {
        var length = [UInt8](repeating: 0, count: 4)
        if let failure = receive(&length, until: deadline) { return failure }
        var reader = ByteReader(length)
        guard let count = reader.number(4, bigEndian: false), count <= Self.longestAnswer else { return .gone }
        var bytes = [UInt8](repeating: 0, count: count)
        if let failure = receive(&bytes, until: deadline) { return failure }
        var frame = FrameReader(bytes)
        guard let answer = RenderAnswer(&frame) else { return .gone }
        return .answer(answer)
    }

    /// A thumbnail of the longest side is smaller: a worker that says otherwise is not to be believed.
    private static let longestAnswer = 128 << 20

    private func receive(_ bytes: inout [UInt8], until deadline: Deadline) -> Outcome? {
        var done = 0
        let count = bytes.count
        while done < count {
            let received = bytes.withUnsafeMutableBytes { buffer in
                recv(socket, buffer.baseAddress.map { $0 + done }, count - done, Int32(MSG_DONTWAIT))
            }
            if received > 0 {
                done += received
            } else if received < 0, errno == EAGAIN {
                if !deadline.wait(for: POLLIN, on: socket) { return .late }
            } else if received < 0, errno == EINTR {
                continue
            } else {
                return .gone
            }
        }
        return nil
    }
}

/// A moment on the monotonic clock.
private struct Deadline {
    private let end: ContinuousClock.Instant

    init(seconds: Double) { end = .now + .seconds(max(0, min(seconds, 86_400))) }

    /// Waits until the descriptor is ready, or gone; false when the moment passes first.
    func wait(for events: Int32, on descriptor: Int32) -> Bool {
        while true {
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else { return false }
            let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1
            var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let ready = poll(&entry, 1, Int32(clamping: milliseconds))
            if ready > 0 { return true }
            if ready < 0, errno != EINTR { return true }
        }
    }
}
