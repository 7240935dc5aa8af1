import CCurl
import Glibc
import Media
import Synchronization
import Threads

/// Fetches with libcurl. All transfers share one thread and reuse connections.
public final class CurlFetcher: Fetcher {
    public let configuration: FetchConfiguration
    private let mailbox: ThreadMailbox<FetchCommand>
    private let shared = SharedCounts()
    private let thread: pthread_t
    private let isJoined = Atomic(false)

    /// - Throws: `.transport` if the process is out of descriptors, threads or memory.
    public init(_ configuration: FetchConfiguration = FetchConfiguration()) throws(FetchError) {
        let limits = ccurl_loop_limits(
            idle_connections: max(1, configuration.idleConnections),
            connections_per_host: max(0, configuration.connectionsPerHost),
            connections: max(0, configuration.connections))
        guard ccurl_initialize(), let loop = ccurl_loop_create(limits) else {
            throw .transport("libcurl cannot start")
        }
        self.configuration = configuration
        mailbox = ThreadMailbox(loop: loop) { ccurl_loop_wake($0) }
        do throws(SystemThread.Refusal) {
            // The thread owns the loop.
            let address = UInt(bitPattern: loop)
            thread = try SystemThread.start("fetch") { [mailbox, shared] in
                guard let loop = OpaquePointer(bitPattern: address) else { return }
                TransferLoop(loop: loop, mailbox: mailbox, shared: shared, configuration: configuration).run()
            }
        } catch {
            _ = mailbox.close()
            ccurl_loop_destroy(loop)
            throw .transport("the system cannot start a thread")
        }
    }

    deinit {
        // The thread holds no reference to the fetcher, so it can end on its own.
        guard !isJoined.exchange(true, ordering: .relaxed) else { return }
        _ = mailbox.send(.stop)
        pthread_detach(thread)
    }

    public func fetch(
        _ request: FetchRequest, onBytes: (@Sendable (_ soFar: Int, _ expected: Int?) -> Void)?
    ) async throws(FetchError) -> FetchResponse {
        let call = FetchCall(isCancelled: Task.isCancelled)
        let job = Job(call: call, request: request, onBytes: onBytes)
        if !mailbox.send(.start(job)) { job.response.resolve(.failure(.shutDown)) }
        return try await job.response.value {
            call.isCancelled.store(true, ordering: .releasing)
            _ = mailbox.send(.cancel(call))
        }.get()
    }

    /// Adds an origin to `FetchPolicy.origins` of the running fetcher, if the origin's port is known only while it runs.
    public func allow(_ origin: WebOrigin) {
        _ = mailbox.send(.allow(origin))
    }

    public var counts: FetchCounts { shared.counts.withLock { $0 } }

    public func shutdown() async {
        await withCheckedContinuation { mailbox.stop(by: .stop, $0) }
        if !isJoined.exchange(true, ordering: .relaxed) { pthread_join(thread, nil) }
    }
}

/// A message from another thread to the fetcher's thread.
enum FetchCommand: Sendable {
    case start(Job)
    case cancel(FetchCall)
    case allow(WebOrigin)
    case stop
}

/// One call of `fetch`. Its task and the fetcher's thread share this object.
final class FetchCall: Sendable {
    /// Set before `.cancel` is sent, so that a job that waits is not begun.
    let isCancelled: Atomic<Bool>

    init(isCancelled: Bool) { self.isCancelled = Atomic(isCancelled) }
}

struct Job: Sendable {
    let call: FetchCall
    let request: FetchRequest
    let onBytes: (@Sendable (Int, Int?) -> Void)?
    let response = Promise<Result<FetchResponse, FetchError>>()
}

/// The counts. The fetcher's thread writes them, and any thread may read them.
final class SharedCounts: Sendable {
    let counts = Mutex(FetchCounts())
}
