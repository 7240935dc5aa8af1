/// Finds the handler of a request by method and path.
///
/// A pattern is a path. Its segments are literals, `{name}` for any single segment, or `{name...}` at the end for all remaining segments,
/// including none. A literal has priority over a parameter, and a parameter over `{name...}`. The most specific matching pattern decides
/// which methods are allowed. Other methods get 405 with `Allow`. Without handlers of their own, HEAD uses the GET handler and omits the
/// body, and OPTIONS gets 204 with `Allow`.
public struct Router: Sendable {
    /// Handles a request on the server's request thread. Must not block.
    public typealias Handler = @Sendable (Request) -> Reply

    /// Creates the response to a request that the server itself refuses, from its status, a message, and the request if its head could be
    /// parsed. The server adds `Allow` and `Retry-After`.
    public var errorResponse: @Sendable (_ status: Int, _ detail: String, _ request: Request?) -> Response = {
        status, detail, _ in Response(status: status, text: detail + "\n")
    }
    /// Called before any handler, with only the head of a request. Returns a refusal, or `nil` to let the request pass.
    public var gate: (@Sendable (Request) -> Refusal?)?
    /// Returns additional headers for every response, including event streams and refusals of the gate, but not raw streams. Called with
    /// only the head of a request.
    public var extraHeaders: (@Sendable (Request) -> [(name: String, value: String)])?
    /// Called after each request.
    public var observer: (@Sendable (RequestRecord) -> Void)?

    enum Handling: Sendable {
        case whole(limit: Int?, Handler)
        case upload(limit: Int, @Sendable (Request) -> UploadReply)
    }

    struct Route: Sendable {
        let method: Method
        let pattern: String
        let names: [String]
        let handling: Handling
    }

    enum Match: Sendable {
        case route(Route, [(name: String, value: Substring)])
        case allow(String, pattern: String)
        case nothing
    }

    /// Method and pattern of all routes, in the order of their addition.
    public private(set) var routes: [(method: Method, pattern: String)] = []

    private struct Node: Sendable {
        var literals: [(text: String, node: Int)] = []
        var parameter: Int?
        var routes: [Route] = []
        var rest: [Route] = []
    }
    private var nodes = [Node()]

    public init() {}

    /// Adds a handler that gets complete requests.
    /// - Parameter bodyLimit: maximum size of the body in bytes, or `nil` for the server's `bodyLimit`.
    public mutating func on(
        _ method: Method, _ pattern: String, bodyLimit: Int? = nil, handler: @escaping Handler
    ) {
        add(method, pattern, .whole(limit: bodyLimit, handler))
    }

    /// Adds a handler that can receive the body in pieces as they arrive.
    /// - Parameters:
    ///   - limit: maximum total size of the body in bytes. Larger bodies get 413.
    ///   - handler: closure that decides from the head of a request how to receive its body.
    public mutating func upload(
        _ method: Method, _ pattern: String, limit: Int, handler: @escaping @Sendable (Request) -> UploadReply
    ) {
        add(method, pattern, .upload(limit: limit, handler))
    }

    private mutating func add(_ method: Method, _ pattern: String, _ handling: Handling) {
        routes.removeAll { $0 == (method, pattern) }
        routes.append((method, pattern))
        var at = 0
        var names: [String] = []
        for segment in pattern.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            guard segment.first == "{", segment.last == "}" else {
                if let known = nodes[at].literals.first(where: { $0.text == segment }) {
                    at = known.node
                } else {
                    nodes.append(Node())
                    nodes[at].literals.append((String(segment), nodes.count - 1))
                    at = nodes.count - 1
                }
                continue
            }
            let name = segment.dropFirst().dropLast()
            if name.hasSuffix("...") {
                names.append(String(name.dropLast(3)))
                let route = Route(method: method, pattern: pattern, names: names, handling: handling)
                nodes[at].rest.removeAll { $0.method == method }
                nodes[at].rest.append(route)
                return
            }
            names.append(String(name))
            if let known = nodes[at].parameter {
                at = known
            } else {
                nodes.append(Node())
                nodes[at].parameter = nodes.count - 1
                at = nodes.count - 1
            }
        }
        nodes[at].routes.removeAll { $0.method == method }
        nodes[at].routes.append(Route(method: method, pattern: pattern, names: names, handling: handling))
    }

    func match(_ method: Method, _ path: String) -> Match {
        if path == "*" {
            return .allow(Self.allow(Method.allCases.filter { $0 != .connect && $0 != .trace }), pattern: "*")
        }
        var values: [Substring] = []
        guard let routes = find(path[...].dropFirst(), 0, &values), let first = routes.first else { return .nothing }
        let exact = routes.first { $0.method == method }
        if let route = exact ?? (method == .head ? routes.first { $0.method == .get } : nil) {
            return .route(route, zip(route.names, values).map { (name: $0, value: $1) })
        }
        return .allow(Self.allow(routes.map(\.method)), pattern: first.pattern)
    }

    private func find(_ rest: Substring, _ at: Int, _ values: inout [Substring]) -> [Route]? {
        let node = nodes[at]
        let end = rest.utf8.firstIndex(of: UInt8(ascii: "/"))
        let segment = rest[..<(end ?? rest.endIndex)]
        func deeper(_ next: Int) -> [Route]? {
            guard let end else { return nodes[next].routes.isEmpty ? nil : nodes[next].routes }
            return find(rest[rest.utf8.index(after: end)...], next, &values)
        }
        for literal in node.literals where literal.text == segment {
            if let found = deeper(literal.node) { return found }
        }
        if let next = node.parameter, !segment.isEmpty {
            values.append(segment)
            if let found = deeper(next) { return found }
            values.removeLast()
        }
        guard !node.rest.isEmpty else { return nil }
        values.append(rest)
        return node.rest
    }

    private static func allow(_ methods: [Method]) -> String {
        var all = methods
        if all.contains(.get) { all.append(.head) }
        all.append(.options)
        return Method.allCases.filter(all.contains).map(\.rawValue).joined(separator: ", ")
    }
}

/// A gate's refusal of a request.
public struct Refusal: Sendable {
    public let response: Response
    /// Delay before the response is sent. The connection is suspended during the delay, but still counts. The wait ends if the client
    /// leaves.
    public let delay: Duration

    public init(_ response: Response, after delay: Duration = .zero) {
        self.response = response
        self.delay = delay
    }
}

/// Record of a finished request.
public struct RequestRecord: Sendable {
    /// Method of the request, or `nil` if its head could not be parsed.
    public let method: Method?
    /// Pattern of the matching route, or empty if there is none.
    public let route: String
    /// Status sent. 0 if the connection broke before a response, 200 for a stream.
    public let status: Int
    /// Serial number of the request since the start of the server, from 1.
    public let number: UInt64
    /// Head of the request, or `nil` if it could not be parsed.
    public let request: Request?
    /// Time from the end of the request's head until the kernel accepted the last byte of the response.
    public let duration: Duration
    /// How long the handlers blocked the server's only request thread and so delayed all other requests.
    public let held: Duration
}
