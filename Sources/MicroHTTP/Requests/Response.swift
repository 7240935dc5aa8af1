import CMicroHTTPD
import Glibc

/// An answer, built once: it can be sent any number of times, by any thread, without being copied.
///
/// Content-Length, Date and Connection are set when it is sent. Browsers must take its Content-Type as it is: every response has
/// `X-Content-Type-Options: nosniff`.
public final class Response: Sendable {
    /// 200...599.
    public let status: Int
    public let headers: [(name: String, value: String)]

    private let content: Content
    /// Objects kept alive until the body is sent.
    private let owner: (any AnyObject & Sendable)?
    /// Sends the body in pieces, and its size.
    let pieces: (size: Int, send: @Sendable (ByteStream) -> Void)?
    let handle: Handle

    /// The library counts references to a response under its own lock, and a response is not changed once it is built.
    struct Handle: @unchecked Sendable { let pointer: OpaquePointer? }
    /// Written before the library gets it, and only read until the library frees it, which is not before `deinit`.
    private struct Content: @unchecked Sendable { let bytes: UnsafeRawBufferPointer }

    /// - Parameters:
    ///   - status: 200...599; anything else becomes 500.
    ///   - headers: fields that cannot be sent (line breaks in them) are left out.
    ///   - body: copied once, here.
    ///   - owner: kept until the response is gone and the last connection that it goes out on has sent it. Who takes it too
    ///     slowly is cut off: see ``ServerConfiguration/minimumKeptRate``.
    public init(
        status: Int = 200, headers: [(name: String, value: String)] = [], body: some Collection<UInt8> = [],
        keeping owner: (any AnyObject & Sendable)? = nil
    ) {
        self.status = (200...599).contains(status) ? status : 500
        self.headers = Self.withoutSniffing(headers)
        let count = body.count
        var bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        if count > 0, let memory = malloc(count) {
            bytes = UnsafeMutableRawBufferPointer(start: memory, count: count)
            bytes.copyBytes(from: body)
        }
        // When memory is short the handle is nil, and sending it closes the connection.
        let pointer =
            count > 0 && bytes.count == 0
            ? nil
            : micro_response(
                bytes.baseAddress, bytes.count, owner.map { Unmanaged.passRetained($0).toOpaque() },
                { if let owner = $0 { Unmanaged<AnyObject>.fromOpaque(owner).release() } })
        content = Content(bytes: UnsafeRawBufferPointer(rebasing: pointer == nil ? bytes[..<0] : bytes[...]))
        self.owner = owner
        pieces = nil
        handle = Handle(pointer: pointer)
        addHeaders()
    }

    /// A response whose body is sent piece by piece, on a connection taken over from the parser.
    ///
    /// - Parameters:
    ///   - status: 200...599; anything else becomes 500.
    ///   - headers: fields that cannot be sent (line breaks in them) are left out.
    ///   - size: bytes of the body.
    ///   - send: called on the server's thread once the head is written; must not block. Writes the body, then calls
    ///     ``ByteStream/finish(keepAlive:)``, or ``ByteStream/abort()`` if the body cannot be completed. Not called for HEAD.
    public init(
        status: Int = 200, headers: [(name: String, value: String)] = [], size: Int,
        send: @escaping @Sendable (ByteStream) -> Void
    ) {
        self.status = (200...599).contains(status) ? status : 500
        self.headers = Self.withoutSniffing(headers)
        content = Content(bytes: UnsafeRawBufferPointer(start: nil, count: 0))
        owner = nil
        pieces = (max(0, size), send)
        // The library sends only the head: the answer to HEAD.
        handle = Handle(pointer: micro_sized_response(UInt64(max(0, size))))
        addHeaders()
    }

    /// Text of a media type, UTF-8.
    public convenience init(
        status: Int = 200, type: String = "text/plain; charset=utf-8", headers: [(name: String, value: String)] = [],
        text: String
    ) {
        self.init(status: status, headers: [("Content-Type", type)] + headers, body: Array(text.utf8))
    }

    private static func withoutSniffing(_ headers: [(name: String, value: String)]) -> [(name: String, value: String)] {
        let header = (name: "X-Content-Type-Options", value: "nosniff")
        return headers.contains { $0.name == header.name } ? headers : headers + [header]
    }

    private func addHeaders() {
        guard let pointer = handle.pointer else { return }
        for (name, value) in headers { _ = MHD_add_response_header(pointer, name, value) }
    }

    deinit {
        if let pointer = handle.pointer { MHD_destroy_response(pointer) }
    }

    /// Bytes of a body with which something is kept; `nil` where nothing is.
    var keptCount: Int? { owner == nil ? nil : content.bytes.count }

    /// A copy of the body; empty if it is sent in pieces.
    public var body: [UInt8] { Array(content.bytes) }

    /// The first header of this name, in any case.
    public func header(_ name: String) -> String? {
        let wanted = ASCII.lowercased(name)
        return headers.first { ASCII.lowercased($0.name) == wanted }?.value
    }

    /// The same with more headers.
    public func adding(_ more: [(name: String, value: String)]) -> Response {
        if more.isEmpty { return self }
        if let pieces {
            return Response(status: status, headers: headers + more, size: pieces.size, send: pieces.send)
        }
        return Response(status: status, headers: headers + more, body: content.bytes, keeping: owner)
    }
}
