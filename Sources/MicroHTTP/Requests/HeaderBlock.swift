/// A request's header fields in one buffer. Each field has the length of its name (1 byte), the length of its value (2 bytes, low byte
/// first), its lower-case name, and its value.
struct HeaderBlock: Sendable {
    var bytes: [UInt8] = []

    init(bytes: [UInt8] = []) { self.bytes = bytes }

    init(_ fields: [(String, String)]) {
        for (name, value) in fields where name.utf8.count <= 255 && value.utf8.count <= 65535 {
            bytes.append(UInt8(name.utf8.count))
            bytes.append(UInt8(truncatingIfNeeded: value.utf8.count))
            bytes.append(UInt8(truncatingIfNeeded: value.utf8.count >> 8))
            bytes.append(contentsOf: name.utf8.lazy.map(ASCII.lowercased))
            bytes.append(contentsOf: value.utf8)
        }
    }

    /// Calls `body` with the ranges of each field's name and value.
    func forEach(_ body: (_ name: Range<Int>, _ value: Range<Int>) -> Void) {
        var at = 0
        while at + 3 <= bytes.count {
            let name = at + 3..<at + 3 + Int(bytes[at])
            let value = name.upperBound..<name.upperBound + Int(bytes[at + 1]) + Int(bytes[at + 2]) << 8
            body(name, value)
            at = value.upperBound
        }
    }

    /// Value of a header field. The values of repeated fields are joined by `", "` (RFC 9110, section 5.2), and those of cookies by `"; "`.
    subscript(name: String) -> String? {
        var found: String?
        forEach { field, value in
            guard ASCII.areEqual(name.utf8, bytes[field]) else { return }
            let text = String(decoding: bytes[value], as: UTF8.self)
            if found == nil {
                found = text
            } else {
                found? += (ASCII.areEqual(name.utf8, "cookie".utf8) ? "; " : ", ") + text
            }
        }
        return found
    }
}

enum ASCII {
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }

    /// Whether two texts are equal if the case of letters is ignored.
    static func areEqual(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { lowercased($0) == lowercased($1) }
    }

    static func lowercased(_ text: String) -> String {
        String(decoding: text.utf8.map(lowercased), as: UTF8.self)
    }

    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
