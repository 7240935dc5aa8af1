/// Every bound of the pool.
public struct TaskPoolLimits: Sendable, Equatable {
    /// Store look-ups at once. Default 4, at least 1.
    public var store = 4
    /// Heads at once. Default 8, at least 1.
    public var head = 8
    /// Fetches at once, over all hosts. Default 32, at least 1.
    public var fetch = 32
    /// Fetches at once from one host, at most. Default 16, at least 1. A host begins with `hosts.limit.initial` of them,
    /// and has more where they bring more.
    public var fetchPerHost = 16
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
    /// Hosts whose behaviour is remembered. Default 4,096, at least 1; above that all are forgotten.
    public var hostsRemembered = 4_096

    public init() {}

    /// Fetches at once from a host not heard of yet, at least 1.
    var firstFetchesPerHost: Int { max(1, min(fetchPerHost, hosts.limit.initial)) }

    /// The limit of a whole stage, at least 1.
    public func limit(of stage: Stage) -> Int {
        switch stage {
        case .store: max(1, store)
        case .head: max(1, head)
        case .fetch: max(1, fetch)
        case .render: max(1, render)
        }
    }
}
