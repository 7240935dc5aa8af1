/// Counts of the pool: its present tasks, and its work since it was made.
public struct TaskPoolCounts: Sendable, Equatable {
    /// Tasks waiting for a slot, by its kind.
    public var queued = ByKind()
    /// Slots taken, by kind; those being aborted are among them until they report.
    public var running = ByKind()
    /// Bytes held by tasks between fetch and render; what is being fetched counts as large as the latest were.
    public var carriedBytes = 0
    /// Tasks waiting to be tried again after a failure, or for somebody else.
    public var resting = 0
    /// Tries again so far.
    public var retries = 0
    /// Slots of tasks that were aborted and have not reported yet.
    public var aborting = 0
    /// Tasks made; one for each key from its first want to its end.
    public var created = 0
    /// Slots granted, by kind.
    public var started = ByKind()
    /// Tasks that ended ready.
    public var ready = 0
    /// Tasks that ended broken.
    public var failed = 0
    /// Tasks that ended because nobody wanted them any more, while they were waiting.
    public var cancelledQueued = 0
    /// The same, while they were running.
    public var cancelledRunning = 0
    /// Reports that came for a ticket no longer current.
    public var lateReports = 0
    /// Wants refused because their host rests.
    public var refused = 0
    /// Wants left out because a session held too many.
    public var wantsOverLimit = 0

    public init() {}

    /// Tasks cancelled, waiting or running.
    public var cancelled: Int { cancelledQueued + cancelledRunning }

    /// One number for each kind.
    public struct ByKind: Sendable, Equatable {
        public var lookUp = 0
        public var head = 0
        public var remoteHead = 0
        public var fetch = 0
        public var render = 0

        public init() {}

        public subscript(kind: SlotKind) -> Int {
            get {
                switch kind {
                case .lookUp: lookUp
                case .head: head
                case .remoteHead: remoteHead
                case .fetch: fetch
                case .render: render
                }
            }
            set {
                switch kind {
                case .lookUp: lookUp = newValue
                case .head: head = newValue
                case .remoteHead: remoteHead = newValue
                case .fetch: fetch = newValue
                case .render: render = newValue
                }
            }
        }

        public var total: Int { lookUp + head + remoteHead + fetch + render }
    }
}
