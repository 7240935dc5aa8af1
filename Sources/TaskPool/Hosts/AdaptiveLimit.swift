import Numbers

/// Finds how many concurrent fetches a host can serve. Raises the limit while more fetches bring more throughput. Lowers it if
/// fetches wait for each other at the host, or if the host reports overload.
///
/// A round is a few fetches for each slot. Only fetches during which all slots were in use count: a gallery sends requests in
/// bursts, and fetches between the bursts say nothing about the limit. Each round answers two questions:
/// - How many fetches wait at the host for others to end? Little's law (1961) gives this number: the fetches that end during
///   the extra wait for the first byte, compared with the best round, `limit * (wait - best) / took`. TCP Vegas (Brakmo and
///   Peterson 1995) uses the same estimate. If more than a fifth of the fetches wait, the limit falls by that many, by a third at
///   most. If the waits then stay as long, the limit was not their cause: it returns to the old value, and the best wait moves
///   halfway to the longer wait.
/// - Is the link full? This matters if more than a third of the fetches are receiving bytes at a time. Then a raised limit has to
///   bring at least half of the gain in fetches a millisecond that it would bring if waiting for the first byte were the only cost.
///   Otherwise the limit returns to the old value and stays there for some rounds.
///
/// If neither applies, the limit rises: by half at first (TCP's slow start), by a quarter after a first failed raise. A 429, a 503 or
/// a time-out halves the limit immediately, at most once a round.
public struct AdaptiveLimit: Sendable {
    public struct Settings: Sendable, Hashable {
        /// Initial limit. Default 8, a little above the 6 that browsers allow a host.
        public var initial = 8
        /// Minimum. Default 1, at least 1.
        public var minimum = 1
        /// Maximum. Default 16.
        public var maximum = 16
        /// Rounds to wait after a raise that brought no gain. Default 10.
        public var patience = 10

        public init() {}
    }

    public private(set) var limit: Int
    private var settings: Settings
    private var round = Round()
    /// Number of fetches in flight that started under the previous limit.
    private var settling = 0
    /// The shortest mean wait of a round. Drifts upwards, so that a change of route is noticed.
    private var bestWait: Double?
    /// The limit and throughput before the raise on trial.
    private var trial: (limit: Int, throughput: Double)?
    /// The limit and wait before the limit was lowered because of the waits.
    private var lowered: (limit: Int, wait: Double)?
    private var staying = 0
    private var hasHalved = false
    /// Whether no raise has failed yet and the limit is below the maximum.
    private var isStarting = true

    private struct Round: Sendable {
        var fetches = 0
        var waited = 0.0
        var took = 0.0
    }

    public init(_ settings: Settings = Settings()) {
        self.settings = settings
        limit = min(max(settings.initial, settings.minimum, 1), max(settings.maximum, settings.minimum, 1))
    }

    /// Records a complete fetch.
    ///
    /// - Parameters:
    ///   - waited: Milliseconds to its first byte.
    ///   - took: Milliseconds to its last byte.
    ///   - inFlight: Concurrent fetches from the host, including this one.
    public mutating func succeed(waited: Double, took: Double, inFlight: Int) {
        guard inFlight >= limit, waited.isFinite, waited >= 0, took.isFinite else { return }
        guard settling == 0 else {
            settling -= 1
            return
        }
        round.fetches += 1
        round.waited += waited
        round.took += max(took, waited)
        // At the start one fetch for each slot is enough to judge. Later, noise must not move the limit.
        if round.fetches >= (isStarting ? limit : max(32, 4 * limit)), round.took > 0 { judge() }
    }

    /// Changes ``Settings/most`` and lowers the limit to it if necessary.
    public mutating func setMaximum(_ maximum: Int) {
        settings.maximum = maximum
        if limit > max(maximum, minimum) { set(maximum) }
    }

    /// Halves the limit, at most once a round: the host reported overload, or a fetch timed out.
    public mutating func overload() {
        guard !hasHalved else { return }
        hasHalved = true
        set(max(minimum, limit / 2))
        stay()
        round = Round()
    }

    private var minimum: Int { max(1, settings.minimum) }

    private mutating func set(_ new: Int) {
        let new = min(max(new, minimum), max(settings.maximum, minimum))
        if new != limit { settling = limit }
        limit = new
    }

    private mutating func stay() {
        trial = nil
        lowered = nil
        isStarting = false
        staying = settings.patience
    }

    private mutating func judge() {
        let fetches = Double(round.fetches)
        // Fetches a millisecond if no slot is idle.
        let throughput = Double(limit) * fetches / round.took
        let wait = round.waited / fetches
        // Mean number of fetches that are receiving bytes.
        let coming = Double(limit) * (1 - round.waited / round.took)
        let best = min(wait, (bestWait ?? wait) * 1.005)
        bestWait = best
        round = Round()
        hasHalved = false
        if let before = lowered {
            lowered = nil
            if wait > before.wait * 0.95 {
                bestWait = (best + wait) / 2
                return set(before.limit)
            }
        }
        let queued = throughput * (wait - best)
        if queued > max(1.5, Double(limit) / 5) {
            lowered = limit > minimum ? (limit, wait) : nil
            trial = nil
            isStarting = false
            set(limit - min(max(1, limit / 3), Int(clamping: queued.rounded())))
            return
        }
        if let before = trial, before.limit < limit, coming > Double(limit) / 3 {
            let raise = Double(limit) / Double(before.limit) - 1
            if throughput < before.throughput * (1 + raise / 2) {
                set(before.limit)
                return stay()
            }
        }
        trial = nil
        if staying > 0 {
            staying -= 1
            return
        }
        // Fetches are about to wait for each other, so the limit is right.
        guard isStarting || queued < max(1, Double(limit) / 7) else { return }
        trial = (limit, throughput)
        set(limit + max(1, isStarting ? limit / 2 : limit / 4))
        if limit >= settings.maximum { isStarting = false }
    }
}
