import MicroHTTP
import Synchronization
import Threads

/// Counts the wrong tokens of each address: over ``rate`` a second they are answered 429.
///
/// The right token passes all the same: someone who guesses from behind a proxy would lock out all others behind it.
/// The token's length makes guessing hopeless; this limit makes it expensive and visible.
final class WrongTokens: Sendable {
    /// A second, from one address.
    static let rate = 5.0
    /// Addresses told apart; those beyond count as one.
    static let maxAddresses = 4096

    private let buckets = Mutex<[String: TokenBucket]>([:])

    /// Counts one.
    ///
    /// - Parameter time: milliseconds.
    /// - Returns: seconds to wait where there were too many, else `nil`.
    func count(from network: String, at time: Double = Double(MonotonicClock.now) / 1e6) -> Int? {
        let wait = buckets.withLock { buckets -> Double? in
            var name = network
            if buckets[name] == nil, buckets.count >= Self.maxAddresses {
                buckets = buckets.filter { !$0.value.isFull(at: time) }
                if buckets.count >= Self.maxAddresses { name = "" }
            }
            return buckets[name, default: TokenBucket(rate: Self.rate, at: time)].take(at: time)
        }
        return wait.map { max(1, Int(($0 / 1000).rounded(.up))) }
    }
}
