/// How much a list may hold.
public struct ListLimits: Sendable, Equatable {
    /// Items in one list, 2,000,000 by default; at least 1.
    public var maxItems = 2_000_000
    /// Titles of sections in one list, 100,000 by default; at least 1.
    public var maxSections = 100_000
    /// Bytes of one line, CSV record or JSON element, 65,536 by default; at least 16.
    public var maxLineBytes = 65_536
    /// Bytes of one address, 4,096 by default.
    public var maxURLBytes = 4_096
    /// Bytes of one title, of an item or a section, 1,024 by default.
    public var maxTitleBytes = 1_024
    /// Problems kept to be shown, 100 by default. All are counted.
    public var maxProblems = 100

    public init() {}
}

/// The greatest width or height an item may claim, in pixels: what JPEG can hold.
let maxDimension = 65_535

/// One entry of a list that cannot be taken, a hint that cannot be used, or a list that cannot be read at all.
public struct ListProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// The line it begins on, from 1; `nil` when no line is at fault.
    public var line: Int?
    /// The entry's position among all entries, good and bad, from 0; `nil` when no entry is at fault.
    public var entry: Int?
    /// The field at fault: `url`, `title`, `width`, `height`, `section`, `color`, `thumbHash` or `blurHash`.
    public var field: String?
    public var reason: String

    public init(line: Int? = nil, entry: Int? = nil, field: String? = nil, reason: String) {
        self.line = line
        self.entry = entry
        self.field = field
        self.reason = reason
    }

    public var description: String {
        let place = [line.map { "line \($0)" }, field.map { "field \($0)" }].compactMap(\.self)
        return place.isEmpty ? reason : "\(place.joined(separator: ", ")): \(reason)"
    }
}

/// Optional fields of items that could not be used. The items were taken without them.
public struct WrongHints: Sendable, Equatable {
    public private(set) var count = 0
    public private(set) var first: ListProblem?

    mutating func add(_ problems: [ListProblem]) {
        count += problems.count
        if first == nil { first = problems.first }
    }

    /// For people: `2 optional fields are left out: line 3, field width: is not a whole number, and 1 more`; `nil` if there are none.
    public var sentence: String? {
        guard let first else { return nil }
        let more = count > 1 ? ", and \(count - 1) more" : ""
        return "\(count) optional \(count == 1 ? "field is" : "fields are") left out: \(first)\(more)"
    }
}
