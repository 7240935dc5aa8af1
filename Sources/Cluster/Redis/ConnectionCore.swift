import DequeModule

/// The state machine of one connection: when to connect, when a reply is late, how long to wait after a failure.
///
/// Replies come in the order of their commands, so that the oldest command alone
/// tells whether anything is late.
package struct ConnectionCore: Sendable {
    package enum Action: Equatable {
        case connect
        /// Authenticate; then report ``greeted(listensOnly:)``.
        case greet
        /// Drop the connection: everything that has no reply is away.
        case close
    }

    private enum State: Equatable {
        case resting(until: ContinuousClock.Instant)
        /// Connecting or authenticating.
        case opening(since: ContinuousClock.Instant)
        case open
    }

    private let times: RedisTimes
    private var state: State
    /// When the commands were sent that have no reply.
    private var sent = Deque<ContinuousClock.Instant>()
    /// Failures in a row; a reply in time ends the row.
    private var failures = 0

    /// - Parameter now: when it connects first.
    package init(times: RedisTimes = RedisTimes(), now: ContinuousClock.Instant) {
        self.times = times
        state = .resting(until: now)
    }

    /// Whether commands may be sent.
    package var isOpen: Bool { state == .open }

    /// Whether it is connecting or authenticating.
    package var isOpening: Bool { if case .opening = state { true } else { false } }

    package var inFlight: Int { sent.count }

    /// When ``tick(now:random:)`` has something to do; `nil`: no need.
    package var nextChange: ContinuousClock.Instant? {
        switch state {
        case .resting(let until): until
        case .opening(let since): since + times.greeting
        case .open: sent.first.map { $0 + times.reply }
        }
    }

    /// - Parameter random: evenly in 0 ..< 1; spreads the pauses of many clients.
    package mutating func tick(now: ContinuousClock.Instant, random: Double) -> Action? {
        guard let due = nextChange, due <= now else { return nil }
        if case .resting = state {
            state = .opening(since: now)
            return .connect
        }
        return lost(now: now, random: random) ? .close : nil
    }

    /// The socket is connected.
    package func connected() -> Action? { if case .opening = state { .greet } else { nil } }

    /// The server has authenticated us. For a connection that only listens this ends a row of failures.
    package mutating func greeted(listensOnly: Bool = false) {
        guard case .opening = state else { return }
        state = .open
        if listensOnly { failures = 0 }
    }

    package mutating func sent(now: ContinuousClock.Instant) { sent.append(now) }

    package mutating func answered() {
        if sent.popFirst() != nil, isOpen { failures = 0 }
    }

    /// The connection broke, could not be made, or is not to be used any more.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    package mutating func lost(now: ContinuousClock.Instant, random: Double) -> Bool {
        if case .resting = state { return false }
        let pause = min(times.longestPause, times.shortestPause * (1 << min(failures, 16)))
        failures += 1
        sent = Deque()
        state = .resting(until: now + pause * (0.5 + random / 2))
        return true
    }
}
