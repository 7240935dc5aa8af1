import CCurl
import Glibc
import Synchronization

/// Fetches with libcurl: all transfers on one thread of its own, over connections that are reused.
public final class CurlFetcher: Fetcher {
    public let configuration: FetchConfiguration
    private let mailbox: Mailbox
    private let tally = Tally()
    private let thread: pthread_t
    private let isJoined = Atomic(false)

    /// - Throws: `.transport` when the process is out of descriptors, threads or memory.
    public init(_ configuration: FetchConfiguration = FetchConfiguration()) throws(FetchError) {
        let limits = ccurl_loop_limits(
            idle_connections: max(1, configuration.idleConnections),
            connections_per_host: max(0, configuration.connectionsPerHost),
            connections: max(0, configuration.connections))
        guard ccurl_initialize(), let loop = ccurl_loop_create(limits) else {
            throw .transport("libcurl cannot start")
        }
        self.configuration = configuration
        mailbox = Mailbox(loop: UInt(bitPattern: loop))
        let start = ThreadStart(
            loop: UInt(bitPattern: loop), mailbox: mailbox, tally: tally, configuration: configuration)

        var thread = pthread_t()
        let box = Unmanaged.passRetained(start)
        let failed = pthread_create(
            &thread, nil,
            { context in
                // Takes over the reference that `passRetained` made.
                guard let context else { return nil }
                Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
        self.thread = thread
        if failed != 0 {
            box.release()
            _ = mailbox.close()
            ccurl_loop_destroy(loop)
            isJoined.store(true, ordering: .relaxed)
            throw .transport("no thread")
        }
    }

    deinit {
        // The thread holds no reference to the fetcher: it ends by itself.
        guard !isJoined.exchange(true, ordering: .relaxed) else { return }
        _ = mailbox.send(.stop)
        pthread_detach(thread)
    }

    public func fetch(
        _ request: FetchRequest, onBytes: (@Sendable (_ soFar: Int, _ expected: Int?) -> Void)?
    ) async throws(FetchError) -> FetchResponse {
        let ticket = Ticket()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let job = Job(ticket: ticket, request: request, onBytes: onBytes, continuation: continuation)
                if !mailbox.send(.start(job)) { continuation.resume(returning: .failure(.shutDown)) }
            }
        } onCancel: {
            ticket.isCancelled.store(true, ordering: .releasing)
            _ = mailbox.send(.cancel(ticket))
        }
        return try result.get()
    }

    /// Adds to `FetchPolicy.origins` of the running fetcher: for an origin whose port is known only once it runs.
    public func allow(_ origin: WebOrigin) {
        _ = mailbox.send(.allow(origin))
    }

    public var counts: FetchCounts { tally.counts.withLock { $0 } }

    public func shutdown() async {
        await withCheckedContinuation { mailbox.stop($0) }
        if !isJoined.exchange(true, ordering: .relaxed) { pthread_join(thread, nil) }
    }
}

/// What the thread is born with.
private final class ThreadStart: Sendable {
    private let loop: UInt
    private let mailbox: Mailbox
    private let tally: Tally
    private let configuration: FetchConfiguration

    init(loop: UInt, mailbox: Mailbox, tally: Tally, configuration: FetchConfiguration) {
        (self.loop, self.mailbox, self.tally, self.configuration) = (loop, mailbox, tally, configuration)
    }

    func run() {
        ccurl_name_thread("fetch")
        guard let loop = OpaquePointer(bitPattern: loop) else { return }
        TransferLoop(loop: loop, mailbox: mailbox, tally: tally, configuration: configuration).run()
    }
}
