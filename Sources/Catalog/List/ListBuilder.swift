public import JSON
import Pictures

/// One entry of a list as it was written, before it is checked.
public struct ListEntry: Sendable, Equatable {
    public var url: String
    public var title: String?
    public var width: Int?
    public var height: Int?
    public var section: String?
    /// As ``PictureColor`` reads it.
    public var color: String?
    /// In base64.
    public var thumbHash: String?
    /// As its libraries write it; a ThumbHash goes before it.
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

/// Collects entries one by one into a ``PictureList``, checking each.
public struct ListBuilder: Sendable {
    public let limits: ListLimits
    private var storage = ListStorage()
    private var sections = TextColumn()
    private var sectionNumbers: [String: UInt32] = [:]
    /// The section of the entry before: lists tend to name one section many times over.
    private var lastSection: (title: String, number: UInt32)?
    /// Entries offered, good and bad.
    public private(set) var entries = 0

    public init(limits: ListLimits = ListLimits()) { self.limits = limits }

    /// Entries taken.
    public var count: Int { storage.count }

    /// Takes one entry.
    ///
    /// - Parameter line: where it stands in its source, from 1, for the message.
    /// - Throws: ``ListProblem`` naming line and field; the entry is left out and the builder can go on.
    public mutating func append(_ entry: ListEntry, line: Int? = nil) throws(ListProblem) {
        defer { entries += 1 }
        func problem(_ field: String?, _ reason: String) -> ListProblem {
            ListProblem(line: line, entry: entries, field: field, reason: reason)
        }
        guard count < limits.maxItems else { throw problem(nil, "the list holds more than \(limits.maxItems) items") }
        if let fault = PictureURL.fault(in: entry.url, maxBytes: limits.maxURLBytes) { throw problem("url", fault) }
        for (field, text) in [("title", entry.title), ("section", entry.section)] {
            if let text, text.utf8.count > limits.maxTitleBytes {
                throw problem(field, "is longer than \(limits.maxTitleBytes) bytes")
            }
        }
        for (field, length) in [("width", entry.width), ("height", entry.height)] {
            if let length, !(1...maxDimension ~= length) {
                throw problem(field, "is not a whole number of pixels from 1 to \(maxDimension)")
            }
        }
        var color: UInt32?
        if let text = entry.color {
            guard let read = PictureColor.parse(text) else { throw problem("color", "is not a colour such as #c86432") }
            color = read
        }
        if let text = entry.thumbHash, ListHashes.thumbHash(text) == nil {
            throw problem("thumbHash", "is not a ThumbHash in base64")
        }
        if let text = entry.blurHash, BlurHash(text) == nil { throw problem("blurHash", "is not a BlurHash") }
        guard let section = number(ofSection: entry.section ?? "") else {
            throw problem("section", "is one more than \(limits.maxSections) sections")
        }
        guard storage.append(entry, color: color, section: section) else {
            throw problem(nil, "the list is longer than 4 GB")
        }
    }

    /// Takes one entry written as a JSON object with the members of the API.
    public mutating func append(_ json: JSON, line: Int? = nil) throws(ListProblem) {
        let entry: ListEntry
        do throws(ListProblem) {
            entry = try ListEntry(json)
        } catch {
            defer { entries += 1 }
            throw ListProblem(line: line, entry: entries, field: error.field, reason: error.reason)
        }
        try append(entry, line: line)
    }

    /// Counts an entry that could not even be read, and says so.
    mutating func unreadable(line: Int, _ reason: String) -> ListProblem {
        defer { entries += 1 }
        return ListProblem(line: line, entry: entries, reason: reason)
    }

    /// The catalogue of what was taken so far.
    public func finish(
        title: String, problems: [ListProblem] = [], problemCount: Int = 0, notShown: [KindNotShown] = [],
        revision: Int = 0, isComplete: Bool = true
    ) -> PictureList {
        let titles = (0..<sections.count).map { sections.text($0) }
        return PictureList(
            storage: storage, sectionTitles: titles, title: title, problems: problems, problemCount: problemCount,
            notShown: notShown, revision: revision, isComplete: isComplete)
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
    /// Reads the members of the API; unknown ones are ignored, `null` is as good as absent.
    init(_ json: JSON) throws(ListProblem) {
        guard let object = json.object else { throw ListProblem(reason: "is not a JSON object") }
        guard let url = try Self.text(object, "url") else { throw ListProblem(field: "url", reason: "is missing") }
        self.init(
            url: url, title: try Self.text(object, "title"), width: try Self.length(object, "width"),
            height: try Self.length(object, "height"), section: try Self.text(object, "section"),
            color: try Self.text(object, "color"), thumbHash: try Self.text(object, "thumbHash"),
            blurHash: try Self.text(object, "blurHash"))
    }

    private static func text(_ object: JSONObject, _ name: String) throws(ListProblem) -> String? {
        switch object[name] {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw ListProblem(field: name, reason: "is not a string")
        }
    }

    private static func length(_ object: JSONObject, _ name: String) throws(ListProblem) -> Int? {
        switch object[name] {
        case nil, .null: return nil
        case .number(let number):
            if let length = Int(exactly: number) { return length }
            fallthrough
        default: throw ListProblem(field: name, reason: "is not a whole number")
        }
    }
}
