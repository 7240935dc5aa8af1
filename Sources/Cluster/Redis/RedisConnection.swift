import Threads

/// One connection to one server. Confined to the client's thread.
///
/// Replies belong to commands in the order of sending. Unexpected, too large or malformed replies close the connection: in the worst
/// case a faulty server counts as unavailable.
final class RedisConnection {
    enum Purpose {
        case commands(scripts: [String])
        case subscription(channel: String)
    }

    enum News {
        case opened
        /// The connection was lost. The reason is the server's error text if there was one.
        case lost(String)
        case message([UInt8])
    }

    private struct Waiting {
        enum Kind {
            case asked(RedisCommand.Completion)
            /// A part of the greeting, with the expected reply.
            case greeting(String)
            /// Loads a script. The reply is the script's digest.
            case script
        }

        var command: RedisCommand
        var kind: Kind
        /// Whether the script's source was sent, because the server did not have the script.
        var isWhole = false
    }

    /// Maximum number of commands without a reply. Further commands get `nil` immediately.
    static let maximumInFlight = 1024
    /// Maximum length of a server's error text in the log.
    private static let maximumReasonCharacters = 200
    /// Length of a SHA-1 in hexadecimal digits.
    private static let digestBytes = 40

    let address: RedisAddress
    private let purpose: Purpose
    private let poll: EventPoll
    private let id: UInt64
    private var core: ConnectionCore
    private var socket: RedisSocket?
    private var parser = ReplyParser()
    /// Whether a write failed.
    private var isBroken = false
    private var isResolving = false
    /// Commands without a reply, by their index on this connection.
    private var waiting: [Int: Waiting] = [:]
    private var sentCount = 0
    private var answeredCount = 0
    /// Digests of the scripts, by index. The server identifies scripts by them.
    private var digests: [[UInt8]] = []
    private let resolve: (RedisAddress) -> Void
    private let onNews: (News) -> Void

    /// - Parameters:
    ///   - id: Identifies the connection's socket in `poll`.
    ///   - resolve: Starts to look up the server's address. Call ``connect(to:now:)`` with the result.
    init(
        _ address: RedisAddress, _ purpose: Purpose, _ poll: EventPoll, id: Int, times: RedisTimes,
        resolve: @escaping (RedisAddress) -> Void, onNews: @escaping (News) -> Void
    ) {
        (self.address, self.purpose, self.poll, self.id) = (address, purpose, poll, UInt64(id))
        core = ConnectionCore(times: times, now: .now)
        (self.resolve, self.onNews) = (resolve, onNews)
    }

    /// Time at which to call ``settle(now:)`` next, or `nil` if no call is needed.
    var nextChange: ContinuousClock.Instant? { isBroken ? .now : core.nextChange }
    var isOpen: Bool { core.isOpen }

    private var listensOnly: Bool { if case .subscription = purpose { true } else { false } }

    // MARK: Commands

    func send(_ command: RedisCommand, now: ContinuousClock.Instant, completion: @escaping RedisCommand.Completion) {
        guard core.isOpen, core.inFlight < Self.maximumInFlight else { return completion(nil) }
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

    /// Writes pending commands, as far as the socket accepts them without blocking.
    func flush() {
        if socket?.flush() == false { isBroken = true }
    }

    // MARK: Timeouts and failures

    /// Closes the connection after a failed write or a late reply, and reconnects when a pause has ended.
    func settle(now: ContinuousClock.Instant) {
        if isBroken { drop(now: now, because: "the connection was closed") }
        guard let due = core.nextChange, due <= now else { return }
        switch core.tick(now: now, random: .random(in: 0..<1)) {
        case .connect:
            // An earlier lookup may still run. Its result is as good.
            if !isResolving { resolve(address) }
            isResolving = true
        case .close: end("it did not reply in time")
        case .greet, nil: break
        }
    }

    /// Closes the connection and reports the reason, unless the connection is already closed.
    func drop(now: ContinuousClock.Instant, because reason: String) {
        if core.lost(now: now, random: .random(in: 0..<1)) { end(reason) }
    }

    private func end(_ reason: String) {
        close()
        onNews(.lost(reason))
    }

    /// Closes the connection. Commands without a reply get `nil`.
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

    /// Starts to connect, unless the connection no longer needs the address.
    ///
    /// - Parameter found: Address of the server, or `nil` if its host was not found.
    func connect(to found: ServerAddress?, now: ContinuousClock.Instant) {
        isResolving = false
        guard socket == nil, core.isOpening else { return }
        guard let found else { return drop(now: now, because: "host \(address.host) not found") }
        socket = RedisSocket(to: found, poll, id: id)
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

    /// Sets which events of the socket the next wait reports. Call this before each wait.
    func watch() { socket?.watch() }

    /// Handles an event of the socket: finishes connecting, or reads replies.
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
            // The reply may have closed the connection.
            guard self.socket != nil else { return }
        }
        if let refusal { return drop(now: now, because: "\(refusal)") }
        if waiting.isEmpty, !listensOnly, parser.isWithinReply { refuse(.nothing, now: now) }
    }

    private func take(_ reply: RedisReply, now: ContinuousClock.Instant) {
        if let item = waiting.removeValue(forKey: answeredCount) {
            answeredCount += 1
            core.replied()
            replied(item, reply, now: now)
        } else if case .subscription(let channel) = purpose {
            received(reply, on: channel, now: now)
        } else {
            refuse(reply, now: now)
        }
    }

    private func replied(_ item: Waiting, _ reply: RedisReply, now: ContinuousClock.Instant) {
        switch item.kind {
        case .asked(let completion):
            if case .error(let text) = reply {
                if item.command.script != nil, !item.isWhole, text.hasPrefix("NOSCRIPT") {
                    var item = item
                    item.isWhole = true
                    return send(item, now: now)
                }
                // The server became a replica. Reconnects, because its host name may now resolve to the new primary.
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

    private func received(_ reply: RedisReply, on channel: String, now: ContinuousClock.Instant) {
        guard let words = reply.array, words.count == 3, words[1] == .bytes(Array(channel.utf8)) else {
            return refuse(reply, now: now)
        }
        if core.isOpening, words[0] == .bytes(Array("subscribe".utf8)) { return opened() }
        guard core.isOpen, words[0] == .bytes(Array("message".utf8)), let message = words[2].bytes else {
            return refuse(reply, now: now)
        }
        onNews(.message(message))
    }

    /// Closes the connection because of an unexpected reply. The reason is the server's error text if the reply is an error.
    private func refuse(_ reply: RedisReply, now: ContinuousClock.Instant) {
        guard case .error(let text) = reply else {
            return drop(now: now, because: "\(ReplyParser.Refusal.malformed)")
        }
        // The text goes to the log and may contain control characters.
        let printable = text.unicodeScalars.prefix(Self.maximumReasonCharacters).map {
            Character($0.properties.generalCategory == .control ? " " : $0)
        }
        drop(now: now, because: String(printable))
    }
}
