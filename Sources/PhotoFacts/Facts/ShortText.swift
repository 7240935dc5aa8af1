extension StringProtocol {
    /// The start of the text, of at most so many bytes of UTF-8. One character may have a megabyte: a letter with many accents. The
    /// cut may separate accents from their letter, and never divides a code point.
    package func prefix(bytes limit: Int) -> SubSequence {
        self[..<(utf8.index(startIndex, offsetBy: limit, limitedBy: endIndex) ?? endIndex)]
    }
}
