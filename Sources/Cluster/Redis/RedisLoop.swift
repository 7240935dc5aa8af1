import Glibc
import Threads

/// The run loop of the client's thread, with two connections to each server. The loop and every ``RedisConnection`` are confined to
/// that thread.
final class RedisLoop {
    private static let second = Duration.seconds(1)
    /// Maximum delay of delayed calls, and maximum sleep if there was activity within the last second.
    private static let glance = Duration.milliseconds(100)
    /// Maximum number of delayed calls. One more is not delayed.
    private static let maximumLater = 32
    /// Maximum rounds through the mailbox before the loop polls the sockets again. Handling a command may send further commands.
    private static let maximumRounds = 4

    private let poll: EventPoll
    private var ready: [EventPoll.Ready] = []
    private let mailbox: ThreadMailbox<RedisLoopCommand>
    private let onEvent: @Sendable (RedisClient.Event) -> Void
    /// Connections of all servers. Server n has the connections 2n (commands) and 2n + 1 (messages).
    private var connections: [RedisConnection] = []
    /// Whether each server was reported as open.
    private var isOpen: [Bool]
    private let pulse: Duration
    private var nextPulse: ContinuousClock.Instant
    /// Time of the last loop command or message.
    private var lastActivity: ContinuousClock.Instant?
    private var later: [@Sendable () -> Void] = []
    /// Time at which the first delayed call arrived.
    private var laterSince = ContinuousClock.now
    /// Whether to make the delayed calls now. Set when a message arrives, because a delayed call may respond to it.
    private var isLaterDue = false
    private var isRunning = true

    init(
        _ poll: EventPoll, mailbox: ThreadMailbox<RedisLoopCommand>, names: BlockingThreads, servers: [RedisAddress],
        scripts: [String], channel: String, times: RedisTimes,
        onEvent: @escaping @Sendable (RedisClient.Event) -> Void
    ) {
        (self.poll, self.mailbox, self.onEvent) = (poll, mailbox, onEvent)
        pulse = times.pulse
        nextPulse = ContinuousClock.now + pulse
        isOpen = servers.map { _ in false }
        for (server, address) in servers.enumerated() {
            for purpose in [RedisConnection.Purpose.commands(scripts: scripts), .subscription(channel: channel)] {
                let place = connections.count
                connections.append(
                    RedisConnection(address, purpose, poll, id: place, times: times) { address in
                        names.start {
                            let found = ServerAddress(host: address.host, port: address.port)
                            _ = mailbox.send(.resolved(connection: place, found))
                        }
                    } onNews: { [unowned self] news in
                        received(news, of: server)
                    })
            }
        }
    }

    func run() {
        var isDone = true
        while isRunning {
            let now = ContinuousClock.now
            var next = connections.reduce(nextPulse) { min($0, $1.nextChange ?? $0) }
            if let lastActivity, lastActivity > now - Self.second { next = min(next, now + Self.glance) }
            turn(isDone ? max(.zero, next - now) : .zero)
            if nextPulse <= ContinuousClock.now {
                nextPulse = ContinuousClock.now + pulse
                onEvent(.pulse)
            }
            isDone = deliver()
        }
        end()
    }

    /// Waits until a socket is ready, the mailbox wakes the thread, or `wait` has passed. Reads the sockets that are ready.
    private func turn(_ wait: Duration) {
        for connection in connections { connection.watch() }
        poll.wait(wait, &ready)
        let now = ContinuousClock.now
        for one in ready { connections[Int(one.id)].read(now: now) }
    }

    /// Handles the mailbox and everything that follows, then writes all new commands together.
    ///
    /// - Returns: Whether the mailbox is empty.
    private func deliver() -> Bool {
        defer { for connection in connections { connection.flush() } }
        for _ in 0..<Self.maximumRounds {
            for connection in connections { connection.settle(now: ContinuousClock.now) }
            let received = mailbox.take()
            if !received.isEmpty { lastActivity = ContinuousClock.now }
            for item in received { handle(item) }
            if !callLater(), received.isEmpty { return true }
        }
        return false
    }

    /// Makes the delayed calls if they are due.
    ///
    /// - Returns: Whether they were due.
    private func callLater() -> Bool {
        defer { isLaterDue = false }
        guard !later.isEmpty,
            isLaterDue || !isRunning || later.count >= Self.maximumLater
                || ContinuousClock.now - laterSince >= Self.glance
        else { return false }
        let bodies = later
        later = []
        for body in bodies { body() }
        return true
    }

    private func handle(_ item: RedisLoopCommand) {
        let now = ContinuousClock.now
        switch item {
        case .command(let command, let server, let completion):
            // Uses a server only if both connections are open: the client needs its messages, too.
            guard isOpen[server] else { return completion(nil) }
            connections[2 * server].send(command, now: now, completion: completion)
        case .call(let body): body()
        case .later(let body):
            if later.isEmpty { laterSince = now }
            later.append(body)
        case .resolved(let connection, let address): connections[connection].connect(to: address, now: now)
        case .stop: isRunning = false
        }
    }

    private func received(_ news: RedisConnection.News, of server: Int) {
        switch news {
        case .message(let bytes):
            lastActivity = ContinuousClock.now
            isLaterDue = true
            onEvent(.message(server: server, bytes))
        case .opened:
            guard !isOpen[server], connections[2 * server].isOpen, connections[2 * server + 1].isOpen else { return }
            isOpen[server] = true
            onEvent(.opened(server: server))
        case .lost(let reason):
            isOpen[server] = false
            onEvent(.lost(server: server, reason: reason))
            // Closes both connections: the other one may not notice that the link is broken.
            for connection in [connections[2 * server], connections[2 * server + 1]] {
                connection.drop(now: ContinuousClock.now, because: reason)
            }
        }
    }

    private func end() {
        // Sends the last commands, such as the node's deregistration, if the sockets accept them without blocking.
        _ = deliver()
        for connection in connections { connection.close() }
        let (unread, waiting) = mailbox.close()
        for item in unread {
            switch item {
            case .command(_, _, let completion): completion(nil)
            case .call(let body), .later(let body): body()
            case .resolved, .stop: break
            }
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// A message from another thread to the client's thread.
enum RedisLoopCommand: Sendable {
    case command(RedisCommand, server: Int, RedisCommand.Completion)
    case call(@Sendable () -> Void)
    /// A call that may be delayed and grouped with others.
    case later(@Sendable () -> Void)
    /// The address of a connection's server, or `nil` if the host was not found.
    case resolved(connection: Int, ServerAddress?)
    case stop
}
