/// The bytes of a response, including its header.
struct OriginResponse {
    var bytes: [UInt8]
    /// Number of bytes to send. Less than all for a truncated response.
    var length: Int

    init(_ subject: OriginSubject, _ fault: DemoOrigin.Fault?, _ shelf: PictureShelf) {
        switch subject {
        case .picture(let picture, let isKnown): bytes = Self.response(picture, fault, isKnown: isKnown, shelf)
        case .file(let file): bytes = file.response
        }
        length = fault == .truncated ? bytes.count / 2 : bytes.count
    }

    private static func response(
        _ picture: DemoPicture, _ fault: DemoOrigin.Fault?, isKnown: Bool, _ shelf: PictureShelf
    ) -> [UInt8] {
        if fault == .unavailable {
            return response("503 Service Unavailable", "text/plain", Array("busy\n".utf8), "Retry-After: 1\r\n")
        }
        if isKnown { return Array("HTTP/1.1 304 Not Modified\r\nETag: \(picture.tag)\r\n\r\n".utf8) }
        guard var jpeg = shelf.jpeg(picture) else { return response("500 Internal Server Error", "text/plain", [], "") }
        if fault == .broken {
            // Overwrites the JPEG marker and the headers up to the pixels.
            for index in 0..<min(jpeg.count, 700) { jpeg[index] = UInt8(truncatingIfNeeded: index &* 37 &+ 11) }
        }
        return response(
            "200 OK", "image/jpeg", jpeg, "ETag: \(picture.tag)\r\nCache-Control: public, max-age=86400\r\n")
    }

    private static func response(_ status: String, _ type: String, _ body: [UInt8], _ more: String) -> [UInt8] {
        let head = "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n\(more)\r\n"
        return Array(head.utf8) + body
    }
}
