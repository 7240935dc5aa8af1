import Dispatch
import Glibc
import PhotoFacts
import Pictures
import Synchronization

/// The processes that read metadata: started when there is something to read, ended when there was nothing for a while.
final class FactsPool: Sendable {
    private struct State {
        var idle: [WorkerProcess] = []
        /// Of processes that are asked something and not reaped.
        var asked: Set<Int32> = []
        /// Counts the requests: whether there was one since.
        var requests = 0
        var isClosed = false
        var warnings = 0
    }

    /// Why there is nothing found.
    enum Failure: Error {
        /// The file's readers end their process each time.
        case fatal
        /// It may be read at another time.
        case unavailable
    }

    /// Files whose readers are waited for in vain before a batch is given up: their disk hangs.
    private static let mostInterruptions = 3
    private static let mostWarnings = 20

    private let configuration: RendererConfiguration
    private let state = Mutex(State())
    /// One for each process that may run.
    private let places: DispatchSemaphore
    private let warn: @Sendable (String) -> Void

    init(_ configuration: RendererConfiguration, warn: @escaping @Sendable (String) -> Void) {
        self.configuration = configuration
        self.warn = warn
        places = DispatchSemaphore(value: configuration.workers)
    }

    /// Reads files, in one request as long as none of them ends its reader. Waits.
    ///
    /// - Returns: as many as there are files, in their order.
    func read(_ files: [FactFile], latestYear: Int) -> [Result<PictureFacts, Failure>] {
        switch ask(files, latestYear) {
        case .success(let found): return found.map { .success($0) }
        case .failure(.noWorker(let reason)):
            say("Metadata is not read: cannot start a process for it: \(reason)")
            return files.map { _ in .failure(.unavailable) }
        // The one that ended it may have ended others.
        case .failure(.interrupted): endIdle()
        case .failure: break
        }
        var interruptions = 0
        return files.map { file in
            guard interruptions < Self.mostInterruptions else { return .failure(.unavailable) }
            switch ask([file], latestYear) {
            case .success(let found): return found.first.map { .success($0) } ?? .failure(.unavailable)
            case .failure(.workerDied(let reason)):
                say("The metadata of \(file.path) cannot be read: its reader ended by \(reason)")
                return .failure(.fatal)
            case .failure(.tooSlow):
                say("The metadata of \(file.path) cannot be read: it takes too long")
                return .failure(.fatal)
            case .failure:
                interruptions += 1
                return .failure(.unavailable)
            }
        }
    }

    /// The processes that there are.
    var processes: [Int32] { state.withLock { $0.asked.sorted() + $0.idle.map(\.processID) } }

    /// Ends the processes. Nothing is read afterwards.
    func close() {
        state.withLock { state in
            state.isClosed = true
            // Their files are not waited for.
            for process in state.asked { kill(process, SIGKILL) }
        }
        endIdle()
    }

    private func endIdle() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        for worker in idle { _ = worker.end() }
    }

    private func ask(_ files: [FactFile], _ latestYear: Int) -> Result<[PictureFacts], RenderError> {
        places.wait()
        defer { places.signal() }
        let worker: WorkerProcess
        do throws(RenderError) { worker = try self.worker() } catch { return .failure(error) }
        let isClosed = state.withLock { state in
            if !state.isClosed { state.asked.insert(worker.processID) }
            return state.isClosed
        }
        if isClosed {
            _ = worker.end()
            return .failure(.shutDown)
        }
        var request = FrameWriter()
        request.number(latestYear)
        request.number(files.count)
        for file in files { file.write(to: &request) }
        var answer: FrameReader
        do throws(RenderError) {
            answer = try worker.ask(
                request.frame(), files.flatMap(\.descriptors), limits: configuration.limits,
                forget: { forget(worker) })
        } catch {
            return .failure(error)
        }
        let found = files.compactMap { $0.facts(&answer) }
        forget(worker)
        guard found.count == files.count else {
            _ = worker.end(atOnce: true)
            return .failure(.workerDied("malformed reply"))
        }
        keep(worker)
        return .success(found)
    }

    /// One that waits, or a new one.
    private func worker() throws(RenderError) -> WorkerProcess {
        while let idle = state.withLock({ $0.idle.popLast() }) {
            if idle.isReady { return idle }
            _ = idle.end(atOnce: true)
        }
        if state.withLock({ $0.isClosed }) { throw .shutDown }
        let worker = try WorkerProcess(configuration)
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(worker.processID), Int32(configuration.niceness))
        return worker
    }

    /// Before it is reaped: its id may be another's afterwards.
    private func forget(_ worker: WorkerProcess) { state.withLock { _ = $0.asked.remove(worker.processID) } }

    private func keep(_ worker: WorkerProcess) {
        let (requests, isClosed) = state.withLock { state in
            state.requests += 1
            if !state.isClosed { state.idle.append(worker) }
            return (state.requests, state.isClosed)
        }
        if isClosed {
            _ = worker.end()
        } else if requests == 1 {
            look(after: requests)
        }
    }

    /// Ends the processes once there was no request for a while.
    private func look(after requests: Int) {
        let seconds = max(0.01, min(configuration.heifIdleTime, 86_400))
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
            guard let self else { return }
            let (now, idle) = state.withLock { state in
                guard state.requests == requests else { return (state.requests, [] as [WorkerProcess]) }
                state.requests = 0
                defer { state.idle = [] }
                return (0, state.idle)
            }
            for worker in idle { _ = worker.end() }
            if now > 0 { look(after: now) }
        }
    }

    private func say(_ line: String) {
        let isSaid = state.withLock { state in
            state.warnings += 1
            return state.warnings <= Self.mostWarnings
        }
        if isSaid { warn(line) }
    }
}
