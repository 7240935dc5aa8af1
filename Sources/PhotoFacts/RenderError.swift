import Numbers

/// Why a picture has no thumbnail, in words short enough for its cell.
public enum RenderError: Error, Sendable, Equatable {
    /// The bytes are of no picture format read here: what they look like.
    case notAPicture(String)
    /// A picture, but of a kind that is not read here.
    case unsupported(String)
    /// A limit of ``RenderLimits`` would be crossed.
    case overLimit(String)
    /// The bytes end before the picture does.
    case truncated(String)
    /// The picture contradicts its own format.
    case broken(String)
    /// The worker was stopped after this many seconds.
    case tooSlow(seconds: Double)
    /// The worker process ended in the middle of the picture.
    case workerDied(String)
    /// The worker was stopped, starved or killed from outside, and so was another that got the picture after it.
    case interrupted(String)
    /// No worker process could be started.
    case noWorker(String)
    /// The task that asked was cancelled before its picture's turn came.
    case cancelled
    /// ``Renderer/shutdown()`` has been called.
    case shutDown

    package static func notBuiltIn(_ kind: PictureKind) -> RenderError {
        .unsupported("\(kind.rawValue) in this build of Lookahead")
    }

    /// Whether the same bytes may well be rendered at another time.
    public var retryable: Bool {
        switch self {
        case .notAPicture, .unsupported, .overLimit, .broken: false
        case .truncated, .tooSlow, .workerDied, .interrupted, .noWorker, .cancelled, .shutDown: true
        }
    }
}

extension RenderError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notAPicture(let what): "not a picture: \(what)"
        case .unsupported(let what): "not supported: \(what)"
        case .overLimit(let what): what
        case .truncated(let what): "incomplete: \(what)"
        case .broken(let what): "broken picture: \(what)"
        case .tooSlow(let seconds): "took longer than \(decimal(seconds)) s"
        case .workerDied(let how): "the render worker crashed: \(how)"
        case .interrupted(let how): "the render worker was interrupted: \(how)"
        case .noWorker(let why): "the render worker could not start: \(why)"
        case .cancelled: "cancelled"
        case .shutDown: "the renderer is shut down"
        }
    }
}

/// `5`, `2.5`: a number of seconds or megapixels without a tail of zeros.
package func decimal(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
    let tenths = (value * 10).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(clamping: tenths))" : "\(tenths)"
}
