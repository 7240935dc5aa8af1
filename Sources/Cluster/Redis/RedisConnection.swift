import Glibc

/// One connection to one server. Confined to the client's thread.
///
/// Replies are matched to commands by their order. What nobody asked for, what is too large and what is no reply end the
/// connection: whatever a server says, it is away at worst.
final class RedisConnection {
    enum Purpose {
        case commands(scripts: [String])
        /// Listens to one channel.
        case subscription(channel: String)
    }

    enum News {
        case opened
        /// It is away, with the server's own reason if it gave one.
        case lost(String)
        case message([UInt8])
    }

    private struct Waiting {
        enum Kind {
            case asked(RedisCommand.Completion)
            /// A part of the greeting, and the answer to it.
            case greeting(String)
            /// Tells the server a script, and is answered with what the server calls it.
            case script
        }

        var command: RedisCommand
        var kind: Kind
        /// Whether the script was sent in full, because the server did not know it.
        var isWhole = false
    }

    /// Commands without a reply, at most. Those beyond are answered as away at once.
    static let mostInFlight = 1024
    /// Of a server's own reason, at most.
    private static let mostReasonCharacters = 200
    /// SHA-1, in hexadecimal digits.
    private static let digestBytes = 40

    let address: RedisAddress
    private let purpose: Purpose
    private var core: ConnectionCore
    private var socket: RedisSocket?
    private var parser = ReplyParser()
    /// Whether writing has failed.
    private var isBroken = false
    /// Whether the server's address is being looked up.
    private var isResolving = false
    /// Commands without a reply, by their number on this connection.
    private var waiting: [Int: Waiting] = [:]
    private var sentCount = 0
    private var answeredCount = 0
    /// By place, what the server calls the scripts.
    private var digests: [[UInt8]] = []
    private let resolve: (RedisAddress) -> Void
    private let onNews: (News) -> Void

    /// - Parameter resolve: asked where the server is, which ``connect(to:now:)`` is then told of.
    init(
        _ address: RedisAddress, _ purpose: Purpose, times: RedisTimes, resolve: @escaping (RedisAddress) -> Void,
        onNews: @escaping (News) -> Void
    ) {
        (self.address, self.purpose) = (address, purpose)
        core = ConnectionCore(times: times, now: .now)
        (self.resolve, self.onNews) = (resolve, onNews)
    }

    /// When ``settle(now:)`` has something to do.
    var nextChange: ContinuousClock.Instant? { isBroken ? .now : core.nextChange }
    var isOpen: Bool { core.isOpen }

    private var listensOnly: Bool { if case .subscription = purpose { true } else { false } }

    // MARK: Commands

    func send(_ command: RedisCommand, now: ContinuousClock.Instant, completion: @escaping RedisCommand.Completion) {
        guard core.isOpen, core.inFlight < Self.mostInFlight else { return completion(nil) }
        send(Waiting(command: command, kind: .asked(completion)), now: now)
    }

    private func send(_ item: Waiting, now: ContinuousClock.Instant) {
        let script = script(of: item)
        guard let socket, socket.send({ item.command.write(running: script, to: &$0) }) else {
            if case .asked(let completion) = item.kind { completion(nil) }
            return
        }
        waiting[sentCount] = item
        sentCount += 1
        core.sent(now: now)
    }

    private func script(of item: Waiting) -> RedisCommand.Script? {
        guard let script = item.command.script, case .commands(let scripts) = purpose else { return nil }
        return item.isWhole ? .whole(scripts[script]) : .digest(digests[script])
    }

    /// Writes what was sent, as far as the socket takes it.
    func flush() {
        if socket?.flush() == false { isBroken = true }
    }

    // MARK: Deciding

    /// Carries out what follows from the time and from what could not be written.
    func settle(now: ContinuousClock.Instant) {
        if isBroken { drop(now: now, because: "the connection was closed") }
        guard let due = core.nextChange, due <= now else { return }
        switch core.tick(now: now, random: .random(in: 0..<1)) {
        case .connect:
            // The last answer may be on its way still, and serves as well.
            if !isResolving { resolve(address) }
            isResolving = true
        case .close: end("it did not reply in time")
        case .greet, nil: break
        }
    }

    /// Drops the connection, if there is one.
    func drop(now: ContinuousClock.Instant, because reason: String) {
        if core.lost(now: now, random: .random(in: 0..<1)) { end(reason) }
    }

    private func end(_ reason: String) {
        close()
        onNews(.lost(reason))
    }

    /// Ends the connection. Commands without a reply are answered as away.
    func close() {
        digests = []
        socket = nil
        isBroken = false
        parser = ReplyParser()
        let unanswered = (answeredCount..<sentCount).compactMap { waiting[$0] }
        (waiting, sentCount, answeredCount) = ([:], 0, 0)
        for case .asked(let completion) in unanswered.map(\.kind) { completion(nil) }
    }

