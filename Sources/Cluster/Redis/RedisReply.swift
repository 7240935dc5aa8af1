/// A reply from a Redis or Valkey server.
package enum RedisReply: Sendable, Equatable {
    case nothing
    case integer(Int64)
    case bytes([UInt8])
    /// An error text. Starts with a code in capitals, such as `OOM`.
    case error(String)
    case array([RedisReply])

    package var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }

    package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

    package var array: [RedisReply]? { if case .array(let elements) = self { elements } else { nil } }
}

/// Parses replies (RESP2) from a stream of bytes, in pieces of any size.
///
/// The parser allocates memory only for received bytes, not for announced lengths. It refuses a reply as soon as the reply exceeds a
/// limit. After a refusal, close the connection: the start of the next reply is unknown.
package struct ReplyParser: Sendable {
    package enum Refusal: Error, CustomStringConvertible {
        case malformed, tooLarge

        package var description: String {
            switch self {
            case .malformed: "its replies are not those of Redis"
            case .tooLarge: "its reply is too large"
            }
        }
    }

    package struct Limits: Sendable {
        /// Maximum total number of elements in all arrays.
        package var elements = 4_096
        /// Maximum size on the wire, including lengths and line ends.
        package var bytes = 8 << 20
        /// Maximum size of one line, including its end.
        package var lineBytes = 64 << 10
        /// Maximum nesting of arrays.
        package var depth = 4

        package init() {}
    }

    private struct OpenArray {
        var elements: [RedisReply] = []
        var missing: Int
    }

    private let limits: Limits
    /// The received part of the current line.
    private var line: [UInt8] = []
    /// The received part of the current string.
    private var string: [UInt8] = []
    /// Missing bytes of the current string, including its line end. 0 if no string has begun.
    private var missing = 0
    /// Incomplete arrays, outermost first.
    private var arrays: [OpenArray] = []
    /// Received and announced bytes of the current reply.
    private var bytes = 0
    /// Announced elements of the current reply.
    private var elements = 0
    private static let lineEnd: [UInt8] = [13, 10]

    package init(limits: Limits = Limits()) { self.limits = limits }

    package var isWithinReply: Bool { bytes > 0 }

    /// Appends the replies that end within `piece`. Replies before a refused reply are appended, too.
    package mutating func read(_ piece: ArraySlice<UInt8>, into replies: inout [RedisReply]) throws(Refusal) {
        var rest = piece
        while !rest.isEmpty {
            guard let element = try missing > 0 ? takeString(&rest) : takeLine(&rest), let reply = added(element) else {
                continue
            }
            replies.append(reply)
            (bytes, elements) = (0, 0)
        }
    }

    /// Adds an element to the innermost incomplete array.
    ///
    /// - Returns: The reply, if `element` completes it.
    private mutating func added(_ element: RedisReply) -> RedisReply? {
        var element = element
        while var array = arrays.popLast() {
            array.elements.append(element)
            array.missing -= 1
            guard array.missing == 0 else {
                arrays.append(array)
                return nil
            }
            element = .array(array.elements)
        }
        return element
    }

    private mutating func takeString(_ rest: inout ArraySlice<UInt8>) throws(Refusal) -> RedisReply? {
        let part = rest.prefix(missing)
        string += part
        missing -= part.count
        rest = rest[part.endIndex...]
        guard missing == 0 else { return nil }
        guard string.suffix(2).elementsEqual(Self.lineEnd) else { throw .malformed }
        string.removeLast(2)
        defer { string = [] }
        return .bytes(string)
    }

    /// - Returns: The element that ends with the line. `nil` if the line is incomplete or starts a longer element.
    private mutating func takeLine(_ rest: inout ArraySlice<UInt8>) throws(Refusal) -> RedisReply? {
        let end = rest.firstIndex(of: 10)
        let part = end.map { rest[...$0] } ?? rest
        bytes += part.count
        guard line.count + part.count <= limits.lineBytes, bytes <= limits.bytes else { throw .tooLarge }
        line += part
        rest = rest[part.endIndex...]
        guard end != nil else { return nil }
        guard line.count > 2, line.suffix(2).elementsEqual(Self.lineEnd) else { throw .malformed }
        defer { line.removeAll(keepingCapacity: true) }
        let text = line[1..<(line.count - 2)]
        switch line[0] {
        case UInt8(ascii: "+"): return .bytes(Array(text))
        case UInt8(ascii: "-"): return .error(String(decoding: text, as: UTF8.self))
        case UInt8(ascii: ":"): return .integer(try Self.number(text))
        case UInt8(ascii: "$"):
            guard let count = try Self.count(text) else { return .nothing }
            guard count <= limits.bytes - bytes - 2 else { throw .tooLarge }
            missing = count + 2
            bytes += missing
            return nil
        case UInt8(ascii: "*"):
            guard let count = try Self.count(text) else { return .nothing }
            guard count <= limits.elements - elements, arrays.count < limits.depth else { throw .tooLarge }
            elements += count
            if count == 0 { return .array([]) }
            arrays.append(OpenArray(missing: count))
            return nil
        default: throw .malformed
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) throws(Refusal) -> Int64 {
        guard let number = Int64(String(decoding: digits, as: UTF8.self)) else { throw .malformed }
        return number
    }

    /// - Returns: The length, or `nil` for -1, which means no value.
    private static func count(_ digits: ArraySlice<UInt8>) throws(Refusal) -> Int? {
        let number = try number(digits)
        guard number >= -1 else { throw .malformed }
        return number < 0 ? nil : Int(number)
    }
}
