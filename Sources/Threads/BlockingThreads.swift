import Dispatch
import Glibc
import Synchronization

/// A few threads for work that blocks or takes long: files, the database, layouts. Swift has only as many cooperative threads
/// as processors: there such work would hold up every task of the process, and on the parser's thread every request.
///
/// A thread starts when the first work for it arrives. The threads end after ``shutdown()`` or with the last reference.
package final class BlockingThreads: Sendable {
    package enum Refusal: Error, Equatable {
        /// Too much work is waiting.
        case busy
        /// The caller was cancelled before the work began.
        case cancelled
        case shutDown
        /// The work takes too long, or every thread has been busy with one piece of work for too long.
        case hangs
        /// The system refuses a thread, and there is no other thread.
        case noThread
    }

    private let jobs: JobQueue
    /// Thread that resumes tasks for threads nicer than the pool's, or `nil` if the threads are not nicer. A new thread
    /// inherits the niceness of the thread that starts it. Resuming a task may start one of Swift's threads, which would then
    /// stay too nice.
    private let resumer: JobQueue?

    /// - Parameters:
    ///   - name: name of the threads. A number is appended.
    ///   - count: number of threads, at least 1.
    ///   - limit: maximum number of ``run(_:)`` calls that may wait.
    ///   - niceness: 0...19. Threads of a higher niceness yield the processor to others.
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

    package var waitingCount: Int { jobs.waitingCount }

    /// Does `work` on one of the threads, in the order of the calls. Cancelling the task removes waiting work from the queue.
    /// Running work is finished.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws(Refusal) -> Value {
        let id = jobs.nextID()
        let result = Promise<Result<Value, Refusal>>()
        add(
            JobQueue.Job(id: id, isLimited: true) { [resumer] in
                let value = work()
                Self.resume(by: resumer) { result.resolve(.success(value)) }
            } refuse: {
                result.resolve(.failure($0))
            })
        return try await result.value { jobs.cancel(id) }.get()
    }

    /// Does `work` soon, but never after ``shutdown()``. Nobody waits for the work. It does not count against the limit,
    /// because its caller has one.
    package func start(_ work: @escaping @Sendable () -> Void) {
        add(JobQueue.Job(id: jobs.nextID(), isLimited: false, work: work))
    }

    /// Does `work` like ``start(_:)``, but on a thread no nicer than the pool's. Meant for short work that takes locks: others
    /// would wait for the locks while a nicer thread that holds them waits for the processor.
    package func startAtNormalPriority(_ work: @escaping @Sendable () -> Void) {
        (resumer ?? jobs).add(JobQueue.Job(id: 0, isLimited: false, work: work))
    }

    /// Calls `resume`, which resumes tasks for work of ``start(_:)``, on a thread that is not nicer than the pool's.
    package func resume(_ resume: @escaping @Sendable () -> Void) { Self.resume(by: resumer, resume) }

    private static func resume(by resumer: JobQueue?, _ resume: @escaping @Sendable () -> Void) {
        guard let resumer else { return resume() }
        resumer.add(JobQueue.Job(id: 0, isLimited: false, work: resume) { _ in resume() })
    }

    private func add(_ job: JobQueue.Job) {
        // Start the resumer's thread now, so that no nice thread has to start it.
        resumer?.beginFirst()
        jobs.add(job)
    }

    /// Fails ``run(_:)`` calls whose work has run for `patience`. Their threads keep running. If this is true of every thread,
    /// all waiting and new ``run(_:)`` calls fail, too, until a thread finishes its work.
    package func giveUp(at now: ContinuousClock.Instant, patience: Duration) { jobs.giveUp(at: now, patience) }

    /// Refuses all waiting and later work. Running work is finished, and nobody waits for its end.
    package func shutdown() { stop() }

    private func stop() {
        jobs.stop()
        resumer?.stop()
    }
}

/// A queue of jobs and the threads that take them. Lives until the threads have ended, also after its owner is gone.
private final class JobQueue: Sendable {
    struct Job: Sendable {
        let id: UInt64
        let isLimited: Bool
        let work: @Sendable () -> Void
        /// Called if the job is not done or no longer waited for. `nil` if nobody waits for the job.
        var refuse: (@Sendable (BlockingThreads.Refusal) -> Void)?
    }

    private struct State {
        var jobs: [Job] = []
        /// Number of waiting jobs that count against the limit.
        var limited = 0
        var lastID: UInt64 = 0
        var threads = 0
        var idle = 0
        var isStopped = false
        /// Running jobs, by a number that is given when a job begins.
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
    /// Signalled once for each added job, and once for each thread in `stop()`.
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

    /// Starts the first thread before there is work for it.
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

    /// Starts a thread. If the system refuses, the next job tries again. If there is no other thread, jobs with a waiting
    /// caller fail.
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
                // A cancelled job leaves its signal behind, so the queue may be empty.
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

/// Tracks the work of a few threads, and whether all of them hang, so that no other work can be done.
package struct BusyThreads: Sendable {
    private let count: Int
    /// Start time of each running piece of work, by its number.
    private var began: [UInt64: ContinuousClock.Instant] = [:]
    /// Whether all threads hung at the last check and none has finished its work since then.
    package private(set) var hang = false

    package init(count: Int) { self.count = count }

    package mutating func begin(_ work: UInt64, at now: ContinuousClock.Instant) { began[work] = now }

    package mutating func end(_ work: UInt64) {
        began[work] = nil
        hang = false
    }

    /// Checks for work that has run for `patience`, and updates `hang`.
    ///
    /// - Returns: the numbers of that work.
    package mutating func late(at now: ContinuousClock.Instant, patience: Duration) -> [UInt64] {
        let late = began.filter { now - $0.value >= patience }
        hang = late.count >= count
        return late.keys.sorted()
    }
}
