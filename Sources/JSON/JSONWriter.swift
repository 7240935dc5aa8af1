/// Writes one JSON text, byte by byte, without building values first.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.object {
///     $0.member("item", 7)
///     $0.member("frames") { $0.array { for x in frames { $0.value(x) } } }
/// }
/// ```
public struct JSONWriter: Sendable {
    public private(set) var bytes: [UInt8] = []
    /// Whether the next value or member is the first of the open array or object.
    private var isFirst = true

    public init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    public mutating func object(_ members: (inout JSONWriter) -> Void) {
        nest(UInt8(ascii: "{"), UInt8(ascii: "}"), members)
    }

    public mutating func array(_ elements: (inout JSONWriter) -> Void) {
        nest(UInt8(ascii: "["), UInt8(ascii: "]"), elements)
    }

    private mutating func nest(_ open: UInt8, _ close: UInt8, _ content: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(open)
        isFirst = true
        content(&self)
        bytes.append(close)
        isFirst = false
    }

    /// Writes a member's name. The closure `value` must write the value.
    public mutating func member(_ name: String, _ value: (inout JSONWriter) -> Void) {
        separate()
        appendQuoted(name)
        bytes.append(UInt8(ascii: ":"))
        isFirst = true
        value(&self)
        isFirst = false
    }

    public mutating func member(_ name: String, _ text: String) { member(name) { $0.value(text) } }
    public mutating func member(_ name: String, _ number: Int) { member(name) { $0.value(number) } }
    public mutating func member(_ name: String, _ number: Double) { member(name) { $0.value(number) } }
    public mutating func member(_ name: String, _ flag: Bool) { member(name) { $0.value(flag) } }
    public mutating func member(_ name: String, _ json: JSON) { member(name) { $0.value(json) } }

    public mutating func value(_ text: String) {
        separate()
        appendQuoted(text)
    }

    public mutating func value(_ number: Int) {
        separate()
        append(number)
    }

    /// Writes a number. A number that is not finite is written as `null`, because JSON cannot express it.
    public mutating func value(_ number: Double) {
        separate()
        if let whole = Int(exactly: number) {
            append(whole)
        } else if number.isFinite {
            bytes.append(contentsOf: number.description.utf8)
        } else {
            bytes.append(contentsOf: "null".utf8)
        }
    }

    public mutating func value(_ flag: Bool) {
        separate()
        bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    public mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    public mutating func value(_ json: JSON) {
        switch json {
        case .null: null()
        case .bool(let flag): value(flag)
        case .number(let number): value(number)
        case .string(let text): value(text)
        case .array(let elements): array { for element in elements { $0.value(element) } }
        case .object(let object): self.object { for member in object.members { $0.member(member.name, member.value) } }
        }
    }

    /// Writes a string that needs no escaping, such as base64. `body` appends the text between the quotes.
    public mutating func unescaped(_ body: (inout [UInt8]) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        body(&bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func separate() {
        if isFirst { isFirst = false } else { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func append(_ number: Int) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        let start = bytes.count
        repeat {
            bytes.append(UInt8(truncatingIfNeeded: rest % 10) + 0x30)
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    private mutating func appendQuoted(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x0A: bytes.append(contentsOf: "\\n".utf8)
            case 0x0D: bytes.append(contentsOf: "\\r".utf8)
            case 0x09: bytes.append(contentsOf: "\\t".utf8)
            case 0..<0x20:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(Self.hexDigits[Int(byte >> 4)])
                bytes.append(Self.hexDigits[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)
}

extension JSON {
    /// The value as JSON text in UTF-8.
    public var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }
}

extension Double {
    /// Returns this number rounded to `decimals` decimals, for shorter JSON.
    package func rounded(to decimals: Int) -> Double {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        return (self * scale).rounded() / scale
    }
}
