import Synchronization
import Threads

/// Renders pictures in the processes of a ``WorkerPool``, in the order of the calls.
///
/// The renderer's own threads wait for the workers, so decoding never blocks Swift's cooperative threads. At most as many pictures as the
/// pool's configuration says are rendered at the same time, and beside them one of over ``RenderLimits/largePixels``.
public final class Renderer: Sendable {
    /// Must change whenever the same picture would be rendered differently. Stored thumbnails of older versions are then not used.
    public static let version = 8

    /// Maximum number of pictures that may wait. The task pool renders at most as many pictures at the same time as there are workers.
    private static let longestQueue = 4_096

    public let pool: WorkerPool
    private let threads: BlockingThreads
    private let largeThreads = BlockingThreads("render-large", count: 1, limit: Renderer.longestQueue)
    private let running = Mutex(0)
    private let observer: (@Sendable (_ took: Duration, _ succeeded: Bool) -> Void)?

    /// - Parameter observer: called after each picture that was rendered or failed, with the time since the call of `render`.
    public init(_ pool: WorkerPool, observer: (@Sendable (_ took: Duration, _ succeeded: Bool) -> Void)? = nil) {
        self.pool = pool
        self.observer = observer
        threads = BlockingThreads("render", count: pool.configuration.workers, limit: Self.longestQueue)
    }

    /// A renderer with a pool of its own.
    public convenience init(_ configuration: WorkerConfiguration) { self.init(WorkerPool(configuration)) }

    /// Renders a picture to the smallest size that covers `size`.
    ///
    /// Cancelling the task removes its picture from the queue. If a worker has begun the picture, the worker finishes it.
    ///
    /// - Parameter beforeLarge: called if the picture has more pixels than ``RenderLimits/largePixels``. Returns when the picture may be
    ///   rendered. Throws if no session wants the picture any more.
    public func render(
        _ bytes: [UInt8], size: ThumbnailSize, options: RenderOptions = RenderOptions(),
        beforeLarge: () async throws(CancellationError) -> Void = {}
    ) async throws(RenderError) -> Thumbnail {
        // Refuses a picture over a limit without using a worker.
        let longest = pool.configuration.limits.maxBytes
        guard bytes.count <= longest else { throw .overLimit("\(bytes.count) bytes are over the limit of \(longest)") }
        var began = ContinuousClock.now
        var reply = await reply(bytes, size, options, mayBeLarge: false)
        if case .success(.large) = reply {
            do throws(CancellationError) { try await beforeLarge() } catch { throw .cancelled }
            began = .now
            reply = await self.reply(bytes, size, options, mayBeLarge: true)
        }
        let result: Result<Thumbnail, RenderError> =
            switch reply {
            case .success(.thumbnail(let thumbnail)): .success(thumbnail)
            case .success(.failure(let error)), .failure(let error): .failure(error)
            case .success(.large): .failure(.workerDied("malformed reply"))
            }
        if let observer {
            let succeeded = if case .success = result { true } else { false }
            observer(began.duration(to: .now), succeeded)
        }
        return try result.get()
    }

    private func reply(
        _ bytes: [UInt8], _ size: ThumbnailSize, _ options: RenderOptions, mayBeLarge: Bool
    ) async -> Result<ThumbnailReply, RenderError> {
        do throws(BlockingThreads.Refusal) {
            return try await (mayBeLarge ? largeThreads : threads).run { [self] in
                running.withLock { $0 += 1 }
                defer { running.withLock { $0 -= 1 } }
                return ask(bytes, size, options, mayBeLarge: mayBeLarge)
            }
        } catch {
            switch error {
            case .cancelled: return .failure(.cancelled)
            case .shutDown: return .failure(.shutDown)
            case .busy, .hangs, .noThread: return .failure(.noWorker("no thread to wait for it"))
            }
        }
    }

    /// Asks a worker. If something outside interrupts the worker, another worker retries the picture once.
    private func ask(
        _ bytes: [UInt8], _ size: ThumbnailSize, _ options: RenderOptions, mayBeLarge: Bool
    ) -> Result<ThumbnailReply, RenderError> {
        func attempt() -> Result<ThumbnailReply, RenderError> {
            do throws(RenderError) {
                return .success(try pool.thumbnail(bytes, size, options, mayBeLarge: mayBeLarge))
            } catch {
                return .failure(pool.isClosed ? .shutDown : error)
            }
        }
        let result = attempt()
        guard case .failure(.interrupted) = result else { return result }
        return attempt()
    }

    public var load: (queued: Int, running: Int) {
        (threads.waitingCount + largeThreads.waitingCount, running.withLock { $0 })
    }

    /// Ends the pool's workers. Pictures that wait or are being rendered fail with ``RenderError/shutDown``. Later calls fail in the same
    /// way.
    public func shutdown() async {
        threads.shutdown()
        largeThreads.shutdown()
        await pool.shutdown()
    }
}
