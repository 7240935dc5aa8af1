import CHiredis
import Threads

/// The client's thread: two connections to each server, commands and messages. Confined to that thread, and so is every
/// ``Link``.
final class RedisLoop {
    private static let second: Int64 = 1_000_000

    private let loop: OpaquePointer
    private let mailbox: ThreadMailbox<RedisLetter>
    private let onEvent: @Sendable (RedisClient.Event) -> Void
    /// Of server n the links 2n, for commands, and 2n + 1, for messages.
    private var links: [Link] = []
    /// By server, whether it was said to be open.
    private var isOpen: [Bool]
    private var nextSecond = MonotonicClock.microseconds + RedisLoop.second
    private var isRunning = true

    init(
        _ loop: OpaquePointer, mailbox: ThreadMailbox<RedisLetter>, names: BlockingThreads, servers: [RedisAddress],
        scripts: [String], channel: String, onEvent: @escaping @Sendable (RedisClient.Event) -> Void
    ) {
        (self.loop, self.mailbox, self.onEvent) = (loop, mailbox, onEvent)
        isOpen = servers.map { _ in false }
        for (server, address) in servers.enumerated() {
            for purpose in [Link.Purpose.commands(scripts: scripts), .subscription(channel: channel)] {
                let place = links.count
                links.append(
                    Link(address, purpose, loop: loop) { address in
                        names.start { _ = mailbox.send(.resolved(link: place, NumericAddress.of(address))) }
                    } onNews: { [unowned self] news in
                        heard(news, of: server)
                    })
            }
        }
    }

    func run() {
        while isRunning {
            let now = MonotonicClock.microseconds
            let next = links.reduce(nextSecond) { min($0, $1.nextChange ?? .max) }
            chiredis_loop_turn(loop, max(0, next - now))
            for letter in mailbox.take() { read(letter) }
            for link in links { link.settle(now: MonotonicClock.microseconds) }
            if nextSecond <= MonotonicClock.microseconds {
                nextSecond = MonotonicClock.microseconds + Self.second
                onEvent(.second)
            }
        }
        end()
    }

    private func read(_ letter: RedisLetter) {
        let now = MonotonicClock.microseconds
        switch letter {
        case .command(let command, let server, let completion):
            // Without its messages a server tells half of what there is to know.
            guard isOpen[server] else { return completion(nil) }
            links[2 * server].send(command, now: now, completion: completion)
        case .call(let body): body()
        case .resolved(let link, let address): links[link].connect(to: address, now: now)
        case .stop: isRunning = false
        }
    }

    private func heard(_ news: Link.News, of server: Int) {
        switch news {
        case .message(let bytes): onEvent(.message(server: server, bytes))
        case .opened:
            guard !isOpen[server], links[2 * server].isOpen, links[2 * server + 1].isOpen else { return }
            isOpen[server] = true
            onEvent(.opened(server: server))
        case .lost(let reason):
            isOpen[server] = false
            onEvent(.lost(server: server, reason: reason))
            // Both begin anew: one of them says nothing where the other's line is broken.
            for link in [links[2 * server], links[2 * server + 1]] {
                link.drop(now: MonotonicClock.microseconds, because: reason)
            }
        }
    }

    private func end() {
        // What was said last, goodbyes among it, goes out if the sockets take it at once.
        for letter in mailbox.take() { read(letter) }
        chiredis_loop_turn(loop, 0)
        for link in links { link.close() }
        let (unread, waiting) = mailbox.close()
        for letter in unread {
            switch letter {
            case .command(_, _, let completion): completion(nil)
            case .call(let body): body()
            case .resolved, .stop: break
            }
        }
        chiredis_loop_destroy(loop)
        for continuation in waiting { continuation.resume() }
    }
}
