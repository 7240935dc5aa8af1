import Dispatch
import Foundation
import PhotoFacts
import Synchronization

/// A renderer's queue and the threads that feed its workers. Callers limit the queue: the task pool renders at most as many pictures at the
/// same time as there are workers.
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
        /// The running worker of each thread.
        var processes: [Int: pid_t] = [:]
        var whenEnded: [@Sendable () -> Void] = []
    }

    let configuration: RendererConfiguration
    private let state = Mutex(State())
    /// Signalled once for each added job, and once for each thread when the pool stops.
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
                // Kills workers in the middle of a picture. The ids are safe to use, because they belong to children that are not reaped
                // yet.
                for pid in state.processes.values { kill(pid, SIGKILL) }
            }
            if state.threads > 0, let whenEnded { state.whenEnded.append(whenEnded) }
            return (jobs, state.threads == 0)
        }
        for job in jobs { job.continuation.resume(returning: .failure(.shutDown)) }
        for _ in 0..<configuration.workers { wake.signal() }
        if hasEnded { whenEnded?() }
    }

    /// The loop of one thread.
    private func feed(_ index: Int) {
        var worker: WorkerProcess?
        while true {
            guard waitForWork(idle: worker != nil) else {
                retire(&worker, index)
                continue
            }
            let (job, isStopping) = state.withLock { state -> (Job?, Bool) in
                if state.isStopping { return (nil, true) }
                // The queue may be empty, because cancelling a job does not withdraw its signal.
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
            var response = result
            if ended, case .failure = result { response = .failure(.shutDown) }
            job.continuation.resume(returning: response)
        }
        retire(&worker, index)
        let whenEnded = state.withLock { state in
            state.threads -= 1
            return state.threads == 0 ? state.whenEnded : []
        }
        for action in whenEnded { action() }
    }

    /// Waits for a signal. Returns false if the thread's worker was idle for too long.
    private func waitForWork(idle: Bool) -> Bool {
        guard kind != .common, idle else {
            wake.wait()
            return true
        }
        let seconds = max(0.01, min(configuration.heifIdleTime, 86_400))
        return wake.wait(timeout: .now() + seconds) == .success
    }

    /// Renders a picture. If something outside interrupts the worker, another worker retries the picture once.
    private func run(_ job: Job, _ worker: inout WorkerProcess?, _ index: Int) -> Result<Thumbnail, RenderError> {
        let result = attempt(job, &worker, index)
        guard case .failure(.interrupted) = result, !state.withLock({ $0.isStopping }) else { return result }
        return attempt(job, &worker, index)
    }

    private func attempt(_ job: Job, _ worker: inout WorkerProcess?, _ index: Int) -> Result<Thumbnail, RenderError> {
        // Replaces a worker that died while it was idle, because this picture is not the cause.
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
            let response = try process.render(
                job.bytes, job.size, job.options, limits: configuration.limits, forget: { forget(index) })
            if response.residentBytes > configuration.limits.workerRetention { retire(&worker, index) }
            return response.result
        } catch {
            worker = nil
            return .failure(error)
        }
    }

    /// Forgets the process of a thread. Must be called before the process is reaped, because its id may be reused afterwards.
    private func forget(_ index: Int) {
        state.withLock { _ = $0.processes.removeValue(forKey: index) }
    }

    private func retire(_ worker: inout WorkerProcess?, _ index: Int) {
        forget(index)
        _ = worker?.end()
        worker = nil
    }
}

package enum WorkerKind: String, Sendable, CaseIterable {
    case common = "render"
    /// HEIC and AVIF, which have video decoders, and JPEG XL. These decoders store several copies of a picture.
    case heif
    /// The first frames of videos, decoded by a library with hundreds of decoders.
    case video

    init(of bytes: [UInt8]) {
        switch try? PictureKind(bytes) {
        case .heic, .avif, .jxl: self = .heif
        case .video: self = .video
        default: self = .common
        }
    }
}
