public import JSON
import Media

/// One entry of a list as written, not checked.
public struct ListEntry: Sendable, Equatable {
    public var url: String
    public var title: String?
    public var width: Int?
    public var height: Int?
    public var section: String?
    /// Prominent colour in the form that ``PictureColor`` parses.
    public var color: String?
    /// ThumbHash in base64.
    public var thumbHash: String?
    /// BlurHash in its usual text form. Ignored if there is a ThumbHash.
    public var blurHash: String?

    public init(
        url: String, title: String? = nil, width: Int? = nil, height: Int? = nil, section: String? = nil,
        color: String? = nil, thumbHash: String? = nil, blurHash: String? = nil
    ) {
        self.url = url
        self.title = title
        self.width = width
        self.height = height
        self.section = section
        self.color = color
        self.thumbHash = thumbHash
        self.blurHash = blurHash
    }
}

/// Checks entries one by one and collects them into a ``PictureList``.
public struct ListBuilder: Sendable {
    public let limits: ListLimits
    private var storage = ListStorage()
    private var sections = TextColumn()
    private var sectionNumbers: [String: UInt32] = [:]
    /// The section of the previous entry. Lists tend to repeat a section many times.
    private var lastSection: (title: String, number: UInt32)?
    /// Number of entries, valid and invalid.
    public private(set) var entries = 0
    public private(set) var wrongHints = WrongHints()
    private let passesOverHints: Bool

    /// - Parameter passesOverHints: whether an entry with a wrong hint, such as its width, is added without the hint. Otherwise the entry
    ///   is left out.
    public init(limits: ListLimits = ListLimits(), passesOverHints: Bool = false) {
        self.limits = limits
        self.passesOverHints = passesOverHints
    }

    /// Number of entries added.
    public var count: Int { storage.count }

    /// - Parameter line: the entry's line in its source, from 1, for messages.
    /// - Throws: ``ListProblem`` with line and field. The entry is left out, and more entries can be added.
    public mutating func append(_ entry: ListEntry, line: Int? = nil) throws(ListProblem) {
        try append(entry, wrong: [], line: line)
    }

    /// - Parameter problems: problems with hints that were left out of the entry.
    mutating func append(_ given: ListEntry, wrong problems: [ListProblem], line: Int?) throws(ListProblem) {
        defer { entries += 1 }
        func problem(_ field: String?, _ reason: String) -> ListProblem {
            ListProblem(line: line, entry: entries, field: field, reason: reason)
        }
        guard count < limits.maxItems else { throw problem(nil, "the list holds more than \(limits.maxItems) items") }
        if let fault = PictureURL.fault(in: given.url, maxBytes: limits.maxURLBytes) { throw problem("url", fault) }
        var entry = given
        var wrong = problems
        entry.removeWrongHints(limits, &wrong)
        for index in wrong.indices { (wrong[index].line, wrong[index].entry) = (line, entries) }
        if !passesOverHints, let first = wrong.first { throw first }
        guard let section = number(ofSection: entry.section ?? "") else {
            throw problem("section", "exceeds the limit of \(limits.maxSections) sections")
        }
        guard storage.append(entry, color: entry.color.flatMap(PictureColor.parse), section: section) else {
            throw problem(nil, "the list is longer than 4 GB")
        }
        wrongHints.add(wrong)
    }

    /// Adds one entry from JSON: an object with the members of the API, or a string with the address.
    public mutating func append(_ json: JSON, line: Int? = nil) throws(ListProblem) {
        let entry: ListEntry
        var wrong: [ListProblem] = []
        do throws(ListProblem) {
            entry = try ListEntry(json, wrong: &wrong)
        } catch {
            defer { entries += 1 }
            throw ListProblem(line: line, entry: entries, field: error.field, reason: error.reason)
        }
        try append(entry, wrong: wrong, line: line)
    }

    /// Counts an entry that could not be read, and returns the problem.
    mutating func unreadable(line: Int, _ reason: String) -> ListProblem {
        defer { entries += 1 }
        return ListProblem(line: line, entry: entries, reason: reason)
    }

