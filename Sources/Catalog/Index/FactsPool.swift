import Dispatch
import Glibc
import PhotoFacts
import Pictures
import Synchronization

/// The processes that read metadata. Started on demand, and ended after a while without requests.
final class FactsPool: Sendable {
    private struct State {
        var idle: [WorkerProcess] = []
        /// IDs of processes that are working on a request and have not been reaped.
        var asked: Set<Int32> = []
        /// Number of requests since idle processes were last ended. Shows whether there was a new request.
        var requests = 0
        var isClosed = false
        var warnings = 0
    }

    /// The reason why the facts of a file were not read.
    enum Failure: Error {
        /// The file ends its reader process each time.
        case fatal
        /// The file may be readable at another time.
        case unavailable
    }

    /// Maximum number of files in a batch that may be unavailable. After that the batch is given up, because the disk hangs.
    private static let maximumInterruptions = 3
    private static let maximumWarnings = 20

    private let configuration: RendererConfiguration
    private let state = Mutex(State())
    /// One place for each process that may run for the index.
    private let places: DispatchSemaphore
    /// One place for each process that may run for a person, so that a person does not wait for the index.
    private let personPlaces = DispatchSemaphore(value: 2)
    private let warn: @Sendable (String) -> Void

    init(_ configuration: RendererConfiguration, warn: @escaping @Sendable (String) -> Void) {
        self.configuration = configuration
        self.warn = warn
        places = DispatchSemaphore(value: configuration.workers)
    }

    /// Reads files. Uses one request unless a file ends its reader. Blocks until done.
    ///
    /// - Parameter isForPerson: whether a person waits for the result, not the index.
    /// - Returns: one result for each file, in the same order.
    func read(_ files: [FactFile], latestYear: Int, isForPerson: Bool = false) -> [Result<PictureFacts, Failure>] {
        var found: [Result<PictureFacts, Failure>] = []
        var interruptions = 0
        // After a failure, files are read one by one until the file that caused it has failed again.
        var isAlone = false
        while found.count < files.count {
            guard interruptions < Self.maximumInterruptions else {
                found += files.dropFirst(found.count).map { _ in .failure(.unavailable) }
                break
            }
            let rest = files.dropFirst(found.count).prefix(isAlone ? 1 : files.count)
            let (facts, failure) = ask(Array(rest), latestYear, isForPerson)
            found += facts.map { .success($0) }
            guard let failure else { continue }
            if case .noWorker(let reason) = failure {
                say("Metadata is not read: cannot start a process for it: \(reason)")
                interruptions = Self.maximumInterruptions
            } else if isAlone, let file = rest.first {
                found.append(.failure(verdict(on: file, failure)))
                if case .failure(.unavailable)? = found.last { interruptions += 1 }
                isAlone = false
            } else {
                // The signal that ended this worker may have ended others.
                if case .interrupted = failure { endIdle() }
                isAlone = true
            }
        }
        return found
    }

    private func verdict(on file: FactFile, _ failure: RenderError) -> Failure {
        switch failure {
        case .workerDied(let reason):
            say("The metadata of \(file.path) cannot be read: its reader process failed: \(reason)")
            return .fatal
        case .tooSlow:
            say("The metadata of \(file.path) cannot be read: it takes too long")
            return .fatal
        case .shutDown: return .unavailable
        default:
            say("The metadata of \(file.path) is not read this time: \(failure)")
            return .unavailable
        }
    }

    var processes: [Int32] { state.withLock { $0.asked.sorted() + $0.idle.map(\.pid) } }

    /// Ends the processes. Later reads fail.
    func close() {
        state.withLock { state in
            state.isClosed = true
            // Do not wait for the files these processes are reading.
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

    /// - Returns: the facts of the files before the failure, or of all files if there was no failure.
    private func ask(
        _ files: [FactFile], _ latestYear: Int, _ isForPerson: Bool
    ) -> (found: [PictureFacts], failure: RenderError?) {
        let places = isForPerson ? personPlaces : places
        places.wait()
        defer { places.signal() }
        var found: [PictureFacts] = []
        do throws(RenderError) {
            let worker = try self.worker()
            let isClosed = state.withLock { state in
                if !state.isClosed { state.asked.insert(worker.pid) }
                return state.isClosed
            }
            if isClosed {
                _ = worker.end()
                throw .shutDown
            }
            var request = FrameWriter()
            request.number(latestYear)
            request.number(files.count)
            for file in files { file.write(to: &request) }
            try worker.ask(
                request.frame(), files.flatMap(\.descriptors), limits: configuration.limits, forget: { forget(worker) }
            ) { response in
                repeat {
                    guard found.count < files.count, let facts = files[found.count].facts(&response) else { return nil }
                    found.append(facts)
                } while !response.isAtEnd
                return found.count == files.count
            }
            forget(worker)
            keep(worker)
            return (found, nil)
        } catch {
            return (found, error)
        }
    }

    /// Returns an idle worker, or a new one.
    private func worker() throws(RenderError) -> WorkerProcess {
        while let idle = state.withLock({ $0.idle.popLast() }) {
            if idle.isReady { return idle }
            _ = idle.end(atOnce: true)
        }
        if state.withLock({ $0.isClosed }) { throw .shutDown }
        let worker = try WorkerProcess(configuration)
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(worker.pid), Int32(configuration.niceness))
        return worker
    }

    /// Called before the worker is reaped, because its process ID may be reused afterwards.
    private func forget(_ worker: WorkerProcess) { state.withLock { _ = $0.asked.remove(worker.pid) } }

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

    /// Ends the idle processes after a while without requests.
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
            return state.warnings <= Self.maximumWarnings
        }
        if isSaid { warn(line) }
    }
}
