/// Paces an event of which only the latest counts: sends it at once where the last one is long past, and otherwise when its
/// turn comes, once for all that happened meanwhile.
package struct EventPace: Sendable {
    /// Events a second, at most, of which each stands for all before it: half of what a screen shows.
    package static let rate = 30.0

    package enum Turn: Equatable {
        case now
        /// So many milliseconds from now, to be told by ``send(at:)``.
        case later(Double)
        /// A turn is set already; it sends this one too.
        case taken
    }

    private var next = -Double.infinity
    private var isAwaited = false

    package init() {}

    /// There is something new to send.
    ///
    /// - Parameter now: milliseconds.
    package mutating func offer(at now: Double) -> Turn {
        if isAwaited { return .taken }
        guard now < next else {
            send(at: now)
            return .now
        }
        isAwaited = true
        return .later(next - now)
    }

    /// The latest is being sent.
    package mutating func send(at now: Double) {
        next = now + 1000 / Self.rate
        isAwaited = false
    }
}
