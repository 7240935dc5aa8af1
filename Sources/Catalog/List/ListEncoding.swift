/// Converts the text of a list, which arrives in chunks, to UTF-8 without a byte order mark.
///
/// UTF-16 requires a byte order mark. Text without a mark is UTF-8. Stores at most three bytes between two chunks.
struct ListEncoding: Sendable {
    private enum Encoding { case unknown, utf8, utf16LittleEndian, utf16BigEndian }

    private static let marks: [(bytes: [UInt8], encoding: Encoding)] = [
        ([0xEF, 0xBB, 0xBF], .utf8), ([0xFF, 0xFE], .utf16LittleEndian), ([0xFE, 0xFF], .utf16BigEndian),
    ]
    /// A byte that is never valid in UTF-8. Replaces half a character, so that the entry is reported.
    private static let invalid: UInt8 = 0xFF

    private var encoding = Encoding.unknown
    /// The first bytes of the text while they may be the beginning of a byte order mark.
    private var head: [UInt8] = []
    /// The first byte of a UTF-16 unit whose second byte has not arrived.
    private var firstByte: UInt8?
    /// The first half of a surrogate pair.
    private var lead: UInt16?

    /// Converts the next bytes.
    ///
    /// - Parameter bytes: on return, the rest that needs no conversion and follows the result.
    /// - Returns: converted text, at most twice as long as the bytes.
    mutating func convert(_ bytes: inout UnsafeBufferPointer<UInt8>) -> [UInt8] {
        while encoding == .unknown, let byte = bytes.first {
            bytes = UnsafeBufferPointer(rebasing: bytes.dropFirst())
            head.append(byte)
            recognize()
        }
        var text: [UInt8] = []
        switch encoding {
        case .unknown: break
        case .utf8: swap(&text, &head)
        case .utf16LittleEndian, .utf16BigEndian:
            text.reserveCapacity(bytes.count)
            for byte in bytes {
                guard let first = firstByte else {
                    firstByte = byte
                    continue
                }
                firstByte = nil
                let (high, low) = encoding == .utf16BigEndian ? (first, byte) : (byte, first)
                append(UInt16(high) << 8 | UInt16(low), to: &text)
            }
            bytes = UnsafeBufferPointer(start: nil, count: 0)
        }
        return text
    }

    /// Converts the stored bytes at the end of the text.
    mutating func finish() -> [UInt8] {
        if encoding == .unknown { return head }
        return firstByte == nil && lead == nil ? [] : [Self.invalid]
    }

    private mutating func recognize() {
        if let mark = Self.marks.first(where: { $0.bytes == head }) {
            encoding = mark.encoding
            head = []
        } else if !Self.marks.contains(where: { $0.bytes.starts(with: head) }) {
            encoding = .utf8
        }
    }

    private mutating func append(_ unit: UInt16, to text: inout [UInt8]) {
        if let first = lead {
            lead = nil
            if UTF16.isTrailSurrogate(unit) {
                return append(0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(unit & 0x3FF)), to: &text)
            }
            text.append(Self.invalid)
        }
        if UTF16.isLeadSurrogate(unit) { lead = unit } else { append(UInt32(unit), to: &text) }
    }

    private func append(_ code: UInt32, to text: inout [UInt8]) {
        guard let scalar = Unicode.Scalar(code) else { return text.append(Self.invalid) }
        if scalar.isASCII { text.append(UInt8(truncatingIfNeeded: code)) } else { text.append(contentsOf: scalar.utf8) }
    }
}
