import DequeModule

/// The state machine of one connection: when to connect, when a reply is late, how long to pause after a failure.
///
/// Replies arrive in the order of their commands, so only the oldest command needs a timeout.
package struct ConnectionCore: Sendable {
    package enum Action: Equatable {
        case connect
        /// Authenticate, then call ``greeted(listensOnly:)``.
        case greet
        /// Close the connection. Commands without a reply fail.
        case close
    }

    private enum State: Equatable {
        case paused(until: ContinuousClock.Instant)
        /// Connecting or authenticating.
        case opening(since: ContinuousClock.Instant)
        case open
    }

    private let times: RedisTimes
    private var state: State
    /// Send times of the commands in flight, oldest first.
    private var sent = Deque<ContinuousClock.Instant>()
    /// Consecutive failures. A reply in time resets the number.
    private var failures = 0

    /// - Parameter now: Time of the first attempt to connect.
    package init(times: RedisTimes = RedisTimes(), now: ContinuousClock.Instant) {
        self.times = times
        state = .paused(until: now)
    }

    /// Whether commands may be sent.
    package var isOpen: Bool { state == .open }

    package var isOpening: Bool { if case .opening = state { true } else { false } }

    package var inFlight: Int { sent.count }

    /// Time at which to call ``tick(now:random:)`` next, or `nil` if no call is needed.
    package var nextChange: ContinuousClock.Instant? {
        switch state {
        case .paused(let until): until
        case .opening(let since): since + times.greeting
        case .open: sent.first.map { $0 + times.reply }
        }
    }

    /// Returns the action that is due: connect after a pause, or close if a reply is late.
    ///
    /// - Parameter random: A uniform random number in 0 ..< 1. Spreads the pauses of many clients.
    package mutating func tick(now: ContinuousClock.Instant, random: Double) -> Action? {
        guard let due = nextChange, due <= now else { return nil }
        if case .paused = state {
            state = .opening(since: now)
            return .connect
        }
        return lost(now: now, random: random) ? .close : nil
    }

    package func connected() -> Action? { if case .opening = state { .greet } else { nil } }

    /// Reports that the server accepted the greeting. Resets the failures of a connection that only listens, because such a
    /// connection gets no replies.
    package mutating func greeted(listensOnly: Bool = false) {
        guard case .opening = state else { return }
        state = .open
        if listensOnly { failures = 0 }
    }

    package mutating func sent(now: ContinuousClock.Instant) { sent.append(now) }

    package mutating func replied() {
        if sent.popFirst() != nil, isOpen { failures = 0 }
    }

    /// Reports that the connection failed, could not be opened, or must be closed. Starts a pause, which doubles with each failure.
    ///
    /// - Returns: Whether the connection was open or opening.
    @discardableResult
    package mutating func lost(now: ContinuousClock.Instant, random: Double) -> Bool {
        if case .paused = state { return false }
        let pause = min(times.longestPause, times.shortestPause * (1 << min(failures, 16)))
        failures += 1
        sent = Deque()
        state = .paused(until: now + pause * (0.5 + random / 2))
        return true
    }
}
