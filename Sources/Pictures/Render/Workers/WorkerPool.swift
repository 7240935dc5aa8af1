import Dispatch
import Foundation
import PhotoFacts
import Synchronization

/// A renderer's queue and the threads that feed its workers. Callers bound the queue: the task pool renders as many pictures
/// at once as there are workers.
final class WorkerPool: Sendable {
    struct Job: Sendable {
        let id: Int
        let bytes: [UInt8]
        let size: ThumbnailSize
        let options: RenderOptions
        let continuation: CheckedContinuation<Result<Thumbnail, RenderError>, Never>
    }

    private struct State {
        var lastID = 0
        var queue: [Job] = []
        var running = 0
        var isStopping = false
        var threads = 0
        /// The living worker of each thread.
        var processes: [Int: pid_t] = [:]
        var whenEnded: [@Sendable () -> Void] = []
    }

    let configuration: RendererConfiguration
    private let state = Mutex(State())
    /// Signalled once for each job added, and for each thread at the end.
    private let wake = DispatchSemaphore(value: 0)

    private let kind: WorkerKind

    init(_ configuration: RendererConfiguration, _ kind: WorkerKind) {
        self.configuration = configuration
        self.kind = kind
    }

    func start() {
        state.withLock { $0.threads = configuration.workers }
        for index in 0..<configuration.workers {
            let thread = Thread { self.feed(index) }
            thread.name = "\(kind.rawValue)-\(index)"
            thread.start()
        }
    }

    func nextID() -> Int {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    func add(_ job: Job) {
        let isStopping = state.withLock { state in
            if !state.isStopping { state.queue.append(job) }
            return state.isStopping
        }
        if isStopping {
            job.continuation.resume(returning: .failure(.shutDown))
        } else {
            wake.signal()
        }
    }

    func cancel(_ id: Int) {
        let job = state.withLock { state in
            state.queue.firstIndex { $0.id == id }.map { state.queue.remove(at: $0) }
        }
        job?.continuation.resume(returning: .failure(.cancelled))
    }

    var load: (queued: Int, running: Int) { state.withLock { ($0.queue.count, $0.running) } }

    var processes: [Int32] { state.withLock { $0.processes.values.sorted() } }

    func stop(whenEnded: (@Sendable () -> Void)?) {
        let (jobs, hasEnded) = state.withLock { state in
            let jobs = state.queue
            state.queue = []
            if !state.isStopping {
                state.isStopping = true
                // A worker in the middle of a picture is not waited for. The ids are of children not yet reaped.
                for pid in state.processes.values { kill(pid, SIGKILL) }
            }
            if state.threads > 0, let whenEnded { state.whenEnded.append(whenEnded) }
            return (jobs, state.threads == 0)
        }
        for job in jobs { job.continuation.resume(returning: .failure(.shutDown)) }
        for _ in 0..<configuration.workers { wake.signal() }
        if hasEnded { whenEnded?() }
    }

    /// The life of one thread.
    private func feed(_ index: Int) {
        var worker: WorkerProcess?
        while true {
            guard waitForWork(idle: worker != nil) else {
                retire(&worker, index)
                continue
            }
            let (job, isStopping) = state.withLock { state -> (Job?, Bool) in
                if state.isStopping { return (nil, true) }
                // A cancelled job leaves its signal behind.
                guard !state.queue.isEmpty else { return (nil, false) }
                state.running += 1
                return (state.queue.removeFirst(), false)
            }
            if isStopping { break }
            guard let job else { continue }
            let result = run(job, &worker, index)
            let ended = state.withLock { state in
                state.running -= 1
                return state.isStopping
            }
            var answer = result
            if ended, case .failure = result { answer = .failure(.shutDown) }
            job.continuation.resume(returning: answer)
        }
        retire(&worker, index)
        let whenEnded = state.withLock { state in
            state.threads -= 1
            return state.threads == 0 ? state.whenEnded : []
        }
        for action in whenEnded { action() }
    }

    /// Whether something woke the thread, rather than that its idle worker has been there for long enough.
    private func waitForWork(idle: Bool) -> Bool {
        guard kind != .common, idle else {
            wake.wait()
            return true
        }
        let seconds = max(0.01, min(configuration.heifIdleTime, 86_400))
        return wake.wait(timeout: .now() + seconds) == .success
    }

    /// A picture whose worker was interrupted from outside gets another worker, once.
    private func run(_ job: Job, _ worker: inout WorkerProcess?, _ index: Int) -> Result<Thumbnail, RenderError> {
        let result = attempt(job, &worker, index)
        guard case .failure(.interrupted) = result, !state.withLock({ $0.isStopping }) else { return result }
        return attempt(job, &worker, index)
    }

    private func attempt(_ job: Job, _ worker: inout WorkerProcess?, _ index: Int) -> Result<Thumbnail, RenderError> {
        // A worker that died while it was idle is no fault of this picture's.
        if let idle = worker, !idle.isReady { retire(&worker, index) }
        let process: WorkerProcess
        if let worker {
            process = worker
        } else {
            do throws(RenderError) {
                process = try WorkerProcess(configuration, kind)
            } catch {
                return .failure(error)
            }
            worker = process
            if configuration.niceness > 0 {
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(process.pid), Int32(configuration.niceness))
            }
            let isStopping = state.withLock { state in
                state.processes[index] = process.pid
                return state.isStopping
            }
            if isStopping { return .failure(.shutDown) }
        }
        do throws(RenderError) {
            let answer = try process.render(
                job.bytes, job.size, job.options, limits: configuration.limits, forget: { forget(index) })
            if answer.residentBytes > configuration.limits.workerRetention { retire(&worker, index) }
            return answer.result
        } catch {
            worker = nil
            return .failure(error)
        }
    }

    /// Before a process is reaped: its id may be another's afterwards.
    private func forget(_ index: Int) {
        state.withLock { _ = $0.processes.removeValue(forKey: index) }
    }

    private func retire(_ worker: inout WorkerProcess?, _ index: Int) {
        forget(index)
        _ = worker?.end()
        worker = nil
    }
}

/// The kind of work that a worker does.
package enum WorkerKind: String, Sendable, CaseIterable {
    case common = "render"
    /// HEIC and AVIF, whose decoders are those of videos, and JPEG XL: the decoders hold a picture several times.
    case heif
    /// The first frames of videos, by a library of hundreds of decoders.
    case video

    init(of bytes: [UInt8]) {
        switch try? PictureKind(bytes) {
        case .heic, .avif, .jxl: self = .heif
        case .video: self = .video
        default: self = .common
        }
    }
}
