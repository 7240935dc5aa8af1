import PhotoFacts
import Threads

/// Renders pictures in worker processes, so that a picture made to crash, hang or fill the memory of a decoder fails alone.
///
/// Each worker has a thread of its own that feeds it: decoding never blocks Swift's cooperative threads. Workers are
/// started when first needed and replaced when they die, are killed or have grown.
///
/// There are three kinds of workers. HEIC and AVIF, coded as video frames, and JPEG XL are rendered by processes of their own, and so
/// are the first frames of videos: these may have more memory, and end when no such picture came for a while. All others share the
/// first kind.
public final class Renderer: Sendable {
    /// Changes whenever the same picture would come out otherwise, so that stored thumbnails of older versions are left.
    public static let version = 7

    private let workers: WorkerPool
    /// Of the other kinds.
    private let rareWorkers: [WorkerKind: WorkerPool]
    private let observer: (@Sendable (_ took: Duration, _ succeeded: Bool) -> Void)?

    /// - Parameter observer: told of each picture that was taken, how long it took from the call on.
    public init(
        _ configuration: RendererConfiguration,
        observer: (@Sendable (_ took: Duration, _ succeeded: Bool) -> Void)? = nil
    ) {
        self.observer = observer
        workers = WorkerPool(configuration, .common)
        var rare = [WorkerKind.heif: WorkerPool(configuration, .heif)]
        if PictureKind.video.isBuiltIn { rare[.video] = WorkerPool(configuration, .video) }
        rareWorkers = rare
        for pool in pools { pool.start() }
    }

    deinit {
        for pool in pools { pool.stop(whenEnded: nil) }
    }

    private var pools: [WorkerPool] { [workers] + rareWorkers.values }

    public var configuration: RendererConfiguration { workers.configuration }

    /// Renders a picture to the smallest size that covers `size`. Pictures are taken in the order of the calls.
    ///
    /// Cancelling the task takes its picture from the queue; one that a worker has begun is finished.
    public func render(
        _ bytes: [UInt8], size: ThumbnailSize, options: RenderOptions = RenderOptions()
    ) async throws(RenderError) -> Thumbnail {
        // A picture that is over a limit need not trouble a worker.
        guard bytes.count <= configuration.limits.maxBytes else {
            throw .overLimit("\(bytes.count) bytes are over the limit of \(configuration.limits.maxBytes)")
        }
        let workers = rareWorkers[WorkerKind(of: bytes)] ?? workers
        let id = workers.nextID()
        let began = ContinuousClock.now
        let result: Result<Thumbnail, RenderError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                workers.add(
                    WorkerPool.Job(id: id, bytes: bytes, size: size, options: options, continuation: continuation))
                // The handler may have run before there was anything to cancel.
                if Task.isCancelled { workers.cancel(id) }
            }
        } onCancel: {
            workers.cancel(id)
        }
        if let observer {
            let succeeded = if case .success = result { true } else { false }
            observer(began.duration(to: .now), succeeded)
        }
        return try result.get()
    }

    /// Starts a worker that tries what its sandbox must refuse, and waits for what it tells.
    ///
    /// - Throws: ``RenderError/noWorker(_:)``.
    public func trySandbox() async throws(RenderError) -> SandboxReport { try await trySandbox(.all) }

    package func trySandbox(_ layers: SandboxLayers) async throws(RenderError) -> SandboxReport {
        let result: Result<SandboxReport, RenderError> = await withCheckedContinuation { continuation in
            // It waits for a process: on a thread of its own.
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
        _ layers: SandboxLayers, _ configuration: RendererConfiguration
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

    /// Pictures waiting for a worker, and pictures being rendered.
    public var load: (queued: Int, running: Int) {
        pools.map(\.load).reduce((queued: 0, running: 0)) { ($0.queued + $1.queued, $0.running + $1.running) }
    }

    /// The process ids of the workers that are alive.
    public var workerProcesses: [Int32] { pools.flatMap(\.processes).sorted() }

    /// Ends the workers and waits for them. Pictures that wait or are being rendered fail with
    /// ``RenderError/shutDown``, as do later calls.
    public func shutdown() async {
        // None is to wait for another.
        for pool in pools { pool.stop(whenEnded: nil) }
        for pool in pools {
            await withCheckedContinuation { continuation in
                pool.stop { continuation.resume() }
            }
        }
    }
}
