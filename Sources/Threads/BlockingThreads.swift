import Dispatch
import Glibc
import Synchronization

/// A few threads for work that blocks or takes long: files, the database, layouts. On Swift's cooperative threads, of which
/// there are as many as processors, it would hold up every task of the process, and on the parser's every request.
///
/// Threads begin with the first work there is for them, and end with ``shutdown()`` or the last reference.
package final class BlockingThreads: Sendable {
    /// Why work was not done.
    package enum Refusal: Error, Equatable {
        /// As much waits already as may wait.
        case busy
        /// Its caller was cancelled before it began.
        case cancelled
        case shutDown
        /// It takes too long, or each thread has been busy with one piece of work for too long.
        case hangs
        /// The system gives no thread, and there is no other.
        case noThread
    }

    private let jobs: JobQueue
    /// One thread that resumes tasks for threads that are nicer than the pool's: a thread begins as nice as the one that starts
    /// it, and to resume a task may start one of Swift's, which would stay so.
    private let resumer: JobQueue?

    /// - Parameters:
    ///   - name: of the threads, which are numbered.
    ///   - count: threads, at least 1.
    ///   - limit: work of ``run(_:)`` that may wait.
    ///   - niceness: 0...19; threads of a higher one leave the processor to others who want it.
    ///   - starter: starts a thread of a name.
    package init(
        _ name: String, count: Int, limit: Int, niceness: Int32 = 0,
        starter: @escaping SystemThread.Starter = SystemThread.detach
    ) {
        jobs = JobQueue(name: name, count: max(1, count), limit: limit, niceness: niceness, starter: starter)
        resumer =
            niceness > Niceness.pool
            ? JobQueue(name: "\(name)-resume", count: 1, limit: 0, niceness: 0, starter: starter) : nil
    }

    deinit { stop() }

    /// Work that waits for a thread.
    package var waitingCount: Int { jobs.waitingCount }

    /// Does `work` on one of the threads, in the order of the calls. Cancelling the task takes it from the queue; what has
    /// begun is finished.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws(Refusal) -> Value {
        let id = jobs.nextID()
        let result: Result<Value, Refusal> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = FirstAnswer(continuation)
                add(
                    JobQueue.Job(id: id, isLimited: true) { [resumer] in
                        let value = work()
                        Self.tell(by: resumer) { answer.resume(.success(value)) }
                    } refuse: {
                        answer.resume(.failure($0))
                    })
                // The handler may have run before there was anything to cancel.
                if Task.isCancelled { jobs.cancel(id) }
            }
        } onCancel: {
            jobs.cancel(id)
        }
        return try result.get()
    }

    /// Does `work` soon, and not at all after ``shutdown()``. Nobody waits for it and it has no limit of its own: its caller
    /// has one.
    package func start(_ work: @escaping @Sendable () -> Void) {
        add(JobQueue.Job(id: jobs.nextID(), isLimited: false, work: work))
    }

    /// As ``start(_:)``, but on a thread that does not yield to others: for short work that takes locks, for which others
    /// would wait while a thread that holds them waits for the processor.
    package func startAtNormalPriority(_ work: @escaping @Sendable () -> Void) {
        (resumer ?? jobs).add(JobQueue.Job(id: 0, isLimited: false, work: work))
    }

    /// Resumes tasks, as `resume` does, for work of ``start(_:)``.
    package func tell(_ resume: @escaping @Sendable () -> Void) { Self.tell(by: resumer, resume) }

    private static func tell(by resumer: JobQueue?, _ resume: @escaping @Sendable () -> Void) {
        guard let resumer else { return resume() }
        resumer.add(JobQueue.Job(id: 0, isLimited: false, work: resume) { _ in resume() })
    }

    private func add(_ job: JobQueue.Job) {
        // Before there is a nice thread that could start it.
        resumer?.beginFirst()
        jobs.add(job)
    }

    /// Refuses what of ``run(_:)`` has taken so long: it is not waited for any more. Where that is so for each thread, also
    /// what waits and what comes is refused, until a thread has ended its work.
    package func giveUp(at now: ContinuousClock.Instant, patience: Duration) { jobs.giveUp(at: now, patience) }

    /// Refuses what waits and what comes later. What has begun is finished, and is not waited for.
    package func shutdown() { stop() }

    private func stop() {
        jobs.stop()
        resumer?.stop()
    }
}

/// A continuation that the first answer resumes.
private final class FirstAnswer<Answer: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Answer, Never>?>

    init(_ continuation: CheckedContinuation<Answer, Never>) { self.continuation = Mutex(continuation) }

    func resume(_ answer: Answer) { continuation.withLock { $0.take() }?.resume(returning: answer) }
}

/// The queue and the threads that take from it. It outlives its owner until they have ended.
private final class JobQueue: Sendable {
    struct Job: Sendable {
        let id: UInt64
        let isLimited: Bool
        let work: @Sendable () -> Void
        /// Hears why it is not done, or not waited for any more; `nil` if nobody waits for it.
        var refuse: (@Sendable (BlockingThreads.Refusal) -> Void)?
    }

