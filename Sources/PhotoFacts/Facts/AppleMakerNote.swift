/// Apple's own part of EXIF: a directory whose offsets count from its beginning.
package enum AppleMakerNote {
    static let beginning = Array("Apple iOS\0".utf8)
    /// Entries that are looked at; phones write about forty.
    private static let mostEntries = 128
    /// The tag of the content identifier, and the type of a text.
    private static let identifier = 0x11, text = 2

    /// The identifier shared with the video of a Live Photo; `nil` where there is none.
    package static func contentIdentifier(_ note: [UInt8]) -> String? {
        // Then a version and the order of the bytes.
        guard note.starts(with: beginning) else { return nil }
        var reader = ByteReader(note)
        guard reader.skip(14), let count = reader.number(2, bigEndian: true) else { return nil }
        for _ in 0..<min(count, mostEntries) {
            guard let tag = reader.number(2, bigEndian: true), let type = reader.number(2, bigEndian: true),
                let length = reader.number(4, bigEndian: true), let offset = reader.number(4, bigEndian: true)
            else { return nil }
            guard tag == identifier, type == text, 5...64 ~= length, offset <= note.count - length else { continue }
            let value = String(decoding: note[offset..<offset + length].prefix { $0 != 0 }, as: UTF8.self).cleaned
            return value.isEmpty ? nil : value
        }
        return nil
    }
}
