import Glibc

/// XML that is searched, not parsed: the part between two positions of some bytes.
package struct XMLText {
    package let bytes: [UInt8]
    package let range: Range<Int>

    package init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        self.range = range.clamped(to: bytes.indices)
    }

    /// Returns the position of the first occurrence of a text at or after `place`. Searches for the text's colon, otherwise for its first
    /// byte, and then compares: few bytes are colons or begin a tag.
    package func find(_ text: [UInt8], from place: Int) -> Int? {
        let anchor = text.firstIndex(of: UInt8(ascii: ":")) ?? 0
        guard let sought = text.indices.contains(anchor) ? text[anchor] : nil else { return nil }
        return bytes.withUnsafeBytes { all in
            guard let base = all.baseAddress else { return nil }
            var next = max(place, range.lowerBound) + anchor
            while next < range.upperBound, let found = memchr(base + next, Int32(sought), range.upperBound - next) {
                next = UnsafeRawPointer(found) - base
                let start = next - anchor
                if start + text.count <= range.upperBound, memcmp(base + start, text, text.count) == 0 { return start }
                next += 1
            }
            return nil
        }
    }

    /// Returns the contents of the first element with a name and without attributes, with entities resolved.
    package func element(_ name: String) -> [UInt8]? {
        let tag = Array("<\(name)>".utf8)
        guard let start = find(tag, from: range.lowerBound),
            let end = find(Array("</\(name)>".utf8), from: start + tag.count)
        else { return nil }
        return Self.resolved(bytes[start + tag.count..<end])
    }

    /// Resolves XML's predefined entities, and characters by number. Leaves unknown ones as they are.
    package static func resolved(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard text.contains(UInt8(ascii: "&")) else { return Array(text) }
        var result: [UInt8] = []
        var rest = text
        while let byte = rest.first {
            if byte == UInt8(ascii: "&"), let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")),
                let character = character(String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self))
            {
                result += Array(String(character).utf8)
                rest = rest[(end + 1)...]
            } else {
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return result
    }

    /// Returns the character for the name between `&` and `;`, or `nil` if the name is unknown.
    private static func character(_ name: String) -> Character? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard name.first == "#" else { return nil }
            let digits = name.dropFirst()
            let code = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return code.flatMap(Unicode.Scalar.init).map(Character.init)
        }
    }
}
