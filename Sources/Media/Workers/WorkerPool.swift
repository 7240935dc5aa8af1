import Dispatch
import Glibc
import Synchronization
import Threads

/// The worker processes of a server. They read and decode untrusted files in a sandbox: if a malicious file crashes, hangs or fills the
/// memory of its reader, only that file fails.
///
/// Workers are started on demand, and end after a while without requests. They are replaced if they crash, are killed or use too much
/// memory. All of them run the same program and can handle every request, but each serves one kind of ``Work``, because a process cannot
/// lower its niceness again.
///
/// The calls block until the worker has replied. Call them on a thread of your own.
public final class WorkerPool: Sendable {
    package enum Work: Int, Sendable, CaseIterable {
        /// Short work for which a person waits: a preview, or the search for the needed part of a large file.
        case preview
        /// The facts of one file, for which a person waits. The worker reads the file itself, so a folder that does not respond delays only
        /// such work.
        case facts
        case thumbnail
        /// The facts of an index's files.
        case index

        fileprivate var niceness: Int32 {
            switch self {
            case .preview, .facts: 0
            // Responses and previews go first, because a person waits for them.
            case .thumbnail: 5
            // The niceness of the index's own threads.
            case .index: 10
            }
        }
    }

    private struct State {
        var idle: [(worker: WorkerProcess, work: Work)] = []
        /// IDs of the workers that handle a request and have not been reaped.
        var busy: Set<Int32> = []
        /// Number of requests since idle workers were last ended. Shows whether there was a new request.
        var requests = 0
        var isClosed = false

        mutating func takeIdle(_ work: Work) -> WorkerProcess? {
            idle.lastIndex { $0.work == work }.map { idle.remove(at: $0).worker }
        }

        mutating func takeAllIdle() -> [WorkerProcess] {
            defer { idle = [] }
            return idle.map(\.worker)
        }
    }

    public let configuration: WorkerConfiguration
    private let state = Mutex(State())
    /// One place for each request that may be handled at the same time, by kind of work.
    private let places: [DispatchSemaphore]

    public init(_ configuration: WorkerConfiguration) {
        self.configuration = configuration
        places = Work.allCases.map { work in
            switch work {
            case .preview, .facts: DispatchSemaphore(value: 2)
            // One picture more than the configuration says may be a large one.
            case .thumbnail: DispatchSemaphore(value: configuration.workers + 1)
            case .index: DispatchSemaphore(value: configuration.workers)
            }
        }
    }

    deinit { close() }

    /// Looks for the preview in a file.
    package func preview(in file: WorkerFile) throws(RenderError) -> PicturePreview {
        try reply(to: .preview(file), for: .preview, file: file) { PicturePreview(&$0) }
    }

    /// Looks for the preview in the beginning of a file.
    package func preview(inBeginning beginning: [UInt8]) throws(RenderError) -> PicturePreview {
        try reply(to: .preview(inBeginning: beginning), for: .preview) { PicturePreview(&$0) }
    }

    /// Returns the part of a RAW file or of a video that a thumbnail of this size needs. Empty if the whole file is needed.
    package func excerpt(of file: WorkerFile, for size: ThumbnailSize) throws(RenderError) -> [UInt8] {
        try reply(to: .excerpt(file, for: size), for: .preview, file: file) { $0.blob() }
    }

    /// Returns the position of the video in a file: the whole file, or the video that follows a picture. Empty if there is none.
    package func video(in file: WorkerFile) throws(RenderError) -> Range<Int> {
        try reply(to: .video(file), for: .preview, file: file) { reply in
            guard let start = reply.number(), let count = reply.number(), start >= 0, count >= 0,
                count <= file.count, start <= file.count - count
            else { return nil }
            return start..<start + count
        }
    }

    func thumbnail(
        _ bytes: [UInt8], _ size: ThumbnailSize, _ options: RenderOptions, mayBeLarge: Bool
    ) throws(RenderError) -> ThumbnailReply {
        try reply(to: .thumbnail(bytes, size, options, mayBeLarge: mayBeLarge), for: .thumbnail) { ThumbnailReply(&$0) }
    }

    private func reply<Value>(
        to request: WorkerRequest, for work: Work, file: WorkerFile? = nil, _ read: (inout FrameReader) -> Value?
    ) throws(RenderError) -> Value {
        var value: Value?
        try ask(request, for: work, file: file) { frame, isLast in
            value = read(&frame)
            return isLast && value != nil && frame.isAtEnd
        }
        guard let value else { throw .workerDied("malformed reply") }
        return value
    }

    /// Sends a request to a worker and waits for the reply.
    ///
    /// - Parameters:
    ///   - file: the file whose parts the worker may ask for.
    ///   - take: reads a frame of the reply. Returns false if the frame is malformed.
    package func ask(
        _ request: WorkerRequest, for work: Work, file: WorkerFile? = nil,
        take: (inout FrameReader, _ isLast: Bool) -> Bool
    ) throws(RenderError) {
        let place = places[work.rawValue]
        place.wait()
        defer { place.signal() }
        let worker = try worker(for: work)
        let residentBytes = try worker.ask(
            request, limits: limits(of: work), forget: { forget(worker) },
            read: { need in
                // A folder that does not respond must not keep the place of others.
                place.signal()
                defer { place.wait() }
                return file?.bytes(need) ?? []
            }, take: take)
        forget(worker)
        if residentBytes > configuration.limits.workerRetention { _ = worker.end() } else { keep(worker, for: work) }
    }

