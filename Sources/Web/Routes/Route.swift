import Gallery
import JSON
import MicroHTTP

/// One operation of the API: its method and path, who may call it, its documentation in the terms of OpenAPI, and its handler.
///
/// ``API/routes`` lists all of them. The list registers the handlers, decides on access and is the source of the OpenAPI document.
struct Route: Sendable {
    /// A heading of the OpenAPI document.
    enum Group: String, CaseIterable {
        case galleries, sessions, server
    }

    enum Handling: Sendable {
        /// The handler gets complete requests. `bodyLimit` is in bytes, or `nil` for the server's limit.
        case whole(bodyLimit: (@Sendable (API) -> Int)? = nil, @Sendable (API, Request) -> Reply)
        /// The handler can receive the body in pieces, of at most `limit` bytes in total.
        case upload(limit: @Sendable (API) -> Int, @Sendable (API, Request) -> UploadReply)
    }

    let method: MicroHTTP.Method
    /// Pattern of the router, such as `/api/v1/galleries/{g}`.
    let path: String
    let access: RouteAccess
    /// Unique name: the `operationId`.
    let name: String
    let group: Group
    /// The effect in a few words.
    let summary: String
    let details: String?
    /// Parameters in the query and the header. The path's parameters follow from its pattern.
    let parameters: [Parameter]
    let body: RequestBody?
    let successes: [Success]
    /// Failures besides those that follow from access, path, parameters and body.
    let failures: [Failure]
    let events: [StreamEvent]
    /// Whether a server has the route.
    let isOffered: @Sendable (API) -> Bool
    let handling: Handling

    init(
        _ method: MicroHTTP.Method, _ path: String, _ access: RouteAccess, _ name: String, _ group: Group,
        _ summary: String, details: String? = nil, parameters: [Parameter] = [], body: RequestBody? = nil,
        successes: [Success], failures: [Failure] = [], events: [StreamEvent] = [],
        isOffered: @escaping @Sendable (API) -> Bool = { _ in true }, handling: Handling
    ) {
        (self.method, self.path, self.access) = (method, path, access)
        (self.name, self.group, self.summary, self.details) = (name, group, summary, details)
        (self.parameters, self.body) = (parameters, body)
        (self.successes, self.failures, self.events) = (successes, failures, events)
        (self.isOffered, self.handling) = (isOffered, handling)
    }
}

/// A body that a route requires.
struct RequestBody: Sendable {
    let contents: [Content]

    static func json(_ schema: Schema) -> RequestBody { RequestBody(contents: [.json(schema)]) }
}

/// A body of one media type.
struct Content: Sendable {
    let type: String
    /// `nil` for bytes that no schema describes.
    var schema: Schema?
    /// JSON text, or `nil` if the schema has examples.
    var example: String?

    static func json(_ schema: Schema, example: String? = nil) -> Content {
        Content(type: API.jsonType, schema: schema, example: example)
    }

    static func bytes(_ types: String...) -> [Content] { types.map { Content(type: $0) } }
}

/// A response of success.
struct Success: Sendable {
    let status: Int
    let description: String
    var contents: [Content] = []
    var headers: [Header] = []

    static func json(_ description: String, _ schema: Schema, status: Int = 200) -> Success {
        Success(status: status, description: description, contents: [.json(schema)])
    }

    /// A response whose `Location` is the address of something.
    static func located(_ description: String, _ schema: Schema, at location: String, status: Int = 201) -> Success {
        Success(
            status: status, description: description, contents: [.json(schema)],
            headers: [Header("Location", .string(format: "uri-reference"), location)])
    }

    static func noContent(_ description: String) -> Success { Success(status: 204, description: description) }

    static let notModified = Success(status: 304, description: "The client's copy is current.")

    static let stream = Success(
        status: 200, description: "Events with increasing ids; a comment at least every 15 s.",
        contents: [Content(type: "text/event-stream", schema: .string())])
}

/// A header of a response.
struct Header: Sendable {
    let name: String
    let schema: Schema
    let description: String?

    init(_ name: String, _ schema: Schema, _ description: String? = nil) {
        (self.name, self.schema, self.description) = (name, schema, description)
    }
}

/// An event of a route's stream.
struct StreamEvent: Sendable {
    let name: String
    let description: String
    let schema: Schema

