import MicroHTTP
import Numbers
import Synchronization
import Threads

/// Counts the wrong tokens of each network. Each further response is delayed for longer, and more than ``rate`` wrong tokens per second get
/// 429.
///
/// The right token always passes without delay. Otherwise someone who guesses from behind a proxy would lock out everyone else behind it.
/// The token's length already makes guessing hopeless. The delay makes guessing expensive and visible: a connection allows one guess per
/// ``Guesses/longestDelay``, and the number of connections of an address is limited.
package final class WrongTokens: Sendable {
    /// Maximum number of wrong tokens per second from one network.
    static let rate = 5.0
    /// Maximum number of networks counted separately. All further ones are counted as one.
    package static let maxAddresses = 4096

    /// Delay of the response to a wrong token, and the wait if there were too many.
    package struct Verdict: Equatable {
        /// Delay before the response is sent.
        var delay: Duration
        /// Seconds to wait after too many wrong tokens, otherwise `nil`.
        package var wait: Int?
    }

    private let began = ContinuousClock.now
    private let clock: @Sendable () -> ContinuousClock.Instant
    private let addresses = Mutex<[String: (limit: RateLimit, guesses: Guesses)]>([:])

    package init(clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.clock = clock }

    package func count(from network: String) -> Verdict {
        let time = (clock() - began) / .milliseconds(1)
        return addresses.withLock { addresses in
            var name = network
            if addresses[name] == nil, addresses.count >= Self.maxAddresses {
                addresses = addresses.filter { $0.value.limit.arrival > time }
                if addresses.count >= Self.maxAddresses { name = "" }
            }
            var one = addresses[name] ?? (RateLimit(rate: Self.rate), Guesses())
            let wait = one.limit.take(at: time)
            let delay = one.guesses.delay(at: time)
            addresses[name] = one
            return Verdict(delay: delay, wait: wait.map { max(1, Int(clamping: ($0 / 1000).rounded(.up))) })
        }
    }
}

/// Number of recent wrong tokens of one network. The number decreases by one every ten seconds.
package struct Guesses: Sendable {
    static let longestDelay = Duration.seconds(2)
    private static let memory = 10_000.0
    /// Maximum count. Higher counts would not increase the delay and would take long to decrease.
    private static let maximum = 7.0

    private var count = 0.0
    private var last = -Double.infinity

    package init() {}

    /// Counts a wrong token and returns its delay: 50 ms for the first one, then twice the last delay for each one that follows soon.
    ///
    /// - Parameter time: milliseconds. A clock that runs backwards does not decrease the count.
    package mutating func delay(at time: Double) -> Duration {
        count = min(Self.maximum, max(0, count - max(0, time - last) / Self.memory) + 1)
        last = max(last, time)
        return min(Self.longestDelay, .milliseconds(50 << (Int(clamping: count.rounded(.up)) - 1)))
    }
}