    /// Seconds without CPU use after which a worker that reads files itself is replaced. A network folder may respond late.
    private static let factsStallTime = 30.0

    private func limits(of work: Work) -> RenderLimits {
        var limits = configuration.limits
        if work == .index || work == .facts { limits.stallTime = max(limits.stallTime, Self.factsStallTime) }
        return limits
    }

    /// Returns an idle worker, or a new one.
    private func worker(for work: Work) throws(RenderError) -> WorkerProcess {
        while let idle = state.withLock({ $0.takeIdle(work) }) {
            if idle.isReady, begin(idle) { return idle }
            _ = idle.end(atOnce: true)
        }
        guard !state.withLock({ $0.isClosed }) else { throw .shutDown }
        let worker = try WorkerProcess(configuration)
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(worker.pid), work.niceness)
        guard begin(worker) else {
            _ = worker.end(atOnce: true)
            throw .shutDown
        }
        return worker
    }

    private func begin(_ worker: WorkerProcess) -> Bool {
        state.withLock { state in
            if !state.isClosed { state.busy.insert(worker.pid) }
            return !state.isClosed
        }
    }

    /// Must be called before the worker is reaped, because its process ID may be reused afterwards.
    private func forget(_ worker: WorkerProcess) { state.withLock { _ = $0.busy.remove(worker.pid) } }

    private func keep(_ worker: WorkerProcess, for work: Work) {
        let (requests, isClosed) = state.withLock { state in
            state.requests += 1
            if !state.isClosed { state.idle.append((worker, work)) }
            return (state.requests, state.isClosed)
        }
        if isClosed {
            _ = worker.end()
        } else if requests == 1 {
            look(after: requests)
        }
    }

    /// Ends the idle workers after a while without requests.
    private func look(after requests: Int) {
        let seconds = max(0.01, min(configuration.idleTime, 86_400))
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
            guard let self else { return }
            let (now, idle) = state.withLock { state in
                guard state.requests == requests else { return (state.requests, [] as [WorkerProcess]) }
                state.requests = 0
                return (0, state.takeAllIdle())
            }
            for worker in idle { _ = worker.end() }
            if now > 0 { look(after: now) }
        }
    }

    /// Ends the idle workers.
    package func endIdle() {
        for worker in state.withLock({ $0.takeAllIdle() }) { _ = worker.end() }
    }

    public var processes: [Int32] { state.withLock { ($0.busy + $0.idle.map(\.worker.pid)).sorted() } }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Ends the workers, like ``close()``, without blocking the calling thread.
    package func shutdown() async {
        await withCheckedContinuation { continuation in
            do throws(SystemThread.Refusal) {
                try SystemThread.detach("end-workers") { [self] in
                    close()
                    continuation.resume()
                }
            } catch {
                // The workers end with this process.
                continuation.resume()
            }
        }
    }

    /// Ends the workers. Requests that are handled now fail, and so do later ones. Blocks until the idle workers have ended.
    public func close() {
        state.withLock { state in
            state.isClosed = true
            // Kills workers in the middle of a file. The IDs are safe to use, because they belong to children that are not reaped yet.
            for process in state.busy { kill(process, SIGKILL) }
        }
        endIdle()
    }

    /// Starts a worker that tries everything its sandbox must refuse, and waits for its report.
    ///
    /// - Throws: ``RenderError/noWorker(_:)``.
    public func trySandbox() async throws(RenderError) -> SandboxReport { try await trySandbox(.all) }

    package func trySandbox(_ layers: SandboxLayers) async throws(RenderError) -> SandboxReport {
        let result: Result<SandboxReport, RenderError> = await withCheckedContinuation { continuation in
            // Uses a thread of its own, because it waits for a process.
            do throws(SystemThread.Refusal) {
                try SystemThread.detach("sandbox") { [configuration] in
                    continuation.resume(returning: Self.trySandbox(layers, configuration))
                }
            } catch {
                continuation.resume(returning: .failure(.noWorker("no thread to start it")))
            }
        }
        return try result.get()
    }

    private static func trySandbox(
        _ layers: SandboxLayers, _ configuration: WorkerConfiguration
    ) -> Result<SandboxReport, RenderError> {
        do throws(RenderError) {
            let orders = WorkerOrders(layers: layers, triesSandbox: true)
            let worker = try WorkerProcess(configuration, orders: orders)
            let report = worker.sandboxReport(configuration.limits)
            let ending = worker.end()
            return report.map(Result.success) ?? .failure(.noWorker("\(ending)"))
        } catch {
            return .failure(error)
        }
    }
}
