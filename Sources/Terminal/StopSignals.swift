import Glibc
import Synchronization
import Threads

/// SIGINT and SIGTERM as something to wait for. The second one exits at once, with 128 and the signal's number, as shells
/// tell of a signal.
///
/// By a handler that writes into a pipe. A source of Dispatch's would read them from a descriptor, and on Linux loses one now
/// and then that comes while the process starts: it is caught by a thread from which the descriptor does not tell.
package struct StopSignals {
    private let stream: AsyncStream<Void>

    /// Made once in a process, which from then on has these signals.
    package init() {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        self.stream = stream
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (reading, writing) = (ends[0], ends[1])
        // Both are there before a handler asks for them.
        SignalPipe.count.store(0, ordering: .sequentiallyConsistent)
        SignalPipe.pipe.store(writing, ordering: .sequentiallyConsistent)
        do throws(SystemThread.Refusal) {
            try SystemThread.detach("signals") {
                var byte: UInt8 = 0
                while read(reading, &byte, 1) < 0, errno == EINTR {}
                continuation.yield()
            }
        } catch {
            // The signals then do what they do without handlers.
            return
        }
        for number in [SIGINT, SIGTERM] {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = SignalPipe.handler
            action.sa_flags = SA_RESTART
            sigaction(number, &action, nil)
        }
    }

    /// Returns at the first signal.
    package func first() async {
        for await _ in stream { break }
    }
}

/// State for the signal handler, which may neither allocate nor lock.
private enum SignalPipe {
    static let pipe = Atomic<Int32>(-1)
    static let count = Atomic(0)

    static let handler: @convention(c) (Int32) -> Void = { number in
        guard count.add(1, ordering: .relaxed).oldValue == 0 else { _exit(128 + number) }
        let before = errno
        var byte: UInt8 = 1
        _ = write(pipe.load(ordering: .sequentiallyConsistent), &byte, 1)
        errno = before
    }
}
