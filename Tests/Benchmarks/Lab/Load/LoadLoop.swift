import Glibc
import HeapModule
import MicroHTTP
import Numbers
import Threads

/// Thousands of clients on one thread: sockets that are told when they can go on, and timers. It must cost less than the
/// server that it measures, so it does nothing else.
final class LoadLoop {
    private let poll: EventPoll
    private var sockets: [UInt64: LoadSocket] = [:]
    private var nextID: UInt64 = 1
    private var timers = Heap<LoadTimer>()
    private var ready: [EventPoll.Ready] = []
    /// Where every socket reads into, one after the other.
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)

    init() {
        Self.raiseDescriptorLimit()
        guard let poll = EventPoll() else { fatalError("no file descriptor is left") }
        self.poll = poll
    }

    deinit { buffer.deallocate() }

    /// In nanoseconds, the same for every process.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Raises the soft limit of file descriptors to the hard one.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    func add(_ socket: LoadSocket) {
        socket.id = nextID
        nextID += 1
        sockets[socket.id] = socket
        poll.watch(socket.descriptor, socket.id, .changes)
    }

    func remove(_ socket: LoadSocket) {
        guard sockets.removeValue(forKey: socket.id) != nil else { return }
        poll.unwatch(socket.descriptor)
    }

    /// Calls `body` once, at a time of ``now`` or soon after.
    func at(_ time: Int64, _ body: @escaping () -> Void) { timers.insert(LoadTimer(time: time, body: body)) }

    func after(milliseconds: Double, _ body: @escaping () -> Void) {
        at(Self.now + Int64(clamping: milliseconds * 1e6), body)
    }

    /// Runs until `isDone`, which is asked after each wake-up.
    ///
    /// - Returns: false where that took longer than `seconds`.
    @discardableResult
    func run(seconds: Double = .infinity, until isDone: () -> Bool) -> Bool {
        let end = seconds.isFinite ? Self.now + Int64(clamping: seconds * 1e9) : Int64.max
        while !isDone() {
            let now = Self.now
            guard now < end else { return false }
            // Timers that these add are due in the next turn.
            for timer in takeTimers(until: now) { timer.body() }
            turn(until: min(timers.min?.time ?? .max, end))
        }
        return true
    }

    /// Runs for so long.
    func run(seconds: Double) { run(seconds: seconds, until: { false }) }

    private func takeTimers(until time: Int64) -> [LoadTimer] {
        var due: [LoadTimer] = []
        while let first = timers.min, first.time <= time {
            due.append(first)
            timers.removeMin()
        }
        return due
    }

    private func turn(until time: Int64) {
        // Up to a millisecond late rather than awake: what is measured needs the processor.
        poll.wait(.nanoseconds(time == .max ? 100_000_000 : min(100_000_000, time - Self.now)), &ready)
        for one in ready {
            guard let socket = sockets[one.id] else { continue }
            if one.isWritable { socket.flush() }
            if one.isReadable || one.isHungUp { socket.read(into: buffer) }
        }
    }
}

/// A body to call, and its time.
private struct LoadTimer: Comparable {
    let time: Int64
    let body: () -> Void

    static func < (a: LoadTimer, b: LoadTimer) -> Bool { a.time < b.time }
    static func == (a: LoadTimer, b: LoadTimer) -> Bool { a.time == b.time }
}
