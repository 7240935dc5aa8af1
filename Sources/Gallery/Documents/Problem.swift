import JSON
import Media
import Threads
import Thumbnails

/// An error of the API, sent as an RFC 9457 problem document (`application/problem+json`).
public struct Problem: Error, Sendable, Equatable {
    public var status: Int
    /// Message for a person: the error and how to fix it.
    public var detail: String
    /// JSON pointer to the field at fault, or `nil` if the error concerns no single field.
    public var field: String?
    /// Seconds after which a retry may succeed.
    public var retryAfter: Int?

    public init(_ status: Int, _ detail: String, field: String? = nil, retryAfter: Int? = nil) {
        self.status = status
        self.detail = detail
        self.field = field
        self.retryAfter = retryAfter
    }

    /// Returns the reason phrase of a status code (RFC 9110, section 15).
    public static func title(of status: Int) -> String {
        switch status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 417: "Expectation Failed"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        default: status < 500 ? "Request Error" : "Server Error"
        }
    }

    /// Returns a clause as a sentence, with a capital letter and a full stop.
    package static func sentence(_ clause: String) -> String {
        clause.prefix(1).uppercased() + clause.dropFirst() + "."
    }

    package var body: [UInt8] {
        var writer = JSONWriter()
        writer.object {
            $0.member("type", "about:blank")
            $0.member("title", Self.title(of: status))
            $0.member("status", status)
            $0.member("detail", detail)
            if let field { $0.member("field", field) }
        }
        return writer.bytes
    }
}

extension Problem {
    package static func unknown(_ thing: String, _ name: String) -> Problem {
        Problem(404, "There is no \(thing) \"\(name.prefix(bytes: 80))\".")
    }

    package static func unknownGallery(_ id: String) -> Problem {
        var problem = unknown("gallery", id)
        if id.contains("~") { problem.detail += " Unused arrangements expire: create it again." }
        return problem
    }

    /// Describes why an item has no picture: 503 if its host cools down or the item took too long, 502 if a retry may help, 422
    /// otherwise.
    package init(_ failure: ItemFailure) {
        let status = failure.retryAfter != nil ? 503 : failure.retryable ? 502 : 422
        self.init(
            status, "The picture is not available: \(failure.reason).", retryAfter: failure.retryAfter)
    }

    package static func tooManyStreams(_ owner: String, _ limit: Int) -> Problem {
        Problem(429, "Too many event streams of \(owner): the limit is \(limit).", retryAfter: 5)
    }

    package static var stopping: Problem { Problem(503, "The server is stopping.", retryAfter: 5) }

    /// - Parameter work: the server's current work, as a verb in -ing.
    static func busy(_ work: String) -> Problem {
        Problem(503, "The server is busy \(work); try again.", retryAfter: 1)
    }

    package init(_ refusal: BlockingThreads.Refusal, in root: FolderRoot? = nil) {
        switch refusal {
        case .busy: self = .busy("reading folders")
        case .noThread: self.init(503, "The system cannot start more threads. Try again later.", retryAfter: 5)
        case .hangs:
            self.init(
                503, "The folder \"\(root?.name ?? "")\" does not respond. Is it on a network drive that is offline?",
                retryAfter: FolderRoot.retryAfter)
        case .cancelled, .shutDown: self = .stopping
        }
    }

    package init(_ failure: LayoutFailure) {
        switch failure {
        case .busy: self = .busy("building layouts")
        case .noRoom:
            self.init(
                503, "Too many different widths and layouts are in use; try again.",
                retryAfter: 5)
        case .cancelled, .shutDown: self = .stopping
        }
    }

    package static func outOfRange(_ field: String, _ expected: String) -> Problem {
        Problem(422, "\(field) must be \(expected).", field: field)
    }
}
