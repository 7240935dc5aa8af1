import Numbers

/// The reason why a picture has no thumbnail. The description is short enough for the picture's cell.
public enum RenderError: Error, Sendable, Equatable {
    /// The bytes are not in a supported picture format. The value says what they look like.
    case notAPicture(String)
    case unsupported(String)
    /// The picture exceeds a limit of ``RenderLimits``.
    case overLimit(String)
    /// The bytes end before the picture does.
    case truncated(String)
    /// The picture violates its own format.
    case broken(String)
    /// The worker was stopped after this many seconds.
    case tooSlow(seconds: Double)
    /// The worker process ended while it rendered the picture.
    case workerDied(String)
    /// The worker was stopped, starved or killed from outside. The same happened to the worker that retried the picture.
    case interrupted(String)
    case noWorker(String)
    /// The requesting task was cancelled before the picture was rendered.
    case cancelled
    /// ``Renderer/shutdown()`` was called.
    case shutDown

    package static func notBuiltIn(_ kind: PictureKind) -> RenderError {
        .unsupported("\(kind.rawValue) in this build of Lookahead")
    }

    /// Whether rendering the same bytes may succeed later.
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

/// Formats a number of seconds or megapixels without trailing zeros: `5`, `2.5`.
package func decimal(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
    let tenths = (value * 10).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(clamping: tenths))" : "\(tenths)"
}
