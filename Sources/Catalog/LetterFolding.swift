import Foundation

/// Letters without their accents and in lower case: what names are sorted by first, and searched in.
enum LetterFolding {
    /// Letters with a stroke and the like have no decomposition in Unicode. These are the spellings of CLDR's
    /// transliteration from Latin to ASCII.
    private static let spelled: [UInt32: String] = [
        0xDF: "ss", 0xE6: "ae", 0xF0: "d", 0xF8: "o", 0xFE: "th", 0x111: "d", 0x127: "h", 0x131: "i", 0x142: "l",
        0x153: "oe", 0x167: "t",
    ]

    /// Beyond these are scripts without case and accents.
    private static let end: UInt32 = 0x3400

    /// Of each scalar below ``end``, the bytes of the folded letter in UTF-8, the first in the lowest byte; 0 for an accent.
    private static let table: [UInt32] = (0..<end).map { code in
        guard let scalar = Unicode.Scalar(code) else { return 0 }
        let own = packed(String(scalar)) ?? 0
        // Of Cyrillic letters, и with breve is a letter of its own.
        if code == 0x419 || code == 0x439 { return packed("й") ?? own }
        var folded = ""
        for part in String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars where !isAccent(part) {
            for lowered in part.properties.lowercaseMapping.unicodeScalars where !isAccent(lowered) {
                folded += spelled[lowered.value] ?? String(lowered)
            }
        }
        return packed(folded) ?? own
    }

    private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x300...0x36F, 0x653...0x655: true
        default: false
        }
    }

    private static func packed(_ text: String) -> UInt32? {
        guard text.utf8.count <= 4 else { return nil }
        return text.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The folded letter's bytes in UTF-8, the first in the lowest byte; 0 for an accent, `nil` for a letter that stays.
    static func folded(_ scalar: UInt32) -> UInt32? { scalar < end ? table[Int(scalar)] : nil }
}