    init(_ name: String, _ schema: Schema, _ description: String) {
        (self.name, self.schema, self.description) = (name, schema, description)
    }
}

/// A response of failure. The body is a problem document (RFC 9457).
struct Failure: Sendable {
    /// Name of the response in the OpenAPI document.
    let name: String
    /// `nil` for all statuses that are not listed.
    let status: Int?
    let description: String
    var headers: [Header] = []
}

extension Failure {
    private static let retryAfter = Header("Retry-After", .integer(min: 1), "In seconds.")

    static let badRequest = Failure(
        name: "BadRequest", status: 400, description: "The body is not JSON, or the request is malformed.")
    static let unauthorized = Failure(
        name: "Unauthorized", status: 401, description: "The token is missing or wrong.",
        headers: [Header("WWW-Authenticate", .constant(.string(Authentication.challenge)))])
    static let forbidden = Failure(
        name: "Forbidden", status: 403,
        description: """
            The server does not accept this Host, the request is from a page of another origin, the token only allows \
            viewing, or the gallery cannot be deleted: it was added when the server started or is an arrangement.
            """)
    static let notFound = Failure(name: "NotFound", status: 404, description: "Not found.")
    static let notAcceptable = Failure(
        name: "NotAcceptable", status: 406,
        description: "This layout cannot be described by rows. Request application/json.")
    static let noTimeline = Failure(
        name: "NoTimeline", status: 409,
        description: "The gallery is not sorted by date or has more than 2,000,000 items; detail says what to do.")
    static let noScroll = Failure(name: "NoScroll", status: 409, description: "The session has not scrolled yet.")
    static let moved = Failure(
        name: "Moved", status: 412,
        description: """
            An item is not the picture that the request means, or the gallery has another revision; field names which.
            """)
    static let tooLarge = Failure(
        name: "TooLarge", status: 413,
        description: "The body is larger than --max-body, or than --max-upload for lists.")
    static let unsupportedMediaType = Failure(
        name: "UnsupportedMediaType", status: 415, description: "The body has an unsupported media type.")
    static let unsatisfiable = Failure(
        name: "Unsatisfiable", status: 416, description: "The file has none of the bytes that Range names.",
        headers: [Header("Content-Range", .string(pattern: #"^bytes \*/[0-9]+$"#))])
    static let unprocessable = Failure(
        name: "Unprocessable", status: 422,
        description: """
            A field or query parameter is missing, has the wrong type or is out of bounds; field names it.
            """)
    static let tooMany = Failure(
        name: "TooMany", status: 429,
        description: """
            A limit is reached: sessions, galleries or archives, in total or from one address; streams; updates or \
            wrong tokens a second.
            """, headers: [retryAfter])
    static let badGateway = Failure(
        name: "BadGateway", status: 502, description: "The picture could not be fetched; a retry may help.")
    static let stopping = Failure(
        name: "Stopping", status: 503,
        description: """
            The server is stopping, or the gallery's folder does not respond, for example on a network drive, or too \
            many lists are being sent at once.
            """, headers: [retryAfter])
    static let paused = Failure(
        name: "Paused", status: 503,
        description: """
            The item's host failed or asked for a pause, or the picture took too long: try again after Retry-After. Or \
            the server is stopping.
            """, headers: [retryAfter])
    static let tooLate = Failure(name: "TooLate", status: 504, description: "No response within 60 s.")
    static let other = Failure(
        name: "Other", status: nil,
        description: "Refused by the HTTP layer: 405 with Allow, 414, 417, 431, 501, 505; and 408, which has no body.")

    /// Failures of a route that may fetch a picture.
    static let fetching = [badGateway, paused, tooLate]
}

extension Route {
    /// All failures, in the order of their status.
    var allFailures: [Failure] {
        var all = failures
        if access != .anyone { all += [.unauthorized, .forbidden, .tooMany] }
        if path.contains("{") { all.append(.notFound) }
        if body != nil { all += [.badRequest, .tooLarge, .unsupportedMediaType] }
        if body != nil || parameters.contains(where: \.isChecked) { all.append(.unprocessable) }
        if !all.contains(where: { $0.status == 503 }) { all.append(.stopping) }
        return all.sorted { $0.status ?? 600 < $1.status ?? 600 } + [.other]
    }
}
