import JSON

public enum ListFormat: String, Sendable, CaseIterable {
    /// One address a line. Blank lines and lines that begin with `#` are skipped.
    case text = "txt"
    /// A header row, then one item a record. The columns are `url`, `title`, `width`, `height`, `section`, `color`, `thumbHash` and
    /// `blurHash`. Other columns are ignored. The header row determines whether commas, semicolons or tabs separate fields.
    case csv
    /// An array of items, or an object with `items` and optionally `title`. An item is an object, or a string with its address.
    case json
    /// One JSON item a line.
    case ndjson

    private static let byEnding: KeyValuePairs<String, ListFormat> = [
        "txt": .text, "csv": .csv, "tsv": .csv, "json": .json, "ndjson": .ndjson, "jsonl": .ndjson,
    ]

    /// File extensions of lists, for people: `.txt, .csv, …`.
    static var endings: String { byEnding.map { ".\($0.key)" }.joined(separator: ", ") }

    /// Returns the format for a file's extension, or `nil` for other extensions.
    public init?(path: String) {
        guard let dot = path.lastIndex(of: ".") else { return nil }
        let ending = path[path.index(after: dot)...].lowercased()
        guard let format = Self.byEnding.first(where: { $0.key == ending })?.value else { return nil }
        self = format
    }
}

/// Reads a list in chunks of any size as they arrive. Stores at most one line of the text. The text is UTF-8, or UTF-16 with a byte order
/// mark.
///
/// ```swift
/// var reader = ListReader(format: .ndjson, stopsAtFirstProblem: true)
/// for chunk in body { try reader.feed(chunk) }
/// let catalog = try reader.finish(title: "Holidays")
/// ```
public struct ListReader: Sendable {
    /// Whether reading ends with an error at an invalid entry or a wrong hint. Otherwise the entry is left out and reported in
    /// ``problems``, and the hint is left out and counted in ``wrongHints``.
    public let stopsAtFirstProblem: Bool
    public private(set) var problems: [ListProblem] = []
    public private(set) var problemCount = 0
    private var builder: ListBuilder
    private var source: Source
    private var encoding = ListEncoding()

    private enum Source {
        case lines(LineSplitter, isJSON: Bool)
        case csv(CSVSplitter)
        case json(JSONListSplitter)
    }

    public init(format: ListFormat, limits: ListLimits = ListLimits(), stopsAtFirstProblem: Bool = false) {
        self.stopsAtFirstProblem = stopsAtFirstProblem
        builder = ListBuilder(limits: limits, passesOverHints: !stopsAtFirstProblem)
        source =
            switch format {
            case .text: .lines(LineSplitter(maxBytes: limits.maxLineBytes), isJSON: false)
            case .ndjson: .lines(LineSplitter(maxBytes: limits.maxLineBytes), isJSON: true)
            case .csv: .csv(CSVSplitter(maxBytes: limits.maxLineBytes))
            case .json: .json(JSONListSplitter(maxBytes: limits.maxLineBytes))
            }
    }

    /// Number of items read so far: the progress of a long list.
    public var count: Int { builder.count }

    public var wrongHints: WrongHints { builder.wrongHints }

    /// - Throws: ``ListProblem`` if reading cannot continue. Reasons are invalid JSON, a CSV file without a `url` column, and a list over
    ///   its limits. With ``stopsAtFirstProblem``, any invalid entry is a reason, too.
    public mutating func feed(_ bytes: [UInt8]) throws(ListProblem) {
        let result: Result<Void, ListProblem> = bytes.withUnsafeBufferPointer { buffer in
            do throws(ListProblem) { return .success(try feed(buffer)) } catch { return .failure(error) }
        }
        try result.get()
    }

