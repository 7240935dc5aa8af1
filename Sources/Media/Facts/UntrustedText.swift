// Cleaning and shortening of text from a file or a client.

extension String {
    /// The text without control characters, invalid UTF-8, and surrounding space.
    var cleaned: String {
        let allowed = filter { character in
            character != "\u{FFFD}" && (character.isNewline || (character.unicodeScalars.first?.value ?? 0) >= 0x20)
        }
        let start = allowed.drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}

extension StringProtocol {
    /// Returns the start of the text, at most `limit` bytes of UTF-8. One character may have a megabyte, for example a letter with many
    /// accents. The cut may separate accents from their letter, but never divides a code point.
    package func prefix(bytes limit: Int) -> SubSequence {
        self[..<(utf8.index(startIndex, offsetBy: limit, limitedBy: endIndex) ?? endIndex)]
    }
}
