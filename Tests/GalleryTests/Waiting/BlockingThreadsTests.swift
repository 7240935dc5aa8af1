import Catalog
import Fetch
import Gallery
import Glibc
import Media
import Store
import Synchronization
import TaskPool
import TestSupport
import Testing
import Threads
import Thumbnails

@Suite(.timeLimit(.minutes(1)))
struct BlockingThreadsTests {
    private final class Log: Sendable {
        private let numbers = Mutex<[Int]>([])
        var all: [Int] { numbers.withLock { $0 } }
        func add(_ number: Int) { numbers.withLock { $0.append(number) } }
    }

    @Test("the queue takes work up to its limit, refuses more and keeps the order")
    func order() async throws {
        let threads = BlockingThreads("test", count: 1, limit: 2)
        let gate = TestGate()
        let done = Log()
        threads.start { gate.pass() }
        await gate.arrival()
        let first = Task { try await threads.run { done.add(1) } }
        try await eventually("one waiting job", of: { threads.waitingCount }, satisfies: { $0 >= 1 })
        let second = Task { try await threads.run { done.add(2) } }
        try await eventually("two waiting jobs", of: { threads.waitingCount }, satisfies: { $0 >= 2 })
        await #expect(throws: BlockingThreads.Refusal.busy) { try await threads.run {} }
        gate.open()
        try await first.value
        try await second.value
        #expect(done.all == [1, 2])
    }

    @Test("queued work is refused when its task is cancelled or the threads shut down")
    func leaving() async throws {
        let threads = BlockingThreads("test", count: 1, limit: 10)
        let gate = TestGate()
        threads.start { gate.pass() }
        await gate.arrival()
        let cancelled = Task { try await threads.run { 1 } }
        try await eventually("one waiting job", of: { threads.waitingCount }, satisfies: { $0 >= 1 })
        cancelled.cancel()
        await #expect(throws: BlockingThreads.Refusal.cancelled) { try await cancelled.value }
        let waiting = Task { try await threads.run { 2 } }
        try await eventually("one waiting job", of: { threads.waitingCount }, satisfies: { $0 >= 1 })
        threads.shutdown()
        await #expect(throws: BlockingThreads.Refusal.shutDown) { try await waiting.value }
        await #expect(throws: BlockingThreads.Refusal.shutDown) { try await threads.run { 3 } }
        gate.open()
    }

    @Test(
        "work is refused while no thread can start, and runs once one can", arguments: [0, 10] as [Int32])
    func threadless(niceness: Int32) async throws {
        let isFull = Mutex(true)
        let threads = BlockingThreads("test", count: 2, limit: 10, niceness: niceness) {
            name, run throws(SystemThread.Refusal) in
            if isFull.withLock({ $0 }) { throw SystemThread.Refusal(code: EAGAIN) }
            try SystemThread.detach(name, run)
        }
        await #expect(throws: BlockingThreads.Refusal.noThread) { try await threads.run {} }
        let done = Log()
        threads.start { done.add(1) }
        isFull.withLock { $0 = false }
        try await threads.run { done.add(2) }
        try await eventually("both jobs done", of: { done.all.sorted() }, satisfies: { $0 == [1, 2] })
        #expect(Problem(BlockingThreads.Refusal.noThread).status == 503)
    }

    @Test("a share of a budget remembers a refusal")
    func refusal() {
        let budget = ByteBudget(limit: 10)
        let first = budget.share(), second = budget.share()
        #expect(first.hold(8) && !second.hold(5))
        #expect(first.hold(1) && second.hold(5))
        #expect(second.wasRefused && !first.wasRefused)
    }

    @Test("a share of any size is refused next to another share")
    func largest() {
        let budget = ByteBudget(limit: .max)
        let one = budget.share(for: "a"), other = budget.share(for: "a")
        #expect(one.hold(8) && !other.hold(.max) && budget.held == 8)
    }

    @Test("as many jobs block at once as there are threads")
    func parallel() async throws {
        let threads = BlockingThreads("test", count: 3, limit: 10)
        let gate = TestGate()
        for _ in 0..<5 { threads.start { gate.pass() } }
        for _ in 0..<3 { await gate.arrival() }
        gate.open()
        for _ in 0..<2 { await gate.arrival() }
        #expect(gate.count == 5)
    }

    @Test("folder files are read only on the folder threads")
    func files() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("1.jpg", Picture.jpeg(30, 20))
        let files = FolderThreads("file", patience: .seconds(60), count: 1, limit: 10)
        let renderer = Renderer(WorkerConfiguration(executable: LookaheadProcess.executable))
        let maker = ThumbnailMaker(
            items: GalleryList(), store: ThumbnailStore(StoreConfiguration(directory: nil)),
            fetcher: NoFetcher(), renderer: renderer, transfers: TransferMeter(), files: files)
        let file = Locator.file(path: path, root: FolderRoot(path: folder.path))
        let memory = ByteBudget(limit: 0)
        #expect(try await maker.originals.original(of: file, in: memory.share()).beginning.isEmpty == false)
        files.shutdown()
        await #expect(throws: ItemFailure(reason: "the server is stopping", retryable: true)) {
            try await maker.originals.original(of: file, in: memory.share())
        }
        await renderer.shutdown()
    }

    private struct NoFetcher: Fetcher {
        func fetch(
            _ request: FetchRequest, onBytes: (@Sendable (Int, Int?) -> Void)?
        ) async throws(FetchError) -> FetchResponse { throw .cancelled }
        func shutdown() async {}
    }
}
