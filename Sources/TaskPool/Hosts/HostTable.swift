import BoundedCache

/// The state of every host that has tasks, and of a bounded number of others.
///
/// Hosts never share a governor, and a host with a task is never forgotten. Of the hosts without tasks, the table first forgets
/// the host whose last task ended longest ago. Paused hosts have their own limit, so that other hosts never push them out.
package struct HostTable: Sendable {
    private struct Host: Sendable {
        var tasks = 0
        var governor: HostGovernor?
    }

    /// Number of hosts without tasks to remember. As many paused hosts are remembered in addition. At least 1.
    var capacity: Int
    private var hosts: [Int: Host] = [:]
    /// Known hosts without tasks, by when their last task ended. Paused hosts are in `paused`.
    private var idle = BoundedCache<Int, Bool>(limit: .max)
    private var paused = BoundedCache<Int, Bool>(limit: .max)

    package init(capacity: Int) { self.capacity = capacity }

    /// Number of hosts that have tasks or are known.
    package var count: Int { hosts.count }

    /// The hosts with a known state, in no order.
    package var known: [Int] { hosts.compactMap { $0.value.governor == nil ? nil : $0.key } }

    package subscript(host: Int) -> HostGovernor? { hosts[host]?.governor }

    /// Stores the state of a host that has tasks or was known.
    ///
    /// - Returns: the host forgotten to make room, if any.
    package mutating func set(_ governor: HostGovernor, of host: Int) -> Int? {
        guard let tasks = hosts[host]?.tasks else { return nil }
        hosts[host]?.governor = governor
        return tasks == 0 ? list(host) : nil
    }

    package mutating func begin(_ host: Int) {
        hosts[host, default: Host()].tasks += 1
        if hosts[host]?.tasks == 1 { unlist(host) }
    }

    /// Counts the end of one of the host's tasks.
    ///
    /// - Returns: the host forgotten to make room, if any.
    package mutating func end(_ host: Int) -> Int? {
        guard let tasks = hosts[host]?.tasks, tasks > 0 else { return nil }
        hosts[host]?.tasks = tasks - 1
        guard tasks == 1 else { return nil }
        if hosts[host]?.governor != nil { return list(host) }
        hosts[host] = nil
        return nil
    }

    package mutating func forget(_ host: Int) {
        unlist(host)
        hosts[host]?.governor = nil
        if hosts[host]?.tasks == 0 { hosts[host] = nil }
    }

    private mutating func unlist(_ host: Int) {
        idle.remove(host)
        paused.remove(host)
    }

    /// Lists a host without tasks as the newest, unless it is already listed. Returns the host forgotten to make room, if any.
    private mutating func list(_ host: Int) -> Int? {
        let isPaused = hosts[host]?.governor?.isPaused == true
        guard (isPaused ? paused : idle)[host] == nil else { return nil }
        unlist(host)
        if isPaused { paused.insert(true, for: host) } else { idle.insert(true, for: host) }
        guard (isPaused ? paused : idle).count > max(1, capacity) else { return nil }
        let oldest = (isPaused ? paused.removeOldest() : idle.removeOldest())?.key
        if let oldest { hosts[oldest] = nil }
        return oldest
    }
}
