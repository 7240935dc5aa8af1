/// Every bound of the pool.
public struct TaskPoolLimits: Sendable, Equatable {
    /// Tasks looked up at once, in batches of ``lookUpBatch``. Default 64, at least 1.
    public var lookUp = 64
    /// Heads of files at once. Default 8, at least 1.
    public var head = 8
    /// Fetches at once, over all hosts, heads among them. Default 32, at least 1.
    public var fetch = 32
    /// Fetches at once from one host, at most. Default 16, at least 1. A host starts with `hosts.limit.initial` of
    /// them, and the number rises while throughput rises.
    public var fetchPerHost = 16
    /// Nodes that fetch from the same hosts: each takes its part of `fetchPerHost` and of `hosts.limit.initial`, 1 at least.
    /// Default 1, at least 1.
    public var nodes = 1
    /// Whether other nodes fill the same store and heed the same rests: what is to be fetched from a host that rests is then
    /// looked up once more, and rests are told of with ``PoolAction/rests(_:until:)``. Default false.
    public var isShared = false
    /// Renders at once. Default 2, at least 1.
    public var render = 2
    /// Fetch slots, of all, that prefetching leaves free for what may become visible. Default 1, at least 0; at least
    /// one slot is always open to prefetching.
    public var fetchReserve = 1
    /// The same among the slots of one host. Default 0, at least 0: where one of eight slots is idle, a scroll that needs
    /// nine tenths of what the host gives never catches up.
    public var fetchReservePerHost = 0
    /// Bytes of what was fetched and is not rendered yet, what is being fetched counted as large as the latest were on
    /// average. At or above it nothing more is fetched; what is visible may go `carriedReserve` over it. Default 128 MiB.
    public var carriedBytes = 128 << 20
    /// Bytes above `carriedBytes` for what is visible. Default 32 MiB, at least 0.
    public var carriedReserve = 32 << 20
    /// Wants a session may hold; what is over, at the least urgent end, is left out. Default 2,000, at least 1.
    public var wantsPerSession = 2_000
    /// How hosts that fail, refuse or slow down are treated. `hosts.limit.most` is replaced by
    /// `fetchPerHost`.
    public var hosts = HostSettings()
    /// Hosts without tasks whose behaviour is remembered, and as many again of those that rest. Default 4,096, at least 1;
    /// above that the one used least recently is forgotten.
    public var hostsRemembered = 4_096

    /// Tasks of one batch of look-ups.
    public static let lookUpBatch = 16

    public init() {}

    /// Fetches at once from a host not heard of yet, at least 1.
    var firstFetchesPerHost: Int { max(1, min(fetchesPerHost, hosts.limit.initial / max(1, nodes))) }

    /// Fetches at once from one host by this node, at most; at least 1.
    var fetchesPerHost: Int { max(1, fetchPerHost / max(1, nodes)) }

    /// Slots of a kind, at least 1.
    public func limit(of kind: SlotKind) -> Int {
        switch kind {
        case .lookUp: max(1, lookUp)
        case .head: max(1, head)
        case .remoteHead, .fetch: max(1, fetch)
        case .render: max(1, render)
        }
    }
}

/// The fetches at once that hosts are allowed now.
struct FetchLimits: Sendable {
    /// Of those of which something is known.
    var hosts: [Int: Int] = [:]
    /// Of all others.
    var standard = 0

    subscript(host: Int) -> Int { hosts[host] ?? standard }
}