    /// The buffer must be valid only during the call.
    public mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>) throws(ListProblem) {
        var bytes = bytes
        try split(encoding.convert(&bytes))
        if !bytes.isEmpty { try split(bytes) }
    }

    private mutating func split(_ text: [UInt8]) throws(ListProblem) {
        if text.isEmpty { return }
        let result: Result<Void, ListProblem> = text.withUnsafeBufferPointer { buffer in
            do throws(ListProblem) { return .success(try split(buffer)) } catch { return .failure(error) }
        }
        try result.get()
    }

    /// Splits the next bytes of UTF-8.
    private mutating func split(_ bytes: UnsafeBufferPointer<UInt8>) throws(ListProblem) {
        switch source {
        case .lines(var splitter, let isJSON):
            // The local copy must be the only one during the call. Otherwise each call would copy the stored text.
            source = .lines(LineSplitter(maxBytes: 0), isJSON: isJSON)
            defer { source = .lines(splitter, isJSON: isJSON) }
            try splitter.feed(bytes) { piece throws(ListProblem) in try take(piece, isJSON: isJSON) }
        case .csv(var splitter):
            source = .csv(CSVSplitter(maxBytes: 0))
            defer { source = .csv(splitter) }
            try splitter.feed(bytes) { piece throws(ListProblem) in try take(piece) }
        case .json(var splitter):
            source = .json(JSONListSplitter(maxBytes: 0))
            defer { source = .json(splitter) }
            try splitter.feed(bytes) { piece throws(ListProblem) in try take(piece, isJSON: true) }
        }
    }

    /// Returns the catalogue of the items read so far.
    ///
    /// - Parameter isComplete: whether the rest will not be read.
    func soFar(title: String, revision: Int, isComplete: Bool = false) -> PictureList {
        builder.finish(
            title: title, problems: problems, problemCount: problemCount, revision: revision, isComplete: isComplete)
    }

    /// Reads the stored rest and creates the catalogue.
    ///
    /// - Parameter title: title of the gallery. A title in a JSON list takes precedence.
    /// - Throws: ``ListProblem`` as ``feed(_:)-([UInt8])``, and if there were entries but none was valid.
    public mutating func finish(title: String, revision: Int = 0) throws(ListProblem) -> PictureList {
        var title = title
        try split(encoding.finish())
        switch source {
        case .lines(var splitter, let isJSON):
            try splitter.finish { piece throws(ListProblem) in try take(piece, isJSON: isJSON) }
        case .csv(var splitter):
            try splitter.finish { piece throws(ListProblem) in try take(piece) }
        case .json(let splitter):
            try splitter.finish()
            if let own = splitter.title, !own.isEmpty { title = own }
            guard title.utf8.count <= builder.limits.maxTitleBytes else {
                throw ListProblem(field: "title", reason: "is longer than \(builder.limits.maxTitleBytes) bytes")
            }
        }
        if builder.count == 0, let first = problems.first { throw first }
        return builder.finish(title: title, problems: problems, problemCount: problemCount, revision: revision)
    }

    private mutating func take(_ piece: ListPiece, isJSON: Bool) throws(ListProblem) {
        guard let bytes = piece.bytes else {
            let reason = "is longer than \(builder.limits.maxLineBytes) bytes"
            return try report(builder.unreadable(line: piece.line, reason))
        }
        let content = bytes.trimmingSpace
        guard !content.isEmpty, isJSON || content[0] != UInt8(ascii: "#") else { return }
        do throws(ListProblem) {
            if isJSON {
                let json: JSON
                do throws(JSONError) {
                    json = try JSON.parse(Array(content))
                } catch {
                    let isCut = piece.endsText && error.reason.hasSuffix("has no end")
                    let reason = isCut ? "ends in the middle of a quote" : "is not JSON: \(error)"
                    throw builder.unreadable(line: piece.line, reason)
                }
                try builder.append(json, line: piece.line)
            } else {
                guard let url = String(validating: content, as: UTF8.self) else {
                    throw builder.unreadable(line: piece.line, "is not UTF-8")
                }
                try builder.append(ListEntry(url: url), line: piece.line)
            }
        } catch {
            try report(error)
        }
    }

    private mutating func take(_ record: CSVRecord) throws(ListProblem) {
        do throws(ListProblem) {
            switch record {
            case .entry(let entry, let wrong, let line): try builder.append(entry, wrong: wrong, line: line)
            case .unreadable(let line, let reason): throw builder.unreadable(line: line, reason)
            }
        } catch {
            try report(error)
        }
    }

    private mutating func report(_ problem: ListProblem) throws(ListProblem) {
        if stopsAtFirstProblem || builder.count >= builder.limits.maxItems { throw problem }
        problemCount += 1
        if problems.count < builder.limits.maxProblems { problems.append(problem) }
    }
}
