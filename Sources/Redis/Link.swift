import CHiredis

/// One connection to one server. Confined to the client's thread.
///
/// Callbacks of hiredis note what happened; what to do about it is decided by ``settle(now:)`` after each turn, outside of
/// all callbacks, where a connection may be closed.
final class Link {
    enum Purpose {
        case commands(scripts: [String])
        /// Listens to one channel.
        case subscription(channel: String)
    }

    enum News {
        case opened
        /// It is away, with the reason, in the words of the server where it said any.
        case lost(String)
        case message([UInt8])
    }

    private enum Event {
        case connected(Bool)
        case replied(UInt64, RedisReply?)
        case lost
    }

    private struct Waiting {
        var command: RedisCommand
        /// Whether the script was sent in full, because the server did not know it.
        var isWhole = false
        /// `nil` for a part of the greeting.
        var completion: RedisCommand.Completion?
    }

    /// Commands without a reply, at most. Those beyond are answered as away at once.
    static let mostInFlight = 1024
    /// The tag of a subscription's messages.
    private static let subscription: UInt64 = 0

    let address: RedisAddress
    private let loop: OpaquePointer
    private let purpose: Purpose
    private var core = LinkCore()
    private var connection: OpaquePointer?
    private var events: [Event] = []
    private var waiting: [UInt64: Waiting] = [:]
    private var lastTag: UInt64 = 0
    /// Parts of the greeting that have no reply.
    private var greetings = 0
    private var fault: String?
    /// By place, what the server calls the scripts.
    private var digests: [[UInt8]] = []
    private let resolve: (RedisAddress) -> Void
    private let onNews: (News) -> Void

    /// - Parameter resolve: asked for the server's numeric address, which ``connect(to:now:)`` is then told of.
    init(
        _ address: RedisAddress, _ purpose: Purpose, loop: OpaquePointer,
        resolve: @escaping (RedisAddress) -> Void, onNews: @escaping (News) -> Void
    ) {
        (self.address, self.purpose, self.loop) = (address, purpose, loop)
        (self.resolve, self.onNews) = (resolve, onNews)
    }

    var nextChange: Int64? { core.nextChange }
    var isOpen: Bool { core.isOpen }

    private var listensOnly: Bool { if case .subscription = purpose { true } else { false } }

    // MARK: Commands

    func send(_ command: RedisCommand, now: Int64, completion: @escaping RedisCommand.Completion) {
        guard core.isOpen, core.inFlight < Self.mostInFlight else { return completion(nil) }
        send(Waiting(command: command, completion: completion), now: now)
    }

    private func send(_ item: Waiting, now: Int64) {
        lastTag += 1
        guard let connection, Self.put(words(of: item), tag: lastTag, on: connection) else {
            item.completion?(nil)
            return
        }
        waiting[lastTag] = item
        core.sent(now: now)
    }

    private func words(of item: Waiting) -> [[UInt8]] {
        guard let script = item.command.script, case .commands(let scripts) = purpose else { return item.command.words }
        return item.isWhole
            ? [Array("EVAL".utf8), Array(scripts[script].utf8)] + item.command.words
            : [Array("EVALSHA".utf8), digests[script]] + item.command.words
    }

    private static func put(_ words: [[UInt8]], tag: UInt64, on connection: OpaquePointer) -> Bool {
        let lengths = words.map(\.count)
        return words.flatMap { $0 }.withUnsafeBytes { bytes in
            // An empty buffer has no address; a command never is one.
            guard let start = bytes.bindMemory(to: CChar.self).baseAddress else { return false }
            return chiredis_send(connection, Int32(words.count), start, lengths, tag)
        }
    }

    // MARK: Deciding

    /// Carries out what follows from the time and from what hiredis reported.
    func settle(now: Int64) {
        while !events.isEmpty {
            let events = events
            self.events = []
            for event in events { take(event, now: now) }
        }
        switch core.tick(now: now, random: .random(in: 0..<1)) {
        case .connect: resolve(address)
        case .close: end("no reply in time")
        case .greet, nil: break
        }
    }

    /// Gives a connection up, if there is one.
    func drop(now: Int64, because reason: String) {
        if core.lost(now: now, random: .random(in: 0..<1)) { end(reason) }
    }

