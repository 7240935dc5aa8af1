import Glibc
import Synchronization
import Threads

/// A client for several Redis or Valkey servers. One thread owns all connections: two to each server, for commands and for messages.
///
/// Callers never wait long for a failing server. If a command gets no reply in time, this command and all later ones get `nil` until
/// the server responds again. All methods may be called from any thread and do not block.
package final class RedisClient: Sendable {
    package enum Event: Sendable {
        /// Both connections to a server are open.
        case opened(server: Int)
        /// The connections to a server were lost or could not be opened. The reason is for people to read.
        case lost(server: Int, reason: String)
        case message(server: Int, [UInt8])
        /// Sent at regular intervals: each second by default.
        case pulse
    }

    /// The client cannot start, because the system has no thread, descriptor or memory left.
    package struct Refusal: Error {}

    package let servers: [RedisAddress]
    private let mailbox: ThreadMailbox<RedisLoopCommand>
    private let names = BlockingThreads("redis-name", count: 1, limit: 64)
    private let thread: pthread_t
    private let isJoined = Atomic(false)

    /// - Parameters:
    ///   - servers: One or more servers.
    ///   - scripts: Lua scripts. Commands identify a script by its index.
    ///   - onEvent: Called on the client's thread. Must not block.
    package init(
        _ servers: [RedisAddress], scripts: [String], channel: String, times: RedisTimes = RedisTimes(),
        onEvent: @escaping @Sendable (Event) -> Void
    ) throws(Refusal) {
        guard let poll = EventPoll() else { throw Refusal() }
        self.servers = servers
        let mailbox = ThreadMailbox<RedisLoopCommand> { poll.wake() }
        self.mailbox = mailbox
        do throws(SystemThread.Refusal) {
            thread = try SystemThread.start("redis") { [names] in
                RedisLoop(
                    poll, mailbox: mailbox, names: names, servers: servers, scripts: scripts, channel: channel,
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

    /// Sends a command. Calls `completion` once, before this method returns if the client is shut down.
    package func send(_ command: RedisCommand, to server: Int, completion: @escaping RedisCommand.Completion) {
        // The client's thread needs no wake-up: it reads its mailbox after its current work.
        let wakes = pthread_equal(pthread_self(), thread) == 0
        if !mailbox.send(.command(command, server: server, completion), wakes: wakes) { completion(nil) }
    }

    /// Sends a command and waits for its reply. `nil` if the server does not reply in time or is unavailable.
    package func reply(to command: RedisCommand, from server: Int) async -> RedisReply? {
        await withCheckedContinuation { continuation in
            send(command, to: server) { continuation.resume(returning: $0) }
        }
    }

    /// Calls `body` on the client's thread, after all earlier commands and calls. `body` must not block.
    ///
    /// - Returns: Whether `body` will be called. `false` after ``shutdown()``.
    @discardableResult
    package func call(_ body: @escaping @Sendable () -> Void) -> Bool { mailbox.send(.call(body)) }

    /// Calls `body` on the client's thread within 0.1 s (within a second if the client is idle), or as soon as a message arrives.
    ///
    /// Groups calls, because each wake-up costs the thread and the server cold caches.
    package func callLater(_ body: @escaping @Sendable () -> Void) { _ = mailbox.send(.later(body), wakes: false) }

    /// Closes the connections. First writes the pending commands, as far as the sockets accept them without blocking.
    package func shutdown() async {
        await withCheckedContinuation { mailbox.stop(by: .stop, $0) }
        names.shutdown()
        if !isJoined.exchange(true, ordering: .relaxed) { pthread_join(thread, nil) }
    }
}

/// Timeouts and pauses of a client.
package struct RedisTimes: Sendable {
    /// Timeout of a command's reply. Default 100 ms.
    package var reply = Duration.milliseconds(100)
    /// Timeout for connecting and authenticating. No caller waits for this. Default 500 ms.
    package var greeting = Duration.milliseconds(500)
    /// Pause after a first failure. Doubles with each further failure. Default 200 ms.
    package var shortestPause = Duration.milliseconds(200)
    /// Maximum pause. Default 2 s.
    package var longestPause = Duration.seconds(2)
    /// Time from one ``RedisClient/Event/pulse`` to the next. Default 1 s.
    package var pulse = Duration.seconds(1)

    package init() {}
}
