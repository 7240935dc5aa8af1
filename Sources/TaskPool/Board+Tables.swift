// The tables of the board: tasks, and sessions with their wants.
extension Board {
    struct TaskRow {
        var host = 0
        var serial: UInt64 = 0
        var state = State.free
        /// Sessions that want it, in the order in which they came. Few, so that a linear search beats a table.
        var wanters: [Wanter] = []
        /// How often its present stage has failed.
        var failures = 0
        /// The rests of hosts that had begun when the store was last asked for it.
        var looked: UInt64 = 0
        /// Whether a wake-up came before it began to wait.
        var goesOn = false
        /// Whether its head was read from its host, so that its fetch is of the rest.
        var isBegun = false
        /// Bytes it holds, or is expected to hold once it is fetched.
        var bytes = 0

        func isRest(_ stage: Stage) -> Bool { isBegun && stage == .fetch }

        var waitsToBeFetched: Bool {
            switch state {
            case .queued(let stage), .resting(let stage): stage.isFetch
            case .free, .running, .aborting: false
            }
        }
    }

    /// One session's want, as its latest list has it.
    struct Wanter {
        var session: Int32
        /// Place in the list.
        var rank: Int32
        /// Which list.
        var list: UInt32
        var visible: Bool
        var waitsForHost: Bool
        var isPreviewEnough: Bool
        var generation: UInt8

        /// Whether it wants the task to go through a stage. What has been fetched is rendered: it must not hold its bytes for
        /// longer than that takes.
        func wants(_ stage: Stage) -> Bool { !isPreviewEnough || stage != .fetch }
    }

    enum State: Equatable {
        case free
        case queued(Stage)
        case running(Stage)
        /// Waits to be tried again; has no place in any queue.
        case resting(Stage)
        case aborting(Stage)

        var stage: Stage? {
            switch self {
            case .free: nil
            case .queued(let stage), .running(let stage), .resting(let stage), .aborting(let stage): stage
            }
        }
    }

    struct SessionRow {
        var isOpen = false
        var wants: [Row] = []
        /// Counts the lists.
        var list: UInt32 = 0
    }

    /// A task that nobody wants any more, and what it was doing.
    struct Dropped: Sendable {
        var slot: Int32
        var was: State
    }

    /// A want, its key resolved.
    struct Row {
        var slot: Int32
        var visible: Bool
        var waitsForHost = true
        var isPreviewEnough = false
        var generation: UInt8 = 0
    }
}
