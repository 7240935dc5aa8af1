import MicroHTTP
import Numbers
import Synchronization
import Threads

/// Counts the wrong tokens of each address: each is answered later than the last, and those over ``rate`` a second 429.
///
/// The right token passes all the same, and at once: someone who guesses from behind a proxy would lock out all others behind it.
/// The token's length makes guessing hopeless; this makes it expensive and visible: every connection is good for one guess in
/// ``Guesses/longestDelay``, and an address has only so many connections.
package final class WrongTokens: Sendable {
    /// A second, from one address.
    static let rate = 5.0
    /// Addresses told apart; those beyond count as one.
    package static let maxAddresses = 4096

    /// How a wrong token is answered.
    package struct Answer: Equatable {
        /// How long the answer is held back.
        var delay: Duration
        /// Seconds to wait where there were too many, else `nil`.
        package var wait: Int?
    }

    private let began = ContinuousClock.now
    private let clock: @Sendable () -> ContinuousClock.Instant
    private let addresses = Mutex<[String: (bucket: TokenBucket, guesses: Guesses)]>([:])

    package init(clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.clock = clock }

    /// Counts one.
    package func count(from network: String) -> Answer {
        let time = (clock() - began) / .milliseconds(1)
        return addresses.withLock { addresses in
            var name = network
            if addresses[name] == nil, addresses.count >= Self.maxAddresses {
                addresses = addresses.filter { !$0.value.bucket.isFull(at: time) }
                if addresses.count >= Self.maxAddresses { name = "" }
            }
            var one = addresses[name] ?? (TokenBucket(rate: Self.rate, at: time), Guesses())
            let wait = one.bucket.take(at: time)
            let delay = one.guesses.delay(at: time)
            addresses[name] = one
            return Answer(delay: delay, wait: wait.map { max(1, Int(clamping: ($0 / 1000).rounded(.up))) })
        }
    }
}

/// The wrong tokens of one address, as far as they are remembered: one is forgotten every ten seconds.
package struct Guesses: Sendable {
    static let longestDelay = Duration.seconds(2)
    private static let memory = 10_000.0
    /// More would change nothing, and be remembered for long.
    private static let most = 7.0

    private var count = 0.0
    private var last = -Double.infinity

    package init() {}

    /// Counts one: the first is answered after 50 ms, and each that comes soon after twice as late as the last.
    ///
    /// - Parameter time: milliseconds; a clock that runs backwards forgets nothing.
    package mutating func delay(at time: Double) -> Duration {
        count = min(Self.most, max(0, count - max(0, time - last) / Self.memory) + 1)
        last = max(last, time)
        return min(Self.longestDelay, .milliseconds(50 << (Int(clamping: count.rounded(.up)) - 1)))
    }
}
