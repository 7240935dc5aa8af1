/// Does the work of a task, stage by stage.
public protocol TaskRunning: Sendable {
    associatedtype Key: Hashable & Sendable
    /// The data that a stage passes to the next and, at the end, to the sessions that wanted it.
    associatedtype Work: Sendable

    /// Runs one stage. `work` is what the stage before handed over, nil in the first. To stop it, the pool cancels the
    /// Swift task that it runs in; it should then return `.cancelled` soon, since its slot is taken until it returns.
    func run(_ ticket: Ticket<Key>, carrying work: Work?) async -> StageOutcome<Work>

    /// Bytes of memory that `work` holds while it waits for the next stage. Default 0.
    func bytes(of work: Work) -> Int
}

extension TaskRunning {
    public func bytes(of work: Work) -> Int { 0 }
}

/// The outcome of a stage.
public enum StageOutcome<Work: Sendable>: Sendable {
    /// Go on in a later stage with this.
    case advance(to: Stage, carrying: Work)
    /// Run this stage again with this, after so many milliseconds or once ``TaskPool/goOn(with:)`` is called; the slot is free
    /// meanwhile. What waits and is wanted no more is let go with what it carries.
    case wait(upTo: Double, carrying: Work)
    /// A preview for the sessions that want it now; another outcome follows.
    indirect case preview(Work, StageOutcome)
    /// Done altogether.
    case ready(Work)
    /// Broken.
    case failed(any Error & Sendable)
    /// Stopped, because the pool had asked.
    case cancelled
    /// One of the above, and how the fetch went. The pool learns from it how to treat the host, and a `failed` that is
    /// worth it is tried again later instead, with the same work.
    indirect case fetched(FetchReport, StageOutcome)
}

extension StageOutcome {
    /// - Parameter bytes: what the work that goes on holds.
    func report(bytes: Int) -> StageReport {
        switch self {
        case .advance(let stage, _): .advance(to: stage, bytes: bytes)
        case .wait(let time, _): .wait(upTo: time)
        case .ready: .ready
        case .failed: .failed
        case .cancelled: .cancelled
        case .fetched(_, let outcome), .preview(_, let outcome): outcome.report(bytes: bytes)
        }
    }

    var fetch: FetchReport? {
        switch self {
        case .fetched(let report, _): report
        case .preview(_, let outcome): outcome.fetch
        case .advance, .wait, .ready, .failed, .cancelled: nil
        }
    }

    /// What is shown meanwhile.
    var preview: Work? {
        switch self {
        case .preview(let work, _): work
        case .fetched(_, let outcome): outcome.preview
        case .advance, .wait, .ready, .failed, .cancelled: nil
        }
    }

    /// What goes on in the next stage.
    package var carried: Work? {
        switch self {
        case .advance(_, let work), .wait(_, let work): work
        case .fetched(_, let outcome), .preview(_, let outcome): outcome.carried
        case .ready, .failed, .cancelled: nil
        }
    }

    /// What those who wanted it are told.
    var result: Result<Work, any Error> {
        switch self {
        case .ready(let work): .success(work)
        case .failed(let error): .failure(error)
        case .cancelled: .failure(CancellationError())
        case .advance(let stage, _): .failure(WrongStage(stage: stage))
        case .wait: .failure(CancellationError())
        case .fetched(_, let outcome), .preview(_, let outcome): outcome.result
        }
    }
}

/// A want that does not wait, for a host that rests: see ``PoolWant/waitsForHost``.
public struct HostRests: Error, Equatable {
    /// How long it still rests, in milliseconds.
    public var milliseconds: Double
}

/// A runner asked to go on in a stage that does not come later.
public struct WrongStage: Error, Equatable {
    public var stage: Stage
}
