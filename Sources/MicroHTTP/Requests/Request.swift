/// A request, complete: its head checked, its path decoded once and normalised, its body read to the end (unless its route
/// takes the body in pieces, see ``Router/upload(_:_:limit:handler:)``).
public struct Request: Sendable {
    public let method: Method
    /// The numeric address of the peer; empty when unknown.
    public let remoteAddress: String
    /// The body, at most as long as the route's limit.
    public internal(set) var body: [UInt8]
    /// The pattern of the route that was found, or an empty string. For metrics and logs: there are few of them.
    public package(set) var route = ""

    let target: RequestTarget
    let headers: HeaderBlock
    let framing: RequestFraming
    var parameters: [(name: String, value: Substring)] = []

    init(
        method: Method, target: RequestTarget, headers: HeaderBlock, framing: RequestFraming, remoteAddress: String,
        body: [UInt8] = []
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.framing = framing
        self.remoteAddress = remoteAddress
        self.body = body
    }

    /// A request made by hand, to try a handler without a socket.
    /// - Throws: ``RequestError`` for what the server would refuse.
    public init(
        _ method: Method, _ target: String, headers: [(String, String)] = [], body: [UInt8] = [],
        remoteAddress: String = "127.0.0.1"
    ) throws(RequestError) {
        do {
            let fields = HeaderBlock(
                headers.contains { ASCII.lowercased($0.0) == "host" } ? headers : headers + [("host", "localhost")])
            self.init(
                method: method, target: try RequestTarget(Array(target.utf8), method: method), headers: fields,
                framing: try RequestFraming(version: "HTTP/1.1", headers: fields), remoteAddress: remoteAddress,
                body: body)
        } catch let error as RequestTarget.Malformed {
            throw RequestError(status: 400, detail: error.reason)
        } catch let error as RequestFraming.Refused {
            throw RequestError(status: error.status, detail: error.reason)
        } catch {
            throw RequestError(status: 400, detail: "the request is malformed")
        }
    }

    /// The decoded path: begins with `/`; no `//`, `.`, `..` or NUL in it. `*` for `OPTIONS *`.
    public var path: String { target.path }
    /// The request target as sent.
    public var rawTarget: String { String(decoding: target.raw, as: UTF8.self) }
    /// Everything after the `?`, as sent; empty when there is nothing.
    public var rawQuery: String { String(decoding: target.query, as: UTF8.self) }
    /// The authority of the request, `host` or `host:port`: from a target in absolute form, else from the Host header.
    public var host: String? { target.authority ?? headers["host"] }
    /// Whether the client wants the connection kept after the answer.
    public var keepsAlive: Bool { framing.keepsAlive }
    /// Whether the client understands an answer in chunks (`Transfer-Encoding: chunked`), as all do but those of HTTP/1.0.
    public var takesChunks: Bool { framing.takesChunks }

    /// The decoded value of the first query parameter of this name.
    public func query(_ name: String) -> String? { target.parameter(name) }

    /// The value of a header field, by name in any case; several fields of one name are joined.
    public func header(_ name: String) -> String? { headers[name] }

    /// The value of the pattern's `{name}` in this path.
    public func parameter(_ name: String) -> String? {
        parameters.first { $0.name == name }.map { String($0.value) }
    }

    /// The parameter as a whole number of decimal digits; nil when it is none or too large.
    public func number(_ name: String) -> Int? {
        guard let text = parameters.first(where: { $0.name == name })?.value,
            !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int(text)
    }
}

/// Why a request was refused before any handler saw it.
public struct RequestError: Error, Sendable, Equatable {
    /// HTTP status, 400...505.
    public let status: Int
    public let detail: String

    public init(status: Int, detail: String) {
        self.status = status
        self.detail = detail
    }
}

/// The request methods this server knows. A well-formed token that is none of them is answered 501.
public enum Method: String, Sendable, Hashable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"
    case trace = "TRACE"
    case connect = "CONNECT"

    /// Whether the bytes are a token of RFC 9110 section 5.6.2, as every method and field name must be.
    static func isToken(_ text: some Sequence<UInt8>) -> Bool {
        var empty = true
        for byte in text {
            empty = false
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"):
                continue
            default:
                guard "!#$%&'*+-.^_`|~".utf8.contains(byte) else { return false }
            }
        }
        return !empty
    }
}
