/// Checks the fields that frame a request's body and decide about the connection (RFC 9112, section 6, and RFC 9110, sections 7.2 and
/// 10.1.1). libmicrohttpd accepts most of the requests that this type refuses.
struct RequestFraming: Sendable {
    struct Refused: Error {
        let status: Int
        let reason: String
    }

    /// Declared length of the body in bytes. `nil` if there is no body or its length is unknown.
    var contentLength: Int?
    var isChunked = false
    var expectsContinue = false
    /// Whether the client wants to keep the connection after the response.
    var keepsAlive = true
    /// Whether the response may be chunked. HTTP/1.0 has no chunks.
    var takesChunks = true

    init(version: String, headers: HeaderBlock) throws(Refused) {
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw Refused(status: 505, reason: "only HTTP/1.1 and HTTP/1.0 are supported")
        }
        let isOld = version == "HTTP/1.0"
        takesChunks = !isOld
        var hosts = 0
        var refused: Refused?
        var connection = ""
        headers.forEach { name, value in
            let text = headers.bytes[value]
            func refuse(_ status: Int, _ reason: String) {
                refused = refused ?? Refused(status: status, reason: reason)
            }
            switch name.count {
            case 4 where headers.bytes[name].elementsEqual("host".utf8):
                hosts += 1
            case 6 where headers.bytes[name].elementsEqual("expect".utf8):
                // Ignore Expect from an HTTP/1.0 client (RFC 9110, section 10.1.1).
                if isOld { return }
                if text.lazy.map(ASCII.lowercased).elementsEqual("100-continue".utf8) {
                    expectsContinue = true
                } else {
                    refuse(417, "Expect supports only 100-continue")
                }
            case 10 where headers.bytes[name].elementsEqual("connection".utf8):
                connection += "," + ASCII.lowercased(String(decoding: text, as: UTF8.self))
            case 14 where headers.bytes[name].elementsEqual("content-length".utf8):
                if contentLength != nil { refuse(400, "there is more than one Content-Length") }
                // A number of 18 digits always fits into Int.
                guard (1...18).contains(text.count), text.allSatisfy({ (0x30...0x39).contains($0) }) else {
                    return refuse(400, "Content-Length is not a number of bytes")
                }
                contentLength = text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            case 17 where headers.bytes[name].elementsEqual("transfer-encoding".utf8):
                if isOld { refuse(400, "HTTP/1.0 has no Transfer-Encoding") }
                if isChunked { refuse(400, "there is more than one Transfer-Encoding") }
                guard text.lazy.map(ASCII.lowercased).elementsEqual("chunked".utf8) else {
                    return refuse(501, "the only supported Transfer-Encoding is chunked")
                }
                isChunked = true
            default: break
            }
        }
        let options = connection.split(separator: ",").map { $0.trimmingSpaces }
        keepsAlive = isOld ? options.contains("keep-alive") : !options.contains("close")
        if let refused { throw refused }
        if isChunked && contentLength != nil {
            throw Refused(status: 400, reason: "Content-Length and Transfer-Encoding cannot be combined")
        }
        if hosts > 1 || (hosts == 0 && !isOld) {
            throw Refused(status: 400, reason: hosts > 1 ? "there is more than one Host" : "Host is missing")
        }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var text = self
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