    // MARK: Opening

    /// - Parameter found: Address of the server, or `nil` if its host was not found.
    func connect(to found: ServerAddress?, now: ContinuousClock.Instant) {
        isResolving = false
        guard socket == nil, core.isOpening else { return }
        guard let found else { return drop(now: now, because: "host \(address.host) not found") }
        socket = RedisSocket(to: found)
        if socket == nil { drop(now: now, because: "no connection") }
    }

    private func greet(now: ContinuousClock.Instant) {
        func say(_ command: RedisCommand, _ kind: Waiting.Kind) {
            send(Waiting(command: command, kind: kind), now: now)
        }
        if let authentication = address.authentication { say(authentication, .greeting("OK")) }
        switch purpose {
        case .commands(let scripts):
            if address.database != 0 { say(RedisCommand("SELECT", String(address.database)), .greeting("OK")) }
            for script in scripts { say(RedisCommand("SCRIPT", "LOAD", script), .script) }
            say(RedisCommand("PING"), .greeting("PONG"))
        case .subscription(let channel):
            let subscribe = RedisCommand("SUBSCRIBE", channel)
            socket?.send { subscribe.write(to: &$0) }
        }
    }

    private func opened() {
        core.greeted(listensOnly: listensOnly)
        onNews(.opened)
    }

    // MARK: Replies

    /// The socket and events that the client's thread waits for.
    var polled: pollfd { socket?.polled ?? pollfd(fd: -1, events: 0, revents: 0) }

    /// Takes in what has come, once there was any event of the socket.
    func read(now: ContinuousClock.Instant) {
        guard let socket else { return }
        if !socket.isConnected {
            guard socket.finishConnecting() else { return drop(now: now, because: "no connection") }
            if core.connected() == .greet { greet(now: now) }
            return
        }
        guard let bytes = socket.receive() else { return drop(now: now, because: "the connection was closed") }
        var replies: [RedisReply] = []
        var refusal: ReplyParser.Refusal?
        do throws(ReplyParser.Refusal) { try parser.read(bytes, into: &replies) } catch { refusal = error }
        for reply in replies {
            take(reply, now: now)
            // It may have ended the connection.
            guard self.socket != nil else { return }
        }
        if let refusal { return drop(now: now, because: "\(refusal)") }
        if waiting.isEmpty, !listensOnly, parser.isWithinReply { refuse(.nothing, now: now) }
    }

    private func take(_ reply: RedisReply, now: ContinuousClock.Instant) {
        if let item = waiting.removeValue(forKey: answeredCount) {
            answeredCount += 1
            core.answered()
            answered(item, reply, now: now)
        } else if case .subscription(let channel) = purpose {
            heard(reply, on: channel, now: now)
        } else {
            refuse(reply, now: now)
        }
    }

    private func answered(_ item: Waiting, _ reply: RedisReply, now: ContinuousClock.Instant) {
        switch item.kind {
        case .asked(let completion):
            if case .error(let text) = reply {
                if item.command.script != nil, !item.isWhole, text.hasPrefix("NOSCRIPT") {
                    var item = item
                    item.isWhole = true
                    return send(item, now: now)
                }
                // A replica: another is the one to write to, and its name may lead there by now.
                if text.hasPrefix("READONLY") {
                    completion(reply)
                    return refuse(reply, now: now)
                }
            }
            completion(reply)
        case .script:
            guard let digest = reply.bytes, digest.count == Self.digestBytes else { return refuse(reply, now: now) }
            digests.append(digest)
        case .greeting(let expected):
            guard reply == .bytes(Array(expected.utf8)) else { return refuse(reply, now: now) }
            if waiting.isEmpty, !listensOnly { opened() }
        }
    }

    private func heard(_ reply: RedisReply, on channel: String, now: ContinuousClock.Instant) {
        guard let words = reply.array, words.count == 3, words[1] == .bytes(Array(channel.utf8)) else {
            return refuse(reply, now: now)
        }
        if core.isOpening, words[0] == .bytes(Array("subscribe".utf8)) { return opened() }
        guard core.isOpen, words[0] == .bytes(Array("message".utf8)), let message = words[2].bytes else {
            return refuse(reply, now: now)
        }
        onNews(.message(message))
    }

    /// Ends the connection because of a reply: with its own words where it is an error.
    private func refuse(_ reply: RedisReply, now: ContinuousClock.Instant) {
        guard case .error(let text) = reply else {
            return drop(now: now, because: "\(ReplyParser.Refusal.malformed)")
        }
        // It goes to the log, and may be anything.
        let printable = text.unicodeScalars.prefix(Self.mostReasonCharacters).map {
            Character($0.properties.generalCategory == .control ? " " : $0)
        }
        drop(now: now, because: String(printable))
    }
}
