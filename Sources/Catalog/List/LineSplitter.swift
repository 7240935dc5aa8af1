import Glibc

/// A line or a JSON element. Valid only during the call that passes it on.
struct ListPiece {
    /// Number of the first line of the piece, from 1.
    var line: Int
    /// `nil` if the piece is longer than allowed.
    var bytes: UnsafeBufferPointer<UInt8>?
    /// Whether the text ends with this piece, without a line end.
    var endsText = false
}

/// Splits a text that arrives in chunks into lines. Stores at most one line.
struct LineSplitter: Sendable {
    private let maxBytes: Int
    private var pending: [UInt8] = []
    private var isTooLong = false
    private var line = 1

    init(maxBytes: Int) { self.maxBytes = maxBytes }

    mutating func feed(
        _ bytes: UnsafeBufferPointer<UInt8>, _ take: (ListPiece) throws(ListProblem) -> Void
    ) throws(ListProblem) {
        var rest = bytes
        while let start = rest.baseAddress, !rest.isEmpty {
            guard let newline = memchr(start, Int32(UInt8(ascii: "\n")), rest.count) else { break }
            let length = UnsafeRawPointer(newline) - UnsafeRawPointer(start)
            let head = UnsafeBufferPointer(rebasing: rest[..<length])
            rest = UnsafeBufferPointer(rebasing: rest[(length + 1)...])
            try endLine(head, take)
        }
        keep(rest)
    }

    /// Passes on the last line if the text does not end with a newline.
    mutating func finish(_ take: (ListPiece) throws(ListProblem) -> Void) throws(ListProblem) {
        try endLine(UnsafeBufferPointer(start: nil, count: 0), endsText: true, take)
    }

    private mutating func endLine(
        _ end: UnsafeBufferPointer<UInt8>, endsText: Bool = false, _ take: (ListPiece) throws(ListProblem) -> Void
    ) throws(ListProblem) {
        let number = line
        line += 1
        if pending.isEmpty, !isTooLong {
            try take(ListPiece(line: number, bytes: end.count <= maxBytes ? end : nil, endsText: endsText))
            return
        }
        keep(end)
        let (whole, tooLong) = (pending, isTooLong)
        pending.removeAll(keepingCapacity: true)
        isTooLong = false
        let result: Result<Void, ListProblem> = whole.withUnsafeBufferPointer { buffer in
            do throws(ListProblem) {
                return .success(try take(ListPiece(line: number, bytes: tooLong ? nil : buffer, endsText: endsText)))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    private mutating func keep(_ bytes: UnsafeBufferPointer<UInt8>) {
        if isTooLong { return }
        guard pending.count + bytes.count <= maxBytes else {
            isTooLong = true
            pending.removeAll()
            return
        }
        pending.append(contentsOf: bytes)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The bytes without spaces, tabs and line ends at either end.
    var trimmingSpace: UnsafeBufferPointer<UInt8> {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D ~= byte) }
        guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) }) else {
            return UnsafeBufferPointer(start: nil, count: 0)
        }
        return UnsafeBufferPointer(rebasing: self[first...last])
    }
}