    /// Returns the catalogue of the entries added so far.
    public func finish(
        title: String, problems: [ListProblem] = [], problemCount: Int = 0, notShown: [KindNotShown] = [],
        revision: Int = 0, isComplete: Bool = true
    ) -> PictureList {
        let titles = (0..<sections.count).map { sections.text($0) }
        return PictureList(
            storage: storage, sectionTitles: titles, title: title, problems: problems, problemCount: problemCount,
            wrongHints: wrongHints, notShown: notShown, revision: revision, isComplete: isComplete)
    }

    private mutating func number(ofSection title: String) -> UInt32? {
        if let lastSection, lastSection.title == title { return lastSection.number }
        let number: UInt32
        if let known = sectionNumbers[title] {
            number = known
        } else {
            guard sections.count < limits.maxSections, sections.append(title.utf8) else { return nil }
            number = UInt32(sections.count - 1)
            sectionNumbers[title] = number
        }
        lastSection = (title, number)
        return number
    }
}

extension ListEntry {
    /// Reads the members of the API. Ignores unknown members and `null`. A string is an address.
    ///
    /// - Parameter wrong: receives a problem for each optional member that cannot be read.
    init(_ json: JSON, wrong: inout [ListProblem]) throws(ListProblem) {
        if let url = json.string {
            self.init(url: url)
            return
        }
        guard let object = json.object else { throw ListProblem(reason: "is neither a JSON object nor a string") }
        switch object["url"] {
        case nil, .null: throw ListProblem(field: "url", reason: "is missing")
        case .string(let url): self.init(url: url)
        default: throw ListProblem(field: "url", reason: "is not a string")
        }
        title = Self.text(object, "title", &wrong)
        width = Self.length(object, "width", &wrong)
        height = Self.length(object, "height", &wrong)
        section = Self.text(object, "section", &wrong)
        color = Self.text(object, "color", &wrong)
        thumbHash = Self.text(object, "thumbHash", &wrong)
        blurHash = Self.text(object, "blurHash", &wrong)
    }

    /// Removes invalid hints, and appends a problem for each.
    fileprivate mutating func removeWrongHints(_ limits: ListLimits, _ wrong: inout [ListProblem]) {
        func keep<Value>(
            _ field: String, _ value: inout Value?, _ reason: @autoclosure () -> String, if isRight: (Value) -> Bool
        ) {
            guard let given = value, !isRight(given) else { return }
            value = nil
            wrong.append(ListProblem(field: field, reason: reason()))
        }
        func tooLong() -> String { "is longer than \(limits.maxTitleBytes) bytes" }
        func noLength() -> String { "is not a whole number of pixels from 1 to \(maxDimension)" }
        keep("title", &title, tooLong()) { $0.utf8.count <= limits.maxTitleBytes }
        keep("section", &section, tooLong()) { $0.utf8.count <= limits.maxTitleBytes }
        keep("width", &width, noLength()) { 1...maxDimension ~= $0 }
        keep("height", &height, noLength()) { 1...maxDimension ~= $0 }
        keep("color", &color, "is not a colour such as #c86432") { PictureColor.parse($0) != nil }
        keep("thumbHash", &thumbHash, "is not a ThumbHash in base64") { ListHashes.thumbHash($0) != nil }
        keep("blurHash", &blurHash, "is not a BlurHash") { BlurHash($0) != nil }
    }

    private static func text(_ object: JSONObject, _ name: String, _ wrong: inout [ListProblem]) -> String? {
        switch object[name] {
        case nil, .null: return nil
        case .string(let text): return text
        default:
            wrong.append(ListProblem(field: name, reason: "is not a string"))
            return nil
        }
    }

    private static func length(_ object: JSONObject, _ name: String, _ wrong: inout [ListProblem]) -> Int? {
        switch object[name] {
        case nil, .null: return nil
        case .number(let number) where Int(exactly: number) != nil: return Int(exactly: number)
        default:
            wrong.append(ListProblem(field: name, reason: "is not a whole number"))
            return nil
        }
    }
}
