/// The part of a file that a request asks for, one range of bytes (RFC 9110, section 14.1.2).
public enum ByteRange: Sendable, Equatable {
    /// From a byte on, as far as another, that included, or to the end.
    case from(Int, through: Int? = nil)
    /// So many bytes at the end.
    case last(Int)

    /// - Returns: `nil` where the whole file is to be sent: for any method but GET, without `Range`, for several ranges, other
    ///   units and what is malformed, and for a request with `If-Range`.
    public init?(_ request: Request) {
        guard request.method == .get, request.header("If-Range") == nil, let field = request.header("Range") else {
            return nil
        }
        self.init(field: field)
    }

    /// - Parameter field: the value of `Range`.
    init?(field: String) {
        let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, ASCII.lowercased(String(parts[0])) == "bytes" else { return nil }
        let ends = parts[1].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        switch (Self.number(ends[0]), Self.number(ends[1])) {
        case (let first?, let last?) where first <= last: self = .from(first, through: last)
        case (let first?, nil) where ends[1].isEmpty: self = .from(first)
        case (nil, let count?) where ends[0].isEmpty: self = .last(count)
        default: return nil
        }
    }

    /// The bytes meant of a file of `size` bytes; `nil` where there are none, which is answered 416.
    public func bytes(of size: Int) -> Range<Int>? {
        switch self {
        case .from(let first, let last):
            guard first < size else { return nil }
            return first..<(min(last ?? Int.max, size - 1) + 1)
        case .last(let count):
            guard count > 0, size > 0 else { return nil }
            return size - min(count, size)..<size
        }
    }

    /// A number of decimal digits; the largest that there is for one beyond it.
    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text) ?? Int.max
    }
}
