import Numbers

/// How many fetches at once a host is good for: more while more of them bring more, fewer when they wait for each other
/// there or it says so.
///
/// The time is cut into rounds of a few fetches for each slot. Only fetches during which all slots were in use count: a
/// gallery asks in bursts, and what is fetched between them says nothing about the limit. Two questions are asked of a
/// round:
/// - How many fetches wait at the host for others to end? By Little's law (1961) as many as end in the time by which first
///   bytes came later than in the best round: `limit * (wait - best) / took`. TCP Vegas (Brakmo and Peterson 1995) asks the
///   same. Where it is more than a fifth of them, the limit goes down by that many, by a third at most. Where the waits
///   stay as long with fewer, it was not for them: the limit goes back, and the best moves half the way to the longer wait.
/// - Is the link full? Where the bytes of more than a third of them are coming at a time, a raised limit has to end at
///   least half of the fetches a millisecond more than it would if waiting for the first byte were all there is;
///   otherwise it goes back and stays for some rounds.
///
/// Else it is raised, by half at first (TCP's slow start), by a quarter once that has failed. A 429, a 503 or a
/// time-out halves it at once, at most once a round.
public struct AdaptiveLimit: Sendable {
    public struct Settings: Sendable, Hashable {
        /// Where it starts. Default 8, a little above the 6 that browsers allow a host.
        public var initial = 8
        /// The least. Default 1, at least 1.
        public var least = 1
        /// The most. Default 16.
        public var most = 16
        /// Rounds to stay after a raise that brought nothing. Default 10.
        public var patience = 10

        public init() {}
    }

    public private(set) var limit: Int
    private var settings: Settings
    private var round = Round()
    /// Fetches still to come that were begun under the limit before.
    private var settling = 0
    /// The shortest mean wait of a round, drifting upwards so that a route that has changed is noticed.
    private var bestWait: Double?
    /// The limit before the raise on trial.
    private var trial: (limit: Int, throughput: Double)?
    /// The limit before it was lowered for the waits.
    private var lowered: (limit: Int, wait: Double)?
    private var staying = 0
    private var hasHalved = false
    /// Whether no raise has failed yet, and there is room for more.
    private var isStarting = true

    private struct Round: Sendable {
        var fetches = 0
        var waited = 0.0
        var took = 0.0
    }

    public init(_ settings: Settings = Settings()) {
        self.settings = settings
        limit = min(max(settings.initial, settings.least, 1), max(settings.most, settings.least, 1))
    }

    /// A fetch has come in whole.
    ///
    /// - Parameters:
    ///   - waited: Milliseconds to its first byte.
    ///   - took: Milliseconds to its last byte.
    ///   - inFlight: Fetches from the host at once, this one included.
    public mutating func succeed(waited: Double, took: Double, inFlight: Int) {
        guard inFlight >= limit, waited.isFinite, waited >= 0, took.isFinite else { return }
        guard settling == 0 else {
            settling -= 1
            return
        }
        round.fetches += 1
        round.waited += waited
        round.took += max(took, waited)
        // One for each slot tells enough to go on from the start; later, noise must not move the limit.
        if round.fetches >= (isStarting ? limit : max(32, 4 * limit)), round.took > 0 { judge() }
    }

    /// Changes ``Settings/most``; a limit above it goes down to it.
    public mutating func setMost(_ most: Int) {
        settings.most = most
        if limit > max(most, least) { set(most) }
    }

    /// The host asked for less, or let a fetch time out.
    public mutating func overload() {
        guard !hasHalved else { return }
        hasHalved = true
        set(max(least, limit / 2))
        stay()
        round = Round()
    }

    private var least: Int { max(1, settings.least) }

    private mutating func set(_ new: Int) {
        let new = min(max(new, least), max(settings.most, least))
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
        // Fetches a millisecond when no slot is idle.
        let throughput = Double(limit) * fetches / round.took
        let wait = round.waited / fetches
        // Fetches whose bytes are coming, at a time.
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
            lowered = limit > least ? (limit, wait) : nil
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
        // About to wait for each other: that is where it should be.
        guard isStarting || queued < max(1, Double(limit) / 7) else { return }
        trial = (limit, throughput)
        set(limit + max(1, isStarting ? limit / 2 : limit / 4))
        if limit >= settings.most { isStarting = false }
    }
}
