// Learns about hosts from fetches, and limits or pauses them.
extension TaskPoolCore {
    mutating func observe(
        _ fetch: FetchReport, _ ticket: Ticket<Key>, random: Double, now: Double
    ) -> (delay: Double?, rest: [Action]) {
        let failed = fetch.outcome.isWorthRetrying ? board.countFailure(ticket.slot) : 0
        var settings = limits.hosts
        settings.limit.most = limits.fetchesPerHost
        settings.limit.initial = limits.firstFetchesPerHost
        if governors.count >= max(1, limits.hostsRemembered), governors[ticket.host] == nil {
            for host in governors.keys { board.setFetchLimit(nil, host: host) }
            governors = [:]
        }
        let before = governors[ticket.host]?.rest(now: now) ?? now
        let delay = governors[ticket.host, default: HostGovernor(settings)].take(
            fetch, failed: failed, inFlight: board.fetching(host: ticket.host), now: now, random: random)
        govern(ticket.host, now)
        guard limits.isShared, fetch.outcome != .restsElsewhere, let until = governors[ticket.host]?.rest(now: now),
            until > before
        else { return (delay, []) }
        return (delay, [.rests(host: ticket.host, until: until)])
    }

    /// Bounds what was learned of hosts by this node's part of the limit.
    mutating func share(_ now: Double) {
        for host in governors.keys {
            governors[host]?.setMost(limits.fetchesPerHost)
            board.setFetchLimit(governors[host]?.limit(now: now), host: host)
        }
    }

    /// How long a host still rests, in milliseconds; nil: it does not.
    public func rest(host: Int, now: Double) -> Double? {
        guard var governor = governors[host] else { return nil }
        return governor.rest(now: now).map { $0 - now }
    }

    /// Applies what is known of a host.
    mutating func govern(_ host: Int, _ now: Double) {
        board.setFetchLimit(governors[host]?.limit(now: now), host: host)
        guard let change = governors[host]?.nextChange(after: now) else { return }
        hostWakes.push(HostWake(time: change, host: host))
    }

    struct HostWake: Comparable, Sendable {
        var time: Double
        var host: Int
        static func < (a: HostWake, b: HostWake) -> Bool { (a.time, a.host) < (b.time, b.host) }
    }
}
