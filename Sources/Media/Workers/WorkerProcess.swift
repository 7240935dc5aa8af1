import CImageCodecs
import CLinux
import Glibc

/// A worker process from the server's side. It handles one request at a time, and is killed if it does not reply. An instance belongs to
/// one thread at a time, except ``pid``.
package final class WorkerProcess: Sendable {
    package let pid: Int32
    private let socket: Int32
    private let now: @Sendable () -> ContinuousClock.Instant

    /// Starts the executable with a socket as its standard input, and sends the limits and orders.
    package init(_ configuration: WorkerConfiguration, orders: WorkerOrders? = nil) throws(RenderError) {
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
        now = configuration.now
        var hello = FrameWriter()
        configuration.limits.write(to: &hello)
        (orders ?? WorkerOrders(requiresSandbox: configuration.requiresSandbox)).write(to: &hello)
        // If the worker has already ended, the next request reports that.
        var patience = WorkerPatience(pid, configuration.limits, now: now)
        _ = send(hello.frame(), &patience)
    }

    private static func spawn(_ configuration: WorkerConfiguration, end: Int32) throws(RenderError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        // Copies in two steps. If `end` is 0, a single copy onto itself would not clear its close-on-exec flag.
        posix_spawn_file_actions_adddup2(&actions, end, 3)
        posix_spawn_file_actions_adddup2(&actions, 3, 0)
        _ = ImageProcessCloseFrom(&actions, 3)
        // The terminal's interrupt must reach only the server, which ends its workers itself.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGCHLD, SIGALRM, SIGPROF] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

        let arguments = ([configuration.executable] + configuration.arguments).map { strdup($0) } + [nil]
        let environment = environmentStrings().map { strdup($0) } + [nil]
        defer { for string in arguments + environment { free(string) } }
        var pid: pid_t = 0
        let result = posix_spawn(&pid, configuration.executable, &actions, &attributes, arguments, environment)
        guard result == 0 else { throw .noWorker("\(configuration.executable): \(String(cString: strerror(result)))") }
        return pid
    }

    /// Returns the environment of a worker: only the variables for libraries and the time zone. Others may contain secrets.
    private static func environmentStrings() -> [String] {
        let names: [String] = ["LD_LIBRARY_PATH", "TZ"]
        let passed = names.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
        // A crash is an expected result. A backtrace would take seconds and is not needed.
        return ["SWIFT_BACKTRACE=enable=no"] + passed
    }

    /// Whether the process waits for a request. A process that sends data now, or has closed the connection, must be replaced.
    package var isReady: Bool {
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) == 0
    }

    /// Sends a request and waits for the reply. If this throws, the process has ended and must be replaced.
    ///
    /// - Parameters:
    ///   - forget: called before the process's id may be reused.
    ///   - read: reads a part of the file that the request is about. The worker asks for it.
    ///   - take: reads a frame of the reply. Returns false if the frame is malformed.
    /// - Returns: resident memory of the worker after the request, in bytes.
    package func ask(
        _ request: WorkerRequest, limits: RenderLimits, forget: () -> Void, read: (WorkerNeed) -> [UInt8],
        take: (inout FrameReader, _ isLast: Bool) -> Bool
    ) throws(RenderError) -> Int {
        var patience = WorkerPatience(pid, limits, now: now)
        let frame = request.frame.frame()
        var outcome = send(frame, descriptors: request.descriptors, &patience) ?? send(request.bytes, &patience)
        var needs = 0
        while outcome == nil {
            switch receiveFrame(&patience) {
            case .none(let failure): outcome = failure
            case .frame(var frame):
                switch WorkerReply(&frame) {
                case .needs(let need) where needs < WorkerNeed.maximum:
                    needs += 1
                    var answer = FrameWriter()
                    answer.blob(read(need))
                    patience.restart()
                    outcome = send(answer.frame(), &patience)
                case .part where take(&frame, false): continue
                case .last(let residentBytes) where take(&frame, true): return residentBytes
                default: outcome = .nonsense
                }
            }
        }
        throw failure(outcome ?? .nonsense, patience, limits, forget)
    }

    /// Ends the process and returns the reason for the missing reply.
    private func failure(
        _ outcome: Outcome, _ patience: WorkerPatience, _ limits: RenderLimits, _ forget: () -> Void
    ) -> RenderError {
        switch outcome {
        case .late:
            forget()
            _ = end(atOnce: true)
            if patience.spent >= limits.cpuTime { return .tooSlow(seconds: limits.cpuTime) }
            return .interrupted("no progress")
        case .nonsense:
            forget()
            _ = end(atOnce: true)
            return .workerDied("malformed reply")
        case .gone:
            forget()
            let ending = end()
            // The worker's own timer has ended it.
            if ending.signal == SIGPROF { return .tooSlow(seconds: max(limits.cpuTime, patience.spent.rounded(.down))) }
            if ending.code == MediaWorker.noSandbox { return .noWorker("it cannot be sandboxed") }
            return ending.isOwnDoing ? .workerDied(ending.description) : .interrupted(ending.description)
        }
    }

    package struct Ending: CustomStringConvertible {
        /// 0 if the process exited.
        var signal: Int32
        var code: Int32

        /// Whether the worker's picture may be the cause: a fault, or an exit. Other signals come from outside. Exit codes for problems at
        /// the start (`sysexits.h`) do not count either.
        var isOwnDoing: Bool {
            let faults = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS]
            return signal == 0 ? code != 0 && !(64...78).contains(code) : faults.contains(signal)
        }

        package var description: String { signal == 0 ? "exit code \(code)" : "signal \(signal)" }
    }

    /// Kills the process if necessary, waits for it, and returns how it ended.
    package func end(atOnce: Bool = false) -> Ending {
        close(socket)
        if atOnce { kill(pid, SIGKILL) }
        // Gives a process that is ending a moment to exit, so that its own status is returned. A process that hangs is killed.
        let descriptor = ImageProcessDescriptor(pid)
        if descriptor < 0 || !Deadline(seconds: 0.05).wait(for: POLLIN, on: descriptor) { kill(pid, SIGKILL) }
        if descriptor >= 0 { close(descriptor) }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return Ending(signal: status & 0x7F, code: (status >> 8) & 0xFF)
    }

    private enum Outcome {
        case late
        case nonsense
        case gone
    }

    private func send(
        _ bytes: [UInt8], descriptors: [Int32] = [], _ patience: inout WorkerPatience
    ) -> Outcome? {
        var done = 0
        while done < bytes.count {
            let sent = bytes.withUnsafeBytes { buffer in
                // The files are sent with the first byte.
                DescriptorsSend(
                    socket, buffer.baseAddress.map { $0 + done }, buffer.count - done, descriptors,
                    Int32(done == 0 ? descriptors.count : 0))
            }
            if sent > 0 {
                done += sent
            } else if sent < 0, errno == EAGAIN {
                if !patience.wait(for: POLLOUT, on: socket) { return .late }
            } else if sent < 0, errno == EINTR {
                continue
            } else {
                return .gone
            }
        }
        return nil
    }

    private enum Reception {
        case frame(FrameReader)
        case none(Outcome)
    }

    private func receiveFrame(_ patience: inout WorkerPatience) -> Reception {
        var length = [UInt8](repeating: 0, count: 4)
        if let failure = receive(&length, &patience) { return .none(failure) }
        var reader = ByteReader(length)
        guard let count = reader.number(4, bigEndian: false), count <= Self.longestResponse else {
            return .none(.nonsense)
        }
        var bytes = [UInt8](repeating: 0, count: count)
        if let failure = receive(&bytes, &patience) { return .none(failure) }
        return .frame(FrameReader(bytes))
    }

    /// Returns the report of a worker that was started to try its sandbox. Such a worker exits on its own.
    package func sandboxReport(_ limits: RenderLimits) -> SandboxReport? {
        var patience = WorkerPatience(pid, limits, now: now)
        guard case .frame(var layers) = receiveFrame(&patience), var report = SandboxReport(&layers) else { return nil }
        while case .frame(var frame) = receiveFrame(&patience) {
            guard let attempt = frame.text().flatMap(SandboxReport.Attempt.init), let error = frame.number() else {
                return nil
            }
            if error != 0 { report.refused[attempt] = Int32(truncatingIfNeeded: error) }
        }
        return report
    }

    /// Maximum length of a frame in bytes. The largest thumbnail is smaller, so a longer frame is malformed.
    private static let longestResponse = 128 << 20

    private func receive(_ bytes: inout [UInt8], _ patience: inout WorkerPatience) -> Outcome? {
        var done = 0
        let count = bytes.count
        while done < count {
            let received = bytes.withUnsafeMutableBytes { buffer in
                recv(socket, buffer.baseAddress.map { $0 + done }, count - done, Int32(MSG_DONTWAIT))
            }
            if received > 0 {
                done += received
            } else if received < 0, errno == EAGAIN {
                if !patience.wait(for: POLLIN, on: socket) { return .late }
            } else if received < 0, errno == EINTR {
                continue
            } else {
                return .gone
            }
        }
        return nil
    }
}

/// Measures the resident memory of this process. Opens a file of proc(5) once, because a sandboxed process cannot open files.
struct ResidentMemory {
    private let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)

    /// Resident memory in bytes, from the second number in the file, in pages. 0 if unknown.
    var bytes: Int {
        var text = [UInt8](repeating: 0, count: 128)
        let count = pread(file, &text, text.count, 0)
        let fields = text.prefix(max(0, count)).split(separator: 0x20)
        guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else { return 0 }
        return pages * Int(getpagesize())
    }
}
