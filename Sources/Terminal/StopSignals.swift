import Glibc
import Synchronization
import Threads

/// Waits for SIGINT or SIGTERM. The second such signal exits the process immediately. The exit status is 128 plus the signal's
/// number, as in shells. SIGHUP stops the process only if its terminal is gone.
///
/// A signal handler writes into a pipe. A Dispatch source would read signals from a descriptor. On Linux such a source
/// sometimes loses a signal that arrives while the process starts: another thread catches the signal, and the descriptor does
/// not report it.
package struct StopSignals {
    private let stream: AsyncStream<Void>
    /// Yields an element for each SIGHUP. If several arrive between two reads, the stream yields one element for them.
    package let hangups: AsyncStream<Void>

    /// Installs the signal handlers for the rest of the process. Call this only once in a process.
    package init() {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let (hangups, hangup) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.stream = stream
        self.hangups = hangups
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (reading, writing) = (ends[0], ends[1])
        // Initialise all three before a handler reads them.
        SignalPipe.count.store(0, ordering: .sequentiallyConsistent)
        SignalPipe.isHangupPending.store(false, ordering: .sequentiallyConsistent)
        SignalPipe.pipe.store(writing, ordering: .sequentiallyConsistent)
        do throws(SystemThread.Refusal) {
            try SystemThread.detach("signals") {
                var byte = SignalPipe.stop
                while true {
                    let count = read(reading, &byte, 1)
                    if count < 0, errno == EINTR { continue }
                    guard count == 1, byte == SignalPipe.hangup else { break }
                    SignalPipe.isHangupPending.store(false, ordering: .sequentiallyConsistent)
                    if Self.isTerminalGone { break }
                    hangup.yield()
                }
                hangup.finish()
                continuation.yield()
            }
        } catch {
            // Leave the signals without handlers.
            return
        }
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = SignalPipe.handler
            action.sa_flags = SA_RESTART
            sigaction(number, &action, nil)
        }
    }

    /// Keeps SIGHUP from ending a process that has no handlers yet.
    package static func ignoreHangups() { signal(SIGHUP, SIG_IGN) }

    /// Whether the terminal that the process reads or writes was closed. The system sends SIGHUP then, too.
    private static var isTerminalGone: Bool { (0...2).contains { isatty($0) == 0 && errno == EIO } }

    /// Returns at the first SIGINT or SIGTERM.
    package func first() async {
        for await _ in stream { break }
    }
}

/// State for the signal handler, which may neither allocate nor lock.
private enum SignalPipe {
    static let pipe = Atomic<Int32>(-1)
    static let count = Atomic(0)
    /// Whether a byte for SIGHUP is in the pipe, so that many of them cannot fill it.
    static let isHangupPending = Atomic(false)
    static let stop: UInt8 = 1
    static let hangup: UInt8 = 2

    static let handler: @convention(c) (Int32) -> Void = { number in
        if number == SIGHUP {
            guard !isHangupPending.exchange(true, ordering: .sequentiallyConsistent) else { return }
        } else {
            guard count.add(1, ordering: .relaxed).oldValue == 0 else { _exit(128 + number) }
        }
        let before = errno
        var byte = number == SIGHUP ? hangup : stop
        _ = write(pipe.load(ordering: .sequentiallyConsistent), &byte, 1)
        errno = before
    }
}
