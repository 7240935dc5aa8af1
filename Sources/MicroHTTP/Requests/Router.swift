/// Finds the handler of a request by method and path.
///
/// A pattern is a path whose segments are literal, `{name}` for any one segment, or, last, `{name...}` for all the rest
/// (also an empty one). A literal is preferred to a parameter, and a parameter to a rest. The most particular pattern that fits
/// a path decides its methods: others are answered 405 with `Allow`. HEAD is answered by the GET handler without
/// its body, OPTIONS with 204 and `Allow`, unless they have a handler of their own.
public struct Router: Sendable {
    /// Runs on the server's thread for requests: must not block.
    public typealias Handler = @Sendable (Request) -> Reply

    /// Renders what the server itself has to refuse: its status, what is wrong in words, and the request if its head could be
    /// understood. `Allow` and `Retry-After` are added to what this returns.
    public var errorResponse: @Sendable (_ status: Int, _ detail: String, _ request: Request?) -> Response = {
        status, detail, _ in Response(status: status, text: detail + "\n")
    }
    /// Asked before any handler, with the head of a request only.
    public var gate: (@Sendable (Request) -> Refusal?)?
    /// Headers that the answer to a request is sent with besides its own, whatever answers it: an event stream and the gate
    /// included, a raw stream not. Asked with the head of a request only.
    public var extraHeaders: (@Sendable (Request) -> [(name: String, value: String)])?
    /// Told of each request that ended.
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

    /// Every route that was added, in order: its method and its pattern.
    public private(set) var routes: [(method: Method, pattern: String)] = []

    private struct Node: Sendable {
        var literals: [(text: String, node: Int)] = []
        var parameter: Int?
        var routes: [Route] = []
        var rest: [Route] = []
    }
    private var nodes = [Node()]

    public init() {}

    /// Adds a handler that gets its request whole.
    /// - Parameters:
    ///   - method: what it answers.
    ///   - pattern: the paths it answers.
    ///   - bodyLimit: bytes of the body; nil for the server's `bodyLimit`.
    ///   - handler: what answers.
    public mutating func on(
        _ method: Method, _ pattern: String, bodyLimit: Int? = nil, handler: @escaping Handler
    ) {
        add(method, pattern, .whole(limit: bodyLimit, handler))
    }

    /// Adds a handler that may take its body in pieces as it arrives.
    /// - Parameters:
    ///   - method: what it answers.
    ///   - pattern: the paths it answers.
    ///   - limit: bytes of the body altogether; more is answered 413.
    ///   - handler: what decides, by the head of a request, how its body is taken.
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
            return .route(route, Array(zip(route.names, values)))
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

/// How a gate refuses a request.
public struct Refusal: Sendable {
    public let response: Response
    /// How long the response is held back. The connection rests meanwhile and counts as one; a client that leaves ends it.
    public let delay: Duration

    public init(_ response: Response, after delay: Duration = .zero) {
        self.response = response
        self.delay = delay
    }
}

/// A request that ended.
public struct RequestRecord: Sendable {
    /// Nil when the head could not be understood.
    public let method: Method?
    /// The pattern of its route; empty when none was found.
    public let route: String
    /// The status sent; 0 when the connection broke before there was one, 200 for a stream.
    public let status: Int
    /// Which request of the server it was, from 1.
    public let number: UInt64
    /// Its head; nil when that could not be understood.
    public let request: Request?
    /// From the end of the head to the last byte of the answer handed to the kernel.
    public let duration: Duration
    /// How long its handlers held the server's one thread for requests, while all others waited.
    public let held: Duration
}
