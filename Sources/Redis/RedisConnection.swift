import CHiredis

/// One connection to one server. Confined to the client's thread.
///
/// Callbacks of hiredis note what happened; what to do about it is decided by ``settle(now:)`` after each turn, outside of
/// all callbacks, where a connection may be closed.
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

    private enum Event {
        case connected(Bool)
        case replied(UInt64, RedisReply?)
        case lost
    }

    private struct Waiting {
        var command: RedisCommand
        /// Whether the script was sent in full, because the server did not know it.
        var isWhole = false
        /// Whether it tells the server a script, and is answered with what the server calls it.
        var loadsScript = false
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
    private var core: ConnectionCore
    private var handle: OpaquePointer?
    private var events: [Event] = []
    private var waiting: [UInt64: Waiting] = [:]
    private var lastTag: UInt64 = 0
    /// Parts of the greeting that have no reply.
    private var greetings = 0
    private var fault: String?
    /// By place, what the server calls the scripts.
    private var digests: [[UInt8]] = []
    private var writer = CommandWriter()
    private let resolve: (RedisAddress) -> Void
    private let onNews: (News) -> Void

    /// - Parameter resolve: asked for the server's numeric address, which ``connect(to:now:)`` is then told of.
    init(
        _ address: RedisAddress, _ purpose: Purpose, loop: OpaquePointer, times: RedisTimes,
        resolve: @escaping (RedisAddress) -> Void, onNews: @escaping (News) -> Void
    ) {
        (self.address, self.purpose, self.loop) = (address, purpose, loop)
        core = ConnectionCore(times: times)
        (self.resolve, self.onNews) = (resolve, onNews)
    }

    /// When ``settle(now:)`` has something to do.
    var nextChange: Int64? { events.isEmpty ? core.nextChange : 0 }
    var isOpen: Bool { core.isOpen }

    private var listensOnly: Bool { if case .subscription = purpose { true } else { false } }

    // MARK: Commands

    func send(_ command: RedisCommand, now: Int64, completion: @escaping RedisCommand.Completion) {
        guard core.isOpen, core.inFlight < Self.mostInFlight else { return completion(nil) }
        send(Waiting(command: command, completion: completion), now: now)
    }

    private func send(_ item: Waiting, now: Int64) {
        lastTag += 1
        guard let handle,
            writer.put(item.command, running: script(of: item), tag: lastTag, on: handle)
        else {
            item.completion?(nil)
            return
        }
        waiting[lastTag] = item
        core.sent(now: now)
    }

    private func script(of item: Waiting) -> CommandWriter.Script? {
        guard let script = item.command.script, case .commands(let scripts) = purpose else { return nil }
        return item.isWhole ? .whole(scripts[script]) : .digest(digests[script])
    }

    /// Writes what was sent, as far as the socket takes it.
    func flush() {
        if let handle { chiredis_flush(handle) }
    }

    // MARK: Deciding

    /// Carries out what follows from the time and from what hiredis reported.
    func settle(now: Int64) {
        while !events.isEmpty {
            let events = events
            self.events = []
            for event in events { take(event, now: now) }
        }
        guard let due = core.nextChange, due <= now else { return }
        switch core.tick(now: now, random: .random(in: 0..<1)) {
        case .connect: resolve(address)
        case .close: end("no reply in time")
        case .greet, nil: break
        }
    }

    /// Drops the connection, if there is one.
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

    /// Ends the connection. Commands without a reply are answered as away.
    func close() {
        greetings = 0
        digests = []
        if let handle { chiredis_close(handle) }
        handle = nil
        // What was reported before counts no more, but its callers are still waiting.
        events = []
        let waiting = waiting
        self.waiting = [:]
        for tag in waiting.keys.sorted() { waiting[tag]?.completion?(nil) }
    }

    // MARK: Opening

    /// - Parameter numeric: where it is, as a number; `nil` where that is not known.
    func connect(to numeric: (host: String, port: UInt16)?, now: Int64) {
        guard handle == nil, core.isOpening else { return }
        guard let numeric else {
            let reason = address.master.map { "no sentinel knows \($0)" } ?? "\(address.host) is not known"
            return drop(now: now, because: reason)
        }
        let callbacks = chiredis_callbacks(
            connected: { RedisConnection.at($0)?.events.append(.connected($1)) },
            reply: { RedisConnection.at($0)?.events.append(.replied($1, $2.map { RedisReply($0) })) },
            lost: { RedisConnection.at($0)?.events.append(.lost) })
        // Unretained: the connection is closed before this object goes.
        handle = chiredis_connect(
            loop, numeric.host, Int32(numeric.port), Unmanaged.passUnretained(self).toOpaque(), callbacks)
        if handle == nil { drop(now: now, because: "no connection") }
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> RedisConnection? {
        context.map { Unmanaged<RedisConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    private func greet(now: Int64) {
        var greeting: [Waiting] = []
        func say(_ command: RedisCommand, loadsScript: Bool = false) {
            greeting.append(Waiting(command: command, loadsScript: loadsScript))
        }
        if let password = address.password {
            let user = address.user.map { [Array($0.utf8)] } ?? []
            say(RedisCommand(words: [Array("AUTH".utf8)] + user + [Array(password.utf8)]))
        }
        switch purpose {
        case .commands(let scripts):
            if address.database != 0 { say(RedisCommand("SELECT", String(address.database))) }
            for script in scripts { say(RedisCommand("SCRIPT", "LOAD", script), loadsScript: true) }
            say(RedisCommand("PING"))
        case .subscription: break
        }
        greetings = greeting.count
        for item in greeting { send(item, now: now) }
        if case .subscription(let channel) = purpose, let handle {
            _ = writer.put(RedisCommand("SUBSCRIBE", channel), tag: Self.subscription, on: handle)
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
        if item.loadsScript, let digest = reply.bytes { digests.append(digest) }
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
