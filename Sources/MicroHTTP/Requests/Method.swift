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
