/// Counts of the pool: its present tasks, and its work since it was created.
public struct TaskPoolCounts: Sendable, Equatable {
    /// Tasks waiting for a slot, by kind of slot.
    public var queued = ByKind()
    /// Slots taken, by kind. Includes aborted tasks until they report.
    public var running = ByKind()
    /// Bytes held by tasks between fetch and render. A running fetch counts with the average size of the latest fetches.
    public var carriedBytes = 0
    /// Tasks waiting for a retry or for an outside event.
    public var waiting = 0
    /// Retries so far.
    public var retries = 0
    /// Slots of aborted tasks that have not reported yet.
    public var aborting = 0
    /// Tasks created: one for each key from its first want to its end.
    public var created = 0
    /// Slots granted, by kind.
    public var started = ByKind()
    /// Tasks that ended ready.
    public var ready = 0
    /// Tasks that failed.
    public var failed = 0
    /// Tasks cancelled while they were waiting, because nobody wanted them any more.
    public var cancelledQueued = 0
    /// Tasks cancelled while they were running, because nobody wanted them any more.
    public var cancelledRunning = 0
    /// Reports for a ticket that was no longer current.
    public var lateReports = 0
    /// Wants refused because their host is paused.
    public var refused = 0
    /// Wants ignored because a session had too many.
    public var wantsOverLimit = 0

    public init() {}

    /// Tasks cancelled, waiting or running.
    public var cancelled: Int { cancelledQueued + cancelledRunning }

    /// One number for each kind of slot.
    public struct ByKind: Sendable, Equatable {
        public var lookUp = 0
        public var head = 0
        public var remoteHead = 0
        public var fetch = 0
        public var render = 0
        public var largeRender = 0

        public init() {}

        public subscript(kind: SlotKind) -> Int {
            get {
                switch kind {
                case .lookUp: lookUp
                case .head: head
                case .remoteHead: remoteHead
                case .fetch: fetch
                case .render: render
                case .largeRender: largeRender
                }
            }
            set {
                switch kind {
                case .lookUp: lookUp = newValue
                case .head: head = newValue
                case .remoteHead: remoteHead = newValue
                case .fetch: fetch = newValue
                case .render: render = newValue
                case .largeRender: largeRender = newValue
                }
            }
        }

        public var total: Int { lookUp + head + remoteHead + fetch + render + largeRender }
    }
}