    private struct State {
        var jobs: [Job] = []
        /// Those of the jobs that count against the limit.
        var limited = 0
        var lastID: UInt64 = 0
        var threads = 0
        var idle = 0
        var isStopped = false
        /// Those that have begun, by numbers of their own.
        var begun: [UInt64: Job] = [:]
        var lastBegun: UInt64 = 0
        var busy: BusyThreads

        mutating func take(at index: Int) -> Job {
            let job = jobs.remove(at: index)
            if job.isLimited { limited -= 1 }
            return job
        }
    }

    private let name: String
    private let count: Int
    private let limit: Int
    private let niceness: Int32
    private let starter: SystemThread.Starter
    private let state: Mutex<State>
    /// Signalled once for each job added, and for each thread at the end.
    private let wake = DispatchSemaphore(value: 0)

    init(name: String, count: Int, limit: Int, niceness: Int32, starter: @escaping SystemThread.Starter) {
        self.name = name
        self.count = count
        self.limit = limit
        self.niceness = niceness
        self.starter = starter
        state = Mutex(State(busy: BusyThreads(count: count)))
    }

    var waitingCount: Int { state.withLock { $0.jobs.count } }

    func nextID() -> UInt64 {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    func add(_ job: Job) {
        let (refusal, newThread): (BlockingThreads.Refusal?, Int?) = state.withLock { state in
            if state.isStopped { return (.shutDown, nil) }
            if job.isLimited {
                if state.busy.hang { return (.hangs, nil) }
                if state.limited >= limit { return (.busy, nil) }
                state.limited += 1
            }
            state.jobs.append(job)
            guard state.idle < state.jobs.count, state.threads < count else { return (nil, nil) }
            state.threads += 1
            return (nil, state.threads)
        }
        if let newThread { begin(newThread) }
        if let refusal { job.refuse?(refusal) } else { wake.signal() }
    }

    /// Begins the first thread, though there is no work yet.
    func beginFirst() {
        let isFirst = state.withLock { state in
            guard state.threads == 0, !state.isStopped else { return false }
            state.threads = 1
            return true
        }
        if isFirst { begin(1) }
    }

    func cancel(_ id: UInt64) {
        let job = state.withLock { state in
            state.jobs.firstIndex { $0.id == id }.map { state.take(at: $0) }
        }
        job?.refuse?(.cancelled)
    }

    func giveUp(at now: ContinuousClock.Instant, _ patience: Duration) {
        let refused: [Job] = state.withLock { state in
            let late = state.busy.late(at: now, patience: patience).compactMap { state.begun[$0] }
            guard state.busy.hang else { return late }
            let waiting = state.jobs.filter(\.isLimited)
            state.jobs.removeAll(where: \.isLimited)
            state.limited = 0
            return late + waiting
        }
        for job in refused { job.refuse?(.hangs) }
    }

    func stop() {
        let (jobs, threads) = state.withLock { state in
            state.isStopped = true
            defer { (state.jobs, state.limited) = ([], 0) }
            return (state.jobs, state.threads)
        }
        for job in jobs { job.refuse?(.shutDown) }
        for _ in 0..<threads { wake.signal() }
    }

    /// If the system gives no thread, the next job asks for one again. If there is no other thread, refuses what is waited for.
    private func begin(_ number: Int) {
        do throws(SystemThread.Refusal) {
            try starter("\(name)-\(number)") { [self] in
                if niceness > 0 { Niceness.raise(to: niceness) }
                work()
            }
        } catch {
            let refused: [Job] = state.withLock { state in
                state.threads -= 1
                guard state.threads == 0 else { return [] }
                defer { (state.jobs, state.limited) = (state.jobs.filter { $0.refuse == nil }, 0) }
                return state.jobs
            }
            for job in refused { job.refuse?(.noThread) }
        }
    }

    private func work() {
        while true {
            state.withLock { $0.idle += 1 }
            wake.wait()
            let (job, number, isStopped) = state.withLock { state -> (Job?, UInt64, Bool) in
                state.idle -= 1
                // A cancelled job leaves its signal behind.
                guard !state.jobs.isEmpty else { return (nil, 0, state.isStopped) }
                let job = state.take(at: 0)
                state.lastBegun += 1
                state.begun[state.lastBegun] = job
                state.busy.begin(state.lastBegun, at: ContinuousClock.now)
                return (job, state.lastBegun, state.isStopped)
            }
            if let job {
                job.work()
                state.withLock { state in
                    state.begun[number] = nil
                    state.busy.end(number)
                }
            } else if isStopped {
                return
            }
        }
    }
}

/// Tracks the work of a few threads, and whether all of them hang: then nothing else is done.
package struct BusyThreads: Sendable {
    private let count: Int
    /// When each piece of work was begun, by its number.
    private var began: [UInt64: ContinuousClock.Instant] = [:]
    /// Whether all hung when they were last looked at, and none has ended its work since.
    package private(set) var hang = false

    package init(count: Int) { self.count = count }

    package mutating func begin(_ work: UInt64, at now: ContinuousClock.Instant) { began[work] = now }

    package mutating func end(_ work: UInt64) {
        began[work] = nil
        hang = false
    }

    /// - Returns: the work that has taken so long.
    package mutating func late(at now: ContinuousClock.Instant, patience: Duration) -> [UInt64] {
        let late = began.filter { now - $0.value >= patience }
        hang = late.count >= count
        return late.keys.sorted()
    }
}
