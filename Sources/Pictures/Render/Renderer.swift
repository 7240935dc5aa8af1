import PhotoFacts
import Threads

/// Renders pictures in worker processes. If a malicious picture crashes, hangs or fills the memory of a decoder, only that picture fails.
///
/// Each worker has its own thread that sends it pictures, so decoding never blocks Swift's cooperative threads. Workers are started on
/// first use. They are replaced if they crash, are killed or use too much memory.
///
/// There are three kinds of workers. One kind renders HEIC and AVIF, which are coded as video frames, and JPEG XL. Another renders the
/// first frames of videos. Both may use more memory, and end after some time without such a picture. The common kind renders all other
/// pictures.
public final class Renderer: Sendable {
    /// Must change whenever the same picture would be rendered differently. Stored thumbnails of older versions are then not used.
    public static let version = 7

    private let workers: WorkerPool
    private let rareWorkers: [WorkerKind: WorkerPool]
    private let observer: (@Sendable (_ took: Duration, _ succeeded: Bool) -> Void)?

    /// - Parameter observer: called after each picture that was rendered or failed, with the time since the call of `render`.
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

    /// Renders a picture to the smallest size that covers `size`. Pictures are rendered in the order of the calls.
    ///
    /// Cancelling the task removes its picture from the queue. If a worker has begun the picture, the worker finishes it.
    public func render(
        _ bytes: [UInt8], size: ThumbnailSize, options: RenderOptions = RenderOptions()
    ) async throws(RenderError) -> Thumbnail {
        // Refuses a picture over a limit without using a worker.
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
                // The cancellation handler may have run before the job was added.
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

    public var load: (queued: Int, running: Int) {
        pools.map(\.load).reduce((queued: 0, running: 0)) { ($0.queued + $1.queued, $0.running + $1.running) }
    }

    public var workerProcesses: [Int32] { pools.flatMap(\.processes).sorted() }

    /// Ends the workers and waits for them. Pictures that wait or are being rendered fail with ``RenderError/shutDown``. Later calls fail
    /// in the same way.
    public func shutdown() async {
        // Stops all pools first, so that no pool waits for another.
        for pool in pools { pool.stop(whenEnded: nil) }
        for pool in pools {
            await withCheckedContinuation { continuation in
                pool.stop { continuation.resume() }
            }
        }
    }
}
