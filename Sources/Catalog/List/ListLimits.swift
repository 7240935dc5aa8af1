public struct ListLimits: Sendable, Equatable {
    /// Maximum number of items in one list. Default: 2,000,000, at least 1.
    public var maxItems = 2_000_000
    /// Maximum number of section titles in one list. Default: 100,000, at least 1.
    public var maxSections = 100_000
    /// Maximum bytes of one line, CSV record or JSON element. Default: 65,536, at least 16.
    public var maxLineBytes = 65_536
    /// Maximum bytes of one address. Default: 4,096.
    public var maxURLBytes = 4_096
    /// Maximum bytes of the title of an item or a section. Default: 1,024.
    public var maxTitleBytes = 1_024
    /// Maximum number of problems to store. Default: 100. All problems are counted.
    public var maxProblems = 100

    public init() {}
}

/// Maximum width or height of an item in pixels: the limit of JPEG.
let maxDimension = 65_535

/// A problem with one entry, with a hint, or with the whole list.
public struct ListProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// First line of the entry, from 1. `nil` if no line is wrong.
    public var line: Int?
    /// Position among all entries, valid and invalid, from 0. `nil` if no entry is wrong.
    public var entry: Int?
    /// The wrong field: `url`, `title`, `width`, `height`, `section`, `color`, `thumbHash` or `blurHash`.
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

/// Optional fields that were invalid and left out. Their items were added without the fields.
public struct WrongHints: Sendable, Equatable {
    public private(set) var count = 0
    public private(set) var first: ListProblem?

    mutating func add(_ problems: [ListProblem]) {
        count += problems.count
        if first == nil { first = problems.first }
    }

    /// Text for people: `2 optional fields are left out: line 3, field width: is not a whole number, and 1 more`. `nil` if there are none.
    public var sentence: String? {
        guard let first else { return nil }
        let more = count > 1 ? ", and \(count - 1) more" : ""
        return "\(count) optional \(count == 1 ? "field is" : "fields are") left out: \(first)\(more)"
    }
}
