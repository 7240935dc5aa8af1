/// A complete request. Its head is checked, its path is decoded once and normalised, and its body is read to the end. The body is empty if
/// the route receives it in pieces, see ``Router/upload(_:_:limit:handler:)``.
public struct Request: Sendable {
    public let method: Method
    /// Numeric address of the peer, or empty if unknown.
    public let remoteAddress: String
    /// Body of the request, at most as long as the route's limit.
    public internal(set) var body: [UInt8]
    /// Pattern of the matching route, or an empty string. Suits metrics and logs, because there are few patterns.
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

    /// Creates a request without a socket, to test a handler.
    /// - Throws: ``RequestError`` if the server would refuse the request.
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

    /// Decoded path. Begins with `/` and contains no `//`, `.` segment, `..` segment or NUL. `*` for `OPTIONS *`.
    public var path: String { target.path }
    /// Request target as sent.
    public var rawTarget: String { String(decoding: target.raw, as: UTF8.self) }
    /// The part after the `?` as sent, or empty if there is none.
    public var rawQuery: String { String(decoding: target.query, as: UTF8.self) }
    /// Authority of the request, `host` or `host:port`. From a target in absolute form, otherwise from the Host header.
    public var host: String? { target.authority ?? headers["host"] }
    /// Whether the client wants to keep the connection after the response.
    public var keepsAlive: Bool { framing.keepsAlive }
    /// Whether the client accepts a chunked response (`Transfer-Encoding: chunked`). All clients except those of HTTP/1.0 do.
    public var takesChunks: Bool { framing.takesChunks }

    /// Returns the decoded value of the first query parameter with this name.
    public func query(_ name: String) -> String? { target.parameter(name) }

    /// Returns the value of a header field. The case of the name does not matter. Values of repeated fields are joined.
    public func header(_ name: String) -> String? { headers[name] }

    /// Returns the path segment that matches `{name}` in the route's pattern.
    public func parameter(_ name: String) -> String? {
        parameters.first { $0.name == name }.map { String($0.value) }
    }

    /// Returns the path parameter as a whole number of decimal digits, or `nil` if it is not a number or too large.
    public func number(_ name: String) -> Int? {
        guard let text = parameters.first(where: { $0.name == name })?.value,
            !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int(text)
    }
}

/// Reason why the server refused a request before calling a handler.
public struct RequestError: Error, Sendable, Equatable {
    /// HTTP status, 400...505.
    public let status: Int
    public let detail: String

    public init(status: Int, detail: String) {
        self.status = status
        self.detail = detail
    }
}

/// Request methods known to this server. Other well-formed methods get 501.
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

    /// Whether the bytes are a token (RFC 9110, section 5.6.2), as every method and field name must be.
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
