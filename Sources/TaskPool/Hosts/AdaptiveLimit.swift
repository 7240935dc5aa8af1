/// How many fetches at once a host is good for: more while more of them bring more, fewer when it makes them wait or
/// says so.
///
/// The time is cut into rounds of a few fetches for each slot. A round in which all slots were in use is judged by its
/// throughput: if a raised limit brought at least half of what it would have if the wait for the first byte were all
/// there is, it is raised again, otherwise it goes back and stays for some rounds. A round whose first bytes took twice
/// as long as the best ones lowers it (a queue is building up at the host: the idea of TCP Vegas, Brakmo and
/// Peterson 1995), and a 429, a 503 or a time-out halves it at once, at most once a round.
public struct AdaptiveLimit: Sendable {
    public struct Settings: Sendable, Hashable {
        /// Where it starts. Default 6, what browsers allow a host.
        public var initial = 6
        /// The least. Default 1, at least 1.
        public var least = 1
        /// The most. Default 16.
        public var most = 16
        /// Rounds to stay after a raise that brought nothing. Default 10.
        public var patience = 10

        public init() {}
    }

    public private(set) var limit: Int
    private let settings: Settings
    private var round = Round()
    /// The shortest mean wait of a round, drifting upwards so that a route that has changed is noticed.
    private var bestWait: Double?
    /// What was before the raise on trial.
    private var trial: (limit: Int, throughput: Double)?
    private var staying = 0
    private var hasHalved = false

    private struct Round: Sendable {
        var fetches = 0
        var full = 0
        var bytes = 0.0
        var waited = 0.0
        var start: Double?
    }

    public init(_ settings: Settings = Settings()) {
        self.settings = settings
        limit = min(max(settings.initial, settings.least, 1), max(settings.most, settings.least, 1))
    }

    /// A fetch has come in whole.
    ///
    /// - Parameters:
    ///   - waited: Milliseconds from asking to the first byte.
    ///   - bytes: What came.
    ///   - inFlight: Fetches from the host at once, this one included.
    ///   - now: The present, in milliseconds.
    public mutating func succeed(waited: Double, bytes: Double, inFlight: Int, now: Double) {
        guard waited.isFinite, waited >= 0, bytes.isFinite, now.isFinite else { return }
        guard let start = round.start else {
            round.start = now
            return
        }
        round.fetches += 1
        round.bytes += bytes
        round.waited += waited
        if inFlight >= limit { round.full += 1 }
        if round.fetches >= max(16, 4 * limit), now > start { judge(now - start) }
    }

    /// The host asked for less, or let a fetch time out.
    public mutating func overload() {
        guard !hasHalved else { return }
        hasHalved = true
        set(max(least, limit / 2))
        trial = nil
        staying = settings.patience
        round = Round()
    }

    private var least: Int { max(1, settings.least) }

    private mutating func set(_ new: Int) { limit = min(max(new, least), max(settings.most, least)) }

    private mutating func judge(_ time: Double) {
        let throughput = round.bytes / time
        let wait = round.waited / Double(round.fetches)
        let isFull = Double(round.full) >= 0.8 * Double(round.fetches)
        let best = min(wait, (bestWait ?? wait) * 1.02)
        bestWait = best
        round = Round()
        hasHalved = false
        if wait > 2 * best + 10 {
            set(limit * 3 / 4)
            trial = nil
            staying = settings.patience
            return
        }
        guard isFull else {
            trial = nil
            return
        }
        if let before = trial, before.limit < limit {
            let raise = Double(limit) / Double(before.limit) - 1
            if throughput < before.throughput * (1 + raise / 2) {
                set(before.limit)
                trial = nil
                staying = settings.patience
                return
            }
        }
        if staying > 0 {
            staying -= 1
            return
        }
        trial = (limit, throughput)
        set(limit + max(1, limit / 4))
    }
}
