import Glibc
import Media
import Numbers

/// Stops and kills a server's render workers now and then, as a system does that is short of memory or an operator who
/// errs. No picture may be lost by it.
final class SoakWorkers {
    /// Milliseconds from one to the next.
    static let interval = 4_000.0

    private unowned let soak: Soak
    private let server: BenchServer
    private var random = SeededRandom(seed: 1)
    private(set) var stopped = 0
    private(set) var killed = 0

    init(_ soak: Soak, _ server: BenchServer) {
        self.soak = soak
        self.server = server
    }

    func start() {
        soak.loop.after(milliseconds: Self.interval) { [self] in
            guard !soak.isEnding else { return }
            interrupt()
            start()
        }
    }

    private func interrupt() {
        let workers = server.children
        guard !workers.isEmpty else { return }
        let worker = workers[random.below(workers.count)]
        // One that is stopped never goes on by itself.
        if random.below(2) == 0 {
            if kill(worker, SIGSTOP) == 0 { stopped += 1 }
        } else if kill(worker, SIGKILL) == 0 {
            killed += 1
        }
    }
}
