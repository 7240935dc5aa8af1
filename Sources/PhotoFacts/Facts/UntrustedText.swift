// Text that a file or a client gives.

extension String {
    /// The text without control characters, bytes that are no UTF-8, and the space around it.
    var cleaned: String {
        let kept = filter { character in
            character != "\u{FFFD}" && (character.isNewline || (character.unicodeScalars.first?.value ?? 0) >= 0x20)
        }
        let start = kept.drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}

extension StringProtocol {
    /// The start of the text, of at most so many bytes of UTF-8. One character may have a megabyte: a letter with many accents. The
    /// cut may separate accents from their letter, and never divides a code point.
    package func prefix(bytes limit: Int) -> SubSequence {
        self[..<(utf8.index(startIndex, offsetBy: limit, limitedBy: endIndex) ?? endIndex)]
    }
}
