/// All limits of the pool.
public struct TaskPoolLimits: Sendable, Equatable {
    /// Maximum number of tasks looked up at the same time, in batches of ``lookUpBatch``. Default 64, at least 1.
    public var lookUp = 64
    /// Maximum number of file heads read at the same time. Default 8, at least 1.
    public var head = 8
    /// Maximum number of concurrent fetches from all hosts, including remote heads. Default 32, at least 1.
    public var fetch = 32
    /// Maximum number of concurrent fetches from one host. Default 16, at least 1. A host starts with `hosts.limit.initial`
    /// fetches, and the number rises while throughput rises.
    public var fetchPerHost = 16
    /// Number of nodes that fetch from the same hosts. Each node uses its share of `fetchPerHost` and of `hosts.limit.initial`, at
    /// least 1. Default 1, at least 1.
    public var nodes = 1
    /// Whether other nodes fill the same store and respect the same host pauses. If so, the pool looks up a task again before it
    /// waits for a paused host, and reports pauses with ``PoolAction/paused(_:until:)``. Default false.
    public var isShared = false
    /// Maximum number of concurrent renders, not counting one large picture. Default 2, at least 1.
    public var render = 2
    /// Number of all fetch slots that prefetching leaves free for pictures that may become visible. Default 1, at least 0. At least
    /// one slot is always open to prefetching.
    public var fetchReserve = 1
    /// Number of one host's slots that prefetching leaves free. Default 0, at least 0. If one of eight slots is idle, a scroll that
    /// needs nine tenths of the host's throughput never catches up.
    public var fetchReservePerHost = 0
    /// Limit of bytes that are fetched and not rendered yet. A running fetch counts with the average size of the latest fetches.
    /// At or above this limit no new fetch starts, but visible tasks may exceed it by `carriedReserve`. Default 128 MiB.
    public var carriedBytes = 128 << 20
    /// Bytes above `carriedBytes` for visible tasks. Default 32 MiB, at least 0.
    public var carriedReserve = 32 << 20
    /// Maximum number of wants of a session. The pool ignores the least urgent wants beyond it. Default 2,000, at least 1.
    public var wantsPerSession = 2_000
    /// How the pool treats hosts that fail, refuse or slow down. `fetchPerHost` replaces `hosts.limit.maximum`.
    public var hosts = HostSettings()
    /// Maximum number of hosts without tasks whose state is remembered. As many paused hosts are remembered in addition. Default
    /// 4,096, at least 1. Beyond the limit, the pool forgets the least recently used host.
    public var hostsRemembered = 4_096

    /// Number of tasks in one batch of look-ups.
    public static let lookUpBatch = 16

    public init() {}

    /// Initial number of concurrent fetches from an unknown host, at least 1.
    var firstFetchesPerHost: Int { max(1, min(fetchesPerHost, hosts.limit.initial / max(1, nodes))) }

    /// Maximum number of this node's concurrent fetches from one host, at least 1.
    var fetchesPerHost: Int { max(1, fetchPerHost / max(1, nodes)) }

    /// Returns the number of slots of a kind, at least 1.
    public func limit(of kind: SlotKind) -> Int {
        switch kind {
        case .lookUp: max(1, lookUp)
        case .head: max(1, head)
        case .remoteHead, .fetch: max(1, fetch)
        case .render: max(1, render)
        case .largeRender: 1
        }
    }
}

/// The number of concurrent fetches that each host is allowed now.
struct FetchLimits: Sendable {
    /// Limits of known hosts.
    var hosts: [Int: Int] = [:]
    /// Limit of all other hosts.
    var standard = 0

    subscript(host: Int) -> Int { hosts[host] ?? standard }
}
