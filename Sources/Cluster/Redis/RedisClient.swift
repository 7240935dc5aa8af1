import Glibc
import Synchronization
import Threads

/// Several Redis or Valkey servers, asked by one thread that owns all connections: one for commands and one for messages to each.
///
/// Nothing waits for a sick server: a command that has no reply in time, and every one after it until the server is back,
/// is answered with `nil`. All calls return at once and may come from any thread.
package final class RedisClient: Sendable {
    package enum Event: Sendable {
        /// Both connections to a server are open.
        case opened(server: Int)
        /// They are not any more, or could not be opened, with the reason.
        case lost(server: Int, reason: String)
        case message(server: Int, [UInt8])
        /// Time has passed: a second, by default.
        case pulse
    }

    /// No thread, descriptor or memory.
    package struct Refusal: Error {}

    package let servers: [RedisAddress]
    private let mailbox: ThreadMailbox<RedisLoopCommand>
    private let names = BlockingThreads("redis-name", count: 1, limit: 64)
    private let thread: pthread_t
    private let isJoined = Atomic(false)

    /// - Parameters:
    ///   - servers: all of them, 1 or more.
    ///   - scripts: those that commands name by place.
    ///   - channel: the one to hear messages of.
    ///   - times: how long it waits.
    ///   - onEvent: called on the client's thread, which it must not hold up.
    package init(
        _ servers: [RedisAddress], scripts: [String], channel: String, times: RedisTimes = RedisTimes(),
        onEvent: @escaping @Sendable (Event) -> Void
    ) throws(Refusal) {
        guard let waker = Waker() else { throw Refusal() }
        self.servers = servers
        let mailbox = ThreadMailbox<RedisLoopCommand> { waker.wake() }
        self.mailbox = mailbox
        do throws(SystemThread.Refusal) {
            thread = try SystemThread.start("redis") { [names] in
                RedisLoop(
                    waker, mailbox: mailbox, names: names, servers: servers, scripts: scripts, channel: channel,
                    times: times, onEvent: onEvent
                ).run()
            }
        } catch {
            _ = mailbox.close()
            throw Refusal()
        }
    }

    deinit {
        guard !isJoined.exchange(true, ordering: .relaxed) else { return }
        _ = mailbox.send(.stop)
        pthread_detach(thread)
    }

    /// Sends a command; `completion` is called once, here and now where the client is shut down.
    package func send(_ command: RedisCommand, to server: Int, completion: @escaping RedisCommand.Completion) {
        // The client's thread looks by itself when it has done what it is at.
        let wakes = pthread_equal(pthread_self(), thread) == 0
        if !mailbox.send(.command(command, server: server, completion), wakes: wakes) { completion(nil) }
    }

    /// Sends a command and waits for its reply, or for what takes its place.
    package func reply(to command: RedisCommand, from server: Int) async -> RedisReply? {
        await withCheckedContinuation { continuation in
            send(command, to: server) { continuation.resume(returning: $0) }
        }
    }

    /// Calls `body` on the client's thread, after everything that was sent before. It must not hold the thread up.
    ///
    /// - Returns: whether it will be called; not after ``shutdown()``.
    @discardableResult
    package func call(_ body: @escaping @Sendable () -> Void) -> Bool { mailbox.send(.call(body)) }

    /// Calls `body` on the client's thread within 0.1 s, or a second where nothing else is to be done, and at once when a message
    /// comes. Each time that they wake, thread and server pay for cold caches: so many at a time cost less.
    package func callLater(_ body: @escaping @Sendable () -> Void) { _ = mailbox.send(.later(body), wakes: false) }

    /// Ends the connections, after what was sent before has been written as far as sockets take it.
    package func shutdown() async {
        await withCheckedContinuation { mailbox.stop(by: .stop, $0) }
        names.shutdown()
        if !isJoined.exchange(true, ordering: .relaxed) { pthread_join(thread, nil) }
    }
}

/// How long a client waits.
package struct RedisTimes: Sendable {
    /// For the reply to a command. Default 100 ms.
    package var reply = Duration.milliseconds(100)
    /// For connecting and authenticating, for which no caller waits. Default 500 ms.
    package var greeting = Duration.milliseconds(500)
    /// After a first failure; it doubles with each further one. Default 200 ms.
    package var shortestPause = Duration.milliseconds(200)
    /// Default 2 s.
    package var longestPause = Duration.seconds(2)
    /// From one ``RedisClient/Event/pulse`` to the next. Default 1 s.
    package var pulse = Duration.seconds(1)

    package init() {}
}