    private func take(_ event: Event, now: Int64) {
        switch event {
        case .connected(true): if core.connected() == .greet { greet(now: now) }
        case .connected(false): drop(now: now, because: "no connection")
        case .lost: drop(now: now, because: "the connection was closed")
        case .replied(Self.subscription, let reply): heard(reply, now: now)
        case .replied(let tag, let reply): replied(tag, reply, now: now)
        }
    }

    private func end(_ reason: String) {
        close()
        onNews(.lost(fault ?? reason))
        fault = nil
    }

    /// Ends the connection. Everything that has no reply is told so.
    func close() {
        greetings = 0
        digests = []
        if let connection { chiredis_close(connection) }
        connection = nil
        // What was reported before counts no more, but its callers are still waiting.
        events = []
        let waiting = waiting
        self.waiting = [:]
        for tag in waiting.keys.sorted() { waiting[tag]?.completion?(nil) }
    }

    // MARK: Opening

    /// - Parameter numeric: where it is, as a number; `nil` where that is not known.
    func connect(to numeric: (host: String, port: UInt16)?, now: Int64) {
        guard connection == nil, core.isOpening else { return }
        guard let numeric else {
            let reason = address.master.map { "no sentinel knows \($0)" } ?? "\(address.host) is not known"
            return drop(now: now, because: reason)
        }
        let callbacks = chiredis_callbacks(
            connected: { Link.at($0)?.events.append(.connected($1)) },
            reply: { Link.at($0)?.events.append(.replied($1, $2.map { RedisReply($0) })) },
            lost: { Link.at($0)?.events.append(.lost) })
        // Unretained: the connection is closed before the link goes.
        connection = chiredis_connect(
            loop, numeric.host, Int32(numeric.port), Unmanaged.passUnretained(self).toOpaque(), callbacks)
        if connection == nil { drop(now: now, because: "no connection") }
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> Link? {
        context.map { Unmanaged<Link>.fromOpaque($0).takeUnretainedValue() }
    }

    private func greet(now: Int64) {
        var commands: [RedisCommand] = []
        if let password = address.password {
            let user = address.user.map { [Array($0.utf8)] } ?? []
            commands.append(RedisCommand(words: [Array("AUTH".utf8)] + user + [Array(password.utf8)]))
        }
        switch purpose {
        case .commands(let scripts):
            if address.database != 0 { commands.append(RedisCommand("SELECT", String(address.database))) }
            commands += scripts.map { RedisCommand("SCRIPT", "LOAD", $0) }
            commands.append(RedisCommand("PING"))
        case .subscription: break
        }
        greetings = commands.count
        for command in commands { send(Waiting(command: command), now: now) }
        if case .subscription(let channel) = purpose, let connection {
            _ = Self.put(RedisCommand("SUBSCRIBE", channel).words, tag: Self.subscription, on: connection)
        }
    }

    // MARK: Replies

    private func replied(_ tag: UInt64, _ reply: RedisReply?, now: Int64) {
        guard var item = waiting.removeValue(forKey: tag) else { return }
        guard let reply else {
            item.completion?(nil)
            return
        }
        core.answered()
        if case .error(let text) = reply {
            if item.command.script != nil, !item.isWhole, text.hasPrefix("NOSCRIPT") {
                item.isWhole = true
                return send(item, now: now)
            }
            // A replica: another is the one to write to, and its name may lead there by now.
            if text.hasPrefix("READONLY") || item.completion == nil {
                fault = text
                item.completion?(reply)
                return drop(now: now, because: text)
            }
        }
        guard item.completion == nil else {
            item.completion?(reply)
            return
        }
        if item.command.words.first == Array("SCRIPT".utf8), let digest = reply.bytes { digests.append(digest) }
        greetings -= 1
        if greetings == 0, !listensOnly { opened() }
    }

    private func heard(_ reply: RedisReply?, now: Int64) {
        switch reply {
        case .error(let text)?:
            fault = text
            drop(now: now, because: text)
        case .array(let words)? where words.count == 3:
            switch words[0].bytes.map({ String(decoding: $0, as: UTF8.self) }) {
            case "subscribe": opened()
            case "message": if let message = words[2].bytes { onNews(.message(message)) }
            default: break
            }
        default: break
        }
    }

    private func opened() {
        core.greeted(listensOnly: listensOnly)
        onNews(.opened)
    }
}
