/// How many fetches at once a host is good for: more while more of them bring more, fewer when it makes them wait or
/// says so.
///
/// The time is cut into rounds of a few fetches for each slot. Only fetches during which all slots were in use count: a
/// gallery asks in bursts, and what is fetched between them says nothing about the limit. A round is judged by what one
/// slot brought a millisecond, which does not depend on how many fetches are cancelled: if a raised limit brings at
/// least a third of what it would if waiting for the first byte were all there is, it is raised again, by half at first
/// (TCP's slow start) and by a quarter once a raise has brought nothing; otherwise it goes back and stays for some rounds.
/// A round whose first bytes took twice as long as the best ones lowers it (a queue is building up at the host: the idea
/// of TCP Vegas, Brakmo and Peterson 1995); what was before is tried once more two rounds later, for it may have been a
/// moment's. And a 429, a 503 or a time-out halves it at once, at most once a round.
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
    private let settings: Settings
    private var round = Round()
    /// The shortest mean wait of a round, drifting upwards so that a route that has changed is noticed.
    private var bestWait: Double?
    /// What was before the raise on trial.
    private var trial: (limit: Int, throughput: Double)?
    private var staying = 0
    /// What a round of long waits lowered it from, until that is tried again.
    private var lowered: Int?
    /// Whether it was tried again, and nothing else since.
    private var hasReturned = false
    private var hasHalved = false
    /// Whether no raise has failed yet.
    private var isStarting = true

    private struct Round: Sendable {
        var fetches = 0
        var bytes = 0.0
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
    ///   - bytes: What came.
    ///   - inFlight: Fetches from the host at once, this one included.
    public mutating func succeed(waited: Double, took: Double, bytes: Double, inFlight: Int) {
        guard inFlight >= limit, waited.isFinite, waited >= 0, took.isFinite, bytes.isFinite else { return }
        round.fetches += 1
        round.bytes += bytes
        round.waited += waited
        round.took += max(took, waited)
        // Two for each slot tell enough to go on from the start; later, noise must not move the limit.
        if round.fetches >= (isStarting ? 2 * limit : max(32, 4 * limit)), round.took > 0 { judge() }
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

    private mutating func set(_ new: Int) { limit = min(max(new, least), max(settings.most, least)) }

    private mutating func stay() {
        trial = nil
        lowered = nil
        isStarting = false
        staying = settings.patience
    }

    private mutating func judge() {
        // What all slots bring a millisecond when none is idle.
        let throughput = Double(limit) * round.bytes / round.took
        let wait = round.waited / Double(round.fetches)
        let best = min(wait, (bestWait ?? wait) * 1.02)
        bestWait = best
        round = Round()
        hasHalved = false
        if wait > 2 * best + 10 {
            let before = hasReturned ? nil : limit
            set(limit * 3 / 4)
            stay()
            lowered = before
            return
        }
        if let before = trial, before.limit < limit {
            let raise = Double(limit) / Double(before.limit) - 1
            if throughput < before.throughput * (1 + raise / 3) {
                set(before.limit)
                return stay()
            }
        }
        if staying > 0 {
            staying -= 1
            if let before = lowered, staying <= settings.patience - 2 {
                set(before)
                stay()
                hasReturned = true
            }
            return
        }
        hasReturned = false
        trial = (limit, throughput)
        set(limit + max(1, isStarting ? limit / 2 : limit / 4))
    }
}
