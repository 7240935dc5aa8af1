// What the pool learns of hosts, and does about it.
extension TaskPoolCore {
    mutating func observe(
        _ fetch: FetchReport, _ ticket: Ticket<Key>, random: Double, now: Double
    ) -> Double? {
        let failed = fetch.outcome.isWorthRetrying ? board.countFailure(ticket.slot) : 0
        var settings = limits.hosts
        settings.limit.most = limits.fetchPerHost
        if governors.count >= max(1, limits.hostsRemembered), governors[ticket.host] == nil {
            for host in governors.keys { board.setFetchLimit(nil, host: host) }
            governors = [:]
        }
        let delay = governors[ticket.host, default: HostGovernor(settings)].take(
            fetch, failed: failed, inFlight: board.fetching(host: ticket.host), now: now, random: random)
        govern(ticket.host, now)
        return delay
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
