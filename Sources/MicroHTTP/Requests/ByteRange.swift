/// The byte range of a file that a request selects (RFC 9110, section 14.1.2).
public enum ByteRange: Sendable, Equatable {
    /// From one byte to another, inclusive, or to the end.
    case from(Int, through: Int? = nil)
    /// The given number of bytes at the end.
    case last(Int)

    /// Reads the `Range` header.
    /// - Returns: `nil` if the whole file has to be sent. This is so for any method but GET, without `Range`, with `If-Range`, and if the
    ///   header has several ranges, another unit or a syntax error.
    public init?(_ request: Request) {
        guard request.method == .get, request.header("If-Range") == nil, let field = request.header("Range") else {
            return nil
        }
        self.init(field: field)
    }

    /// - Parameter field: value of the `Range` header.
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

    /// Returns the selected bytes of a file of `size` bytes, or `nil` if there are none and the response has to be 416.
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

    /// Parses decimal digits. Returns `Int.max` for a number that is too large.
    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text) ?? Int.max
    }
}
