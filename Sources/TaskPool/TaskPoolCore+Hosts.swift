// Learns about hosts from fetches, and limits or pauses them.
extension TaskPoolCore {
    mutating func observe(
        _ fetch: FetchReport, _ ticket: Ticket<Key>, random: Double, now: Double
    ) -> (delay: Double?, rest: [Action]) {
        let failed = fetch.outcome.isWorthRetrying ? board.countFailure(ticket.slot) : 0
        var settings = limits.hosts
        settings.limit = adaptiveLimit
        var governor = board.hosts[ticket.host] ?? HostGovernor(settings)
        let before = governor.rest(now: now) ?? now
        let delay = governor.take(
            fetch, failed: failed, inFlight: board.fetching(host: ticket.host), now: now, random: random)
        let rest = governor.rest(now: now)
        govern(ticket.host, by: governor, now)
        guard limits.isShared, fetch.outcome != .restsElsewhere, let rest, rest > before else { return (delay, []) }
        return (delay, [.rests(ticket, until: rest)])
    }

    /// The fetches at once from one host by this node.
    private var adaptiveLimit: AdaptiveLimit.Settings {
        var settings = limits.hosts.limit
        settings.most = limits.fetchesPerHost
        settings.initial = limits.firstFetchesPerHost
        return settings
    }

    /// Bounds what was learned of hosts by this node's part of the limit.
    mutating func share(learningAgain: Bool, _ now: Double) {
        for host in board.hosts.known {
            guard var governor = board.hosts[host] else { continue }
            if learningAgain { governor.learnAgain(adaptiveLimit) } else { governor.setMost(limits.fetchesPerHost) }
            let limit = governor.limit(now: now)
            board.govern(host, by: governor, limit: limit)
        }
    }

    /// How long a host still rests, in milliseconds; nil: it does not.
    public func rest(host: Int, now: Double) -> Double? { restEnd(of: host, now).map { $0 - now } }

    /// Until when a host rests, in milliseconds; nil: it does not.
    func restEnd(of host: Int, _ now: Double) -> Double? {
        guard var governor = board.hosts[host] else { return nil }
        return governor.rest(now: now)
    }

    /// Keeps and applies what is known of a host.
    mutating func govern(_ host: Int, by governor: HostGovernor, _ now: Double) {
        var governor = governor
        let limit = governor.limit(now: now)
        board.govern(host, by: governor, limit: limit)
        guard let change = governor.nextChange(after: now) else { return }
        hostWakes.push(HostWake(time: change, host: host))
    }

    struct HostWake: Comparable, Sendable {
        var time: Double
        var host: Int
        static func < (a: HostWake, b: HostWake) -> Bool { (a.time, a.host) < (b.time, b.host) }
    }
}
