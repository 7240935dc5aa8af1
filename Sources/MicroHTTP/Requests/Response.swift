import CMicroHTTPD
import Glibc

/// A response, built once. Any thread can send it any number of times without copying it.
///
/// The server sets Content-Length, Date and Connection when it sends the response. Every response has `X-Content-Type-Options: nosniff`, so
/// browsers must not guess a different Content-Type.
public final class Response: Sendable {
    /// 200...599.
    public let status: Int
    public let headers: [(name: String, value: String)]

    private let content: Content
    /// Object kept alive until the body is sent.
    private let owner: (any AnyObject & Sendable)?
    /// Size of the body and a closure that sends it in pieces.
    let pieces: (size: Int, send: @Sendable (ByteStream) -> Void)?
    let handle: Handle

    /// `@unchecked`, because the library counts references under its own lock and nobody changes a response after it is built.
    struct Handle: @unchecked Sendable { let pointer: OpaquePointer? }
    /// `@unchecked`, because the bytes are written before the library gets them. Afterwards they are only read until the library frees
    /// them, not before `deinit`.
    private struct Content: @unchecked Sendable { let bytes: UnsafeRawBufferPointer }

    /// - Parameters:
    ///   - status: 200...599. Any other value becomes 500.
    ///   - headers: header fields. A field with a line break is dropped.
    ///   - body: bytes of the body, copied once by this initializer.
    ///   - owner: object kept alive until the response is released and every connection has finished sending it. A client that reads too
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
        // If memory runs out, the handle is `nil` and sending the response closes the connection.
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

    /// Creates a response whose body is sent in pieces, on a connection taken over from the parser.
    ///
    /// - Parameters:
    ///   - status: 200...599. Any other value becomes 500.
    ///   - headers: header fields. A field with a line break is dropped.
    ///   - size: size of the body in bytes.
    ///   - send: called on the server's thread once the head is written, but not for HEAD. Must not block. Writes the body, then calls
    ///     ``ByteStream/finish(keepAlive:)``, or ``ByteStream/abort()`` if the body cannot be completed.
    public init(
        status: Int = 200, headers: [(name: String, value: String)] = [], size: Int,
        send: @escaping @Sendable (ByteStream) -> Void
    ) {
        self.status = (200...599).contains(status) ? status : 500
        self.headers = Self.withoutSniffing(headers)
        content = Content(bytes: UnsafeRawBufferPointer(start: nil, count: 0))
        owner = nil
        pieces = (max(0, size), send)
        // The library uses this handle only for the response to HEAD.
        handle = Handle(pointer: micro_sized_response(UInt64(max(0, size))))
        addHeaders()
    }

    /// Creates a response with UTF-8 text.
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

    /// Size of the body in bytes if the response keeps an owner alive, otherwise `nil`.
    var keptCount: Int? { owner == nil ? nil : content.bytes.count }

    /// A copy of the body. Empty if the body is sent in pieces.
    public var body: [UInt8] { Array(content.bytes) }

    /// Returns the first header with this name. The case of the name does not matter.
    public func header(_ name: String) -> String? {
        headers.first { ASCII.areEqual($0.name.utf8, name.utf8) }?.value
    }

    /// Returns a copy with additional headers.
    public func adding(_ more: [(name: String, value: String)]) -> Response {
        if more.isEmpty { return self }
        if let pieces {
            return Response(status: status, headers: headers + more, size: pieces.size, send: pieces.send)
        }
        return Response(status: status, headers: headers + more, body: content.bytes, keeping: owner)
    }
}
