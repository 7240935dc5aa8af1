/// One record of a CSV list after its header row.
enum CSVRecord {
    /// - Parameter wrong: problems with hints that were left out of the entry.
    case entry(ListEntry, wrong: [ListProblem], line: Int)
    case unreadable(line: Int, reason: String)
}

/// Parses comma-separated values (RFC 4180) from chunks of text. Stores at most one record.
///
/// Fields in double quotes may contain commas, line breaks and doubled quotes. Lines end with LF or CRLF. Semicolons or tabs may separate
/// fields instead of commas. The header row determines the separator.
struct CSVSplitter: Sendable {
    private enum State { case fieldStart, plain, quoted, afterQuote }

    private static let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

    private let maxBytes: Int
    /// `nil` until the header row has been read.
    private var separator: UInt8?
    /// The possible separators in the header row, one after each field.
    private var headerSeparators: [UInt8] = []
    private var state = State.fieldStart
    /// The fields of the current record: their bytes without separators, and the end of each field.
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    /// Reason why the current record cannot be used.
    private var fault: String?
    private var line = 1
    private var recordLine = 1
    /// Line on which the last quote was opened.
    private var quoteLine = 1
    /// The entry field that each column fills. `nil` until the header row has been read.
    private var columns: [String?]?

    init(maxBytes: Int) { self.maxBytes = maxBytes }

    mutating func feed(
        _ chunk: UnsafeBufferPointer<UInt8>, _ take: (CSVRecord) throws(ListProblem) -> Void
    ) throws(ListProblem) {
        for byte in chunk {
            if byte == UInt8(ascii: "\n") { line += 1 }
            switch (state, byte) {
            case (.quoted, UInt8(ascii: "\"")): state = .afterQuote
            case (.quoted, UInt8(ascii: "\n")) where bytes.count >= maxBytes:
                // A quote without an end would swallow the rest of the list, so start again at the next line.
                try endRecord(take)
            case (.quoted, _): append(byte)
            case (.afterQuote, UInt8(ascii: "\"")):
                append(byte)
                state = .quoted
            case (.fieldStart, UInt8(ascii: "\"")):
                quoteLine = line
                state = .quoted
            case _ where isSeparator(byte):
                if separator == nil, headerSeparators.count < maxBytes { headerSeparators.append(byte) }
                endField()
            case (_, UInt8(ascii: "\n")): try endRecord(take)
            case (_, UInt8(ascii: "\r")): append(byte)
            case (.afterQuote, _):
                if byte != UInt8(ascii: " ") { fault = fault ?? "has text after a closing quote" }
            case (_, UInt8(ascii: "\"")):
                fault = fault ?? "has a quote inside a field without quotes"
                state = .plain
            default:
                append(byte)
                state = .plain
            }
        }
    }

    mutating func finish(_ take: (CSVRecord) throws(ListProblem) -> Void) throws(ListProblem) {
        if state == .quoted {
            // Line ends after the opening quote are part of the field.
            let lost = line > quoteLine ? ": the quote begins on line \(quoteLine), and all text after it is lost" : ""
            fault = fault ?? "ends in the middle of a quote\(lost)"
        }
        if state != .fieldStart || !bytes.isEmpty || !ends.isEmpty { try endRecord(take) }
        guard columns != nil else { throw ListProblem(line: 1, reason: "the header row is missing") }
    }

    private mutating func append(_ byte: UInt8) {
        if bytes.count < maxBytes { bytes.append(byte) } else { fault = "is longer than \(maxBytes) bytes" }
    }

    private mutating func endField() {
        // Limit the number of fields, or a record with only commas would grow without bound.
        if ends.count < maxBytes { ends.append(bytes.count) } else { fault = "is longer than \(maxBytes) bytes" }
        state = .fieldStart
    }

    private mutating func endRecord(_ take: (CSVRecord) throws(ListProblem) -> Void) throws(ListProblem) {
        if bytes.count > ends.last ?? 0, bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        endField()
        let (content, fieldEnds, firstLine, problem) = (bytes, ends, recordLine, fault)
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        let between = headerSeparators
        headerSeparators = []
        fault = nil
        recordLine = line
        if content.isEmpty, fieldEnds.count == 1 { return }
        if let problem {
            guard columns != nil else { throw ListProblem(line: firstLine, reason: "the header row \(problem)") }
            return try take(.unreadable(line: firstLine, reason: problem))
        }
        var fields: [String] = []
        var start = 0
        for end in fieldEnds {
            guard let text = String(validating: content[start..<end], as: UTF8.self) else {
                return try take(.unreadable(line: firstLine, reason: "is not UTF-8"))
            }
            fields.append(text)
            start = end
        }
        guard let columns else { return try readHeader(fields, between, line: firstLine) }
        try take(Self.record(fields, columns: columns, line: firstLine))
    }

    private func isSeparator(_ byte: UInt8) -> Bool {
        guard let separator else { return Self.separators.contains(byte) }
        return byte == separator
    }

    /// Uses the first separator that results in a column `url`.
    ///
    /// - Parameters:
    ///   - fields: fields of the row, split at all possible separators.
    ///   - between: the separators between the fields.
    private mutating func readHeader(_ fields: [String], _ between: [UInt8], line: Int) throws(ListProblem) {
        let known = ["url", "title", "width", "height", "section", "color", "thumbhash", "blurhash"]
        for separator in Self.separators {
            var names = [""]
            for (index, field) in fields.enumerated() {
                names[names.count - 1] += field
                guard index < between.count, index + 1 < fields.count else { continue }
                if between[index] == separator {
                    names.append("")
                } else {
                    names[names.count - 1] += String(Unicode.Scalar(between[index]))
                }
            }
            names = names.map { $0.trimmed.lowercased() }
            guard names.contains("url") else { continue }
            self.separator = separator
            columns = names.map { known.contains($0) ? $0 : nil }
            return
        }
        throw ListProblem(line: line, reason: "the header row has no url column")
    }

    private static func record(_ fields: [String], columns: [String?], line: Int) -> CSVRecord {
        var entry = ListEntry(url: "")
        var wrong: [ListProblem] = []
        for (name, field) in zip(columns, fields) {
            guard let name, !field.isEmpty else { continue }
            switch name {
            case "url": entry.url = field.trimmed
            case "title": entry.title = field
            case "section": entry.section = field
            case "color": entry.color = field.trimmed
            case "thumbhash": entry.thumbHash = field.trimmed
            case "blurhash": entry.blurHash = field.trimmed
            default:
                let text = field.trimmed
                guard let length = Int(text) ?? Double(text).flatMap({ Int(exactly: $0) }) else {
                    wrong.append(ListProblem(field: name, reason: "is not a whole number"))
                    continue
                }
                if name == "width" { entry.width = length } else { entry.height = length }
            }
        }
        return .entry(entry, wrong: wrong, line: line)
    }
}

extension String {
    fileprivate var trimmed: String {
        let tail = drop(while: \.isWhitespace)
        return String(tail[..<(tail.lastIndex { !$0.isWhitespace }.map { tail.index(after: $0) } ?? tail.startIndex)])
    }
}
