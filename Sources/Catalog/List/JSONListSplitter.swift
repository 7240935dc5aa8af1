import JSON

/// Splits a JSON list that arrives in chunks into its elements. Stores at most one element.
///
/// The list is an array, or an object with an array member `items`. The splitter parses only this frame and passes on each element as text,
/// so a list of a million items is never in memory as a tree of values.
struct JSONListSplitter: Sendable {
    private enum State { case start, memberName, colon, memberValue, afterMember, element, afterElement, end }

    private let maxBytes: Int
    private var state = State.start
    private var isObject = false
    /// Name of the member that is being read.
    private var name = ""
    private(set) var title: String?
    private var sawItems = false
    /// The value that is being read, and the nesting depth inside the value.
    private var pending: [UInt8] = []
    private var isTooLong = false
    private var depth = 0
    private var inString = false
    private var isEscaped = false
    private var line = 1
    private var pieceLine = 1
    /// Whether another element or member must follow, because of a comma.
    private var mustFollow = false

    init(maxBytes: Int) { self.maxBytes = maxBytes }

    mutating func feed(
        _ chunk: UnsafeBufferPointer<UInt8>, _ take: (ListPiece) throws(ListProblem) -> Void
    ) throws(ListProblem) {
        for byte in chunk {
            if isInsideValue {
                if try !readValue(byte, take) { try readFrame(byte, take) }
            } else {
                try readFrame(byte, take)
            }
            if byte == UInt8(ascii: "\n") { line += 1 }
        }
    }

    func finish() throws(ListProblem) {
        if inString { throw failure("the list ends in the middle of a quote") }
        guard state == .end else { throw failure("the text ends before the list does") }
        guard sawItems else { throw failure("the object has no items member") }
    }

    private var isInsideValue: Bool { inString || depth > 0 || !pending.isEmpty || isTooLong }

    /// Reads a byte of a value. Returns `false` if the byte is after the value.
    private mutating func readValue(
        _ byte: UInt8, _ take: (ListPiece) throws(ListProblem) -> Void
    ) throws(ListProblem) -> Bool {
        if inString {
            keep(byte)
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                inString = false
                if depth == 0 { try endValue(take) }
            }
            return true
        }
        switch byte {
        case UInt8(ascii: "\""):
            keep(byte)
            inString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            keep(byte)
            depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            guard depth > 0 else {
                try endValue(take)
                return false
            }
            keep(byte)
            depth -= 1
            if depth == 0 { try endValue(take) }
        case UInt8(ascii: ",") where depth == 0, 0x20 where depth == 0, 0x09...0x0D where depth == 0:
            try endValue(take)
            return false
        default: keep(byte)
        }
        return true
    }

    private mutating func readFrame(
        _ byte: UInt8, _ take: (ListPiece) throws(ListProblem) -> Void
    ) throws(ListProblem) {
        if byte == 0x20 || (0x09...0x0D ~= byte) { return }
        switch (state, byte) {
        case (.start, UInt8(ascii: "[")):
            sawItems = true
            state = .element
        case (.start, UInt8(ascii: "{")):
            isObject = true
            state = .memberName
        case (.memberName, UInt8(ascii: "\"")): try beginValue(byte, take)
        case (.memberName, UInt8(ascii: "}")) where !mustFollow, (.afterMember, UInt8(ascii: "}")): state = .end
        case (.colon, UInt8(ascii: ":")): state = .memberValue
        case (.memberValue, UInt8(ascii: "[")) where name == "items":
            guard !sawItems else { throw failure("the object has two items members") }
            sawItems = true
            mustFollow = false
            state = .element
        case (.memberValue, _):
            guard name != "items" else { throw failure("items is not an array") }
            try beginValue(byte, take)
        case (.afterMember, UInt8(ascii: ",")):
            mustFollow = true
            state = .memberName
        case (.element, UInt8(ascii: "]")) where !mustFollow, (.afterElement, UInt8(ascii: "]")):
            state = isObject ? .afterMember : .end
        case (.afterElement, UInt8(ascii: ",")):
            mustFollow = true
            state = .element
        case (.element, _): try beginValue(byte, take)
        case (.start, _): throw failure("a list is an array, or an object with items")
        case (.end, _): throw failure("unexpected text after the list")
        default: throw failure("is not JSON: unexpected character")
        }
    }

    private mutating func beginValue(
        _ byte: UInt8, _ take: (ListPiece) throws(ListProblem) -> Void
    ) throws(ListProblem) {
        guard ![UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(byte) else {
            throw failure("is not JSON: a value is missing")
        }
        pieceLine = line
        _ = try readValue(byte, take)
    }

    private mutating func keep(_ byte: UInt8) {
        if isTooLong { return }
        if pending.count < maxBytes { pending.append(byte) } else { isTooLong = true }
    }

    private mutating func endValue(_ take: (ListPiece) throws(ListProblem) -> Void) throws(ListProblem) {
        let (value, tooLong) = (pending, isTooLong)
        pending.removeAll(keepingCapacity: true)
        isTooLong = false
        mustFollow = false
        switch state {
        case .memberName:
            guard !tooLong, let text = try? JSON.parse(value).string else {
                throw failure("is not JSON: a member name cannot be read")
            }
            name = text
            state = .colon
        case .memberValue:
            state = .afterMember
            if tooLong { return }
            guard let json = try? JSON.parse(value) else { throw failure("is not JSON: \(name) cannot be read") }
            if name == "title" { title = try Self.title(json) }
        default:
            state = .afterElement
            let piece = pieceLine
            let result: Result<Void, ListProblem> = value.withUnsafeBufferPointer { buffer in
                do throws(ListProblem) {
                    return .success(try take(ListPiece(line: piece, bytes: tooLong ? nil : buffer)))
                } catch {
                    return .failure(error)
                }
            }
            try result.get()
        }
    }

    private static func title(_ json: JSON) throws(ListProblem) -> String? {
        switch json {
        case .string(let title): return title
        case .null: return nil
        default: throw ListProblem(field: "title", reason: "is not a string")
        }
    }

    private func failure(_ reason: String) -> ListProblem { ListProblem(line: line, reason: reason) }
}
