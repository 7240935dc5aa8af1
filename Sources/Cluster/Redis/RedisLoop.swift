import Glibc
import Threads

/// The client's thread: two connections to each server, commands and messages. Confined to that thread, and so is every
/// ``RedisConnection``.
final class RedisLoop {
    private static let second = Duration.seconds(1)
    /// How long what has time waits at most, while there was a letter within the last second.
    private static let glance = Duration.milliseconds(100)
    /// Calls that wait for others, at most.
    private static let mostLater = 32
    /// Rounds of letters that lead to letters, before sockets have their turn.
    private static let mostRounds = 4

    private let waker: Waker
    private let mailbox: ThreadMailbox<RedisLoopCommand>
    private let onEvent: @Sendable (RedisClient.Event) -> Void
    /// Of server n the connections 2n, for commands, and 2n + 1, for messages.
    private var connections: [RedisConnection] = []
    /// By server, whether it was said to be open.
    private var isOpen: [Bool]
    private let pulse: Duration
    private var nextPulse: ContinuousClock.Instant
    /// When there was a letter or a message last.
    private var lastLetter: ContinuousClock.Instant?
    /// Calls that have time, and since when they wait.
    private var later: [@Sendable () -> Void] = []
    private var laterSince = ContinuousClock.now
    /// Whether a message came, which one of them may answer.
    private var isLaterDue = false
    private var isRunning = true

    init(
        _ waker: Waker, mailbox: ThreadMailbox<RedisLoopCommand>, names: BlockingThreads, servers: [RedisAddress],
        scripts: [String], channel: String, times: RedisTimes,
        onEvent: @escaping @Sendable (RedisClient.Event) -> Void
    ) {
        (self.waker, self.mailbox, self.onEvent) = (waker, mailbox, onEvent)
        pulse = times.pulse
        nextPulse = ContinuousClock.now + pulse
        isOpen = servers.map { _ in false }
        for (server, address) in servers.enumerated() {
            for purpose in [RedisConnection.Purpose.commands(scripts: scripts), .subscription(channel: channel)] {
                let place = connections.count
                connections.append(
                    RedisConnection(address, purpose, times: times) { address in
                        names.start {
                            let found = ServerAddress(host: address.host, port: address.port)
                            _ = mailbox.send(.resolved(connection: place, found))
                        }
                    } onNews: { [unowned self] news in
                        heard(news, of: server)
                    })
            }
        }
    }

    func run() {
        var isDone = true
        while isRunning {
            let now = ContinuousClock.now
            var next = connections.reduce(nextPulse) { min($0, $1.nextChange ?? $0) }
            if let lastLetter, lastLetter > now - Self.second { next = min(next, now + Self.glance) }
            turn(isDone ? max(.zero, next - now) : .zero)
            if nextPulse <= ContinuousClock.now {
                nextPulse = ContinuousClock.now + pulse
                onEvent(.pulse)
            }
            isDone = deliver()
        }
        end()
    }

    /// Waits for sockets, a letter, or so long, and takes in what has come.
    private func turn(_ wait: Duration) {
        var polled = connections.map(\.polled) + [pollfd(fd: waker.descriptor, events: Int16(POLLIN), revents: 0)]
        guard poll(&polled, nfds_t(polled.count), wait.pollMilliseconds) > 0 else { return }
        waker.clear()
        let now = ContinuousClock.now
        for (connection, polled) in zip(connections, polled) where polled.revents != 0 { connection.read(now: now) }
    }

    /// Takes in what was reported and sent, and what that leads to; then writes all of it at once.
    ///
    /// - Returns: whether nothing is left.
    private func deliver() -> Bool {
        defer { for connection in connections { connection.flush() } }
        for _ in 0..<Self.mostRounds {
            for connection in connections { connection.settle(now: ContinuousClock.now) }
            let letters = mailbox.take()
            if !letters.isEmpty { lastLetter = ContinuousClock.now }
            for letter in letters { read(letter) }
            if !callLater(), letters.isEmpty { return true }
        }
        return false
    }

    /// - Returns: whether it was time.
    private func callLater() -> Bool {
        defer { isLaterDue = false }
        guard !later.isEmpty,
            isLaterDue || !isRunning || later.count >= Self.mostLater
                || ContinuousClock.now - laterSince >= Self.glance
        else { return false }
        let bodies = later
        later = []
        for body in bodies { body() }
        return true
    }

    private func read(_ letter: RedisLoopCommand) {
        let now = ContinuousClock.now
        switch letter {
        case .command(let command, let server, let completion):
            // Without its messages a server tells half of what there is to know.
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

    private func heard(_ news: RedisConnection.News, of server: Int) {
        switch news {
        case .message(let bytes):
            lastLetter = ContinuousClock.now
            isLaterDue = true
            onEvent(.message(server: server, bytes))
        case .opened:
            guard !isOpen[server], connections[2 * server].isOpen, connections[2 * server + 1].isOpen else { return }
            isOpen[server] = true
            onEvent(.opened(server: server))
        case .lost(let reason):
            isOpen[server] = false
            onEvent(.lost(server: server, reason: reason))
            // Both begin anew: one of them says nothing where the other's line is broken.
            for connection in [connections[2 * server], connections[2 * server + 1]] {
                connection.drop(now: ContinuousClock.now, because: reason)
            }
        }
    }

    private func end() {
        // The last messages, goodbyes among them, are sent if the sockets take it at once.
        _ = deliver()
        for connection in connections { connection.close() }
        let (unread, waiting) = mailbox.close()
        for letter in unread {
            switch letter {
            case .command(_, _, let completion): completion(nil)
            case .call(let body), .later(let body): body()
            case .resolved, .stop: break
            }
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// Wakes a thread that waits for sockets: one of its own, which can be read once ``wake()`` was called.
final class Waker: Sendable {
    /// To be waited for.
    let descriptor: Int32
    private let other: Int32

    /// `nil` where there is no descriptor left.
    init?() {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        (descriptor, other) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(other)
    }

    /// Any thread. Fails only where there is more to read than fits, which wakes as well.
    func wake() {
        var byte: UInt8 = 1
        send(other, &byte, 1, Int32(MSG_NOSIGNAL))
    }

    func clear() {
        var byte: UInt8 = 0
        while recv(descriptor, &byte, 1, 0) > 0 {}
    }
}

/// A message from another thread to the client's thread.
enum RedisLoopCommand: Sendable {
    case command(RedisCommand, server: Int, RedisCommand.Completion)
    case call(@Sendable () -> Void)
    /// To be called with others, as it has time.
    case later(@Sendable () -> Void)
    /// Where a connection's server is; `nil` where that is not known.
    case resolved(connection: Int, ServerAddress?)
    case stop
}
