/// Reason why a text is not JSON, and the position of the fault.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Offset of the first byte that does not fit.
    public let offset: Int
    public let reason: String

    public init(offset: Int, reason: String) {
        self.offset = offset
        self.reason = reason
    }

    public var description: String { "\(reason) at byte \(offset)" }
}

extension JSON {
    /// Parses one JSON text.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8. The caller limits the length.
    ///   - maxDepth: Maximum nesting of arrays and objects. Default 64.
    /// - Throws: ``JSONError`` for anything that RFC 8259 forbids, invalid UTF-8 in strings, lone surrogates, numbers that are
    ///   not finite, and nesting deeper than `maxDepth`.
    public static func parse(_ bytes: [UInt8], maxDepth: Int = 64) throws(JSONError) -> JSON {
        try parse(bytes[...], maxDepth: maxDepth)
    }

    public static func parse(_ text: String, maxDepth: Int = 64) throws(JSONError) -> JSON {
        try parse(Array(text.utf8), maxDepth: maxDepth)
    }

    public static func parse(_ bytes: ArraySlice<UInt8>, maxDepth: Int = 64) throws(JSONError) -> JSON {
        let result: Result<JSON, JSONError> = bytes.withUnsafeBufferPointer { buffer in
            var parser = JSONParser(bytes: buffer, maxDepth: maxDepth)
            do throws(JSONError) { return .success(try parser.document()) } catch { return .failure(error) }
        }
        return try result.get()
    }
}

/// A recursive-descent parser over borrowed bytes. Never reads outside them.
struct JSONParser {
    let bytes: UnsafeBufferPointer<UInt8>
    let maxDepth: Int
    var position = 0

    init(bytes: UnsafeBufferPointer<UInt8>, maxDepth: Int) {
        self.bytes = bytes
        self.maxDepth = maxDepth
    }

    mutating func document() throws(JSONError) -> JSON {
        let value = try value(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw failure("unexpected text after the value") }
        return value
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSON {
        skipSpace()
        guard depth <= maxDepth else { throw failure("nested deeper than \(maxDepth)") }
        switch peek {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return .number(try number())
        case nil: throw failure("the text ends where a value should be")
        default: throw failure("expected a value")
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSON {
        var object = JSONObject()
        position += 1
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(object) }
        while true {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw failure("expected a member name in double quotes") }
            let name = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw failure("expected ':' after a member name") }
            object.append(name, try value(depth: depth + 1))
            skipSpace()
            if take(UInt8(ascii: ",")) { continue }
            guard take(UInt8(ascii: "}")) else { throw failure("expected ',' or '}'") }
            return .object(object)
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSON {
        var elements: [JSON] = []
        position += 1
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            elements.append(try value(depth: depth + 1))
            skipSpace()
            if take(UInt8(ascii: ",")) { continue }
            guard take(UInt8(ascii: "]")) else { throw failure("expected ',' or ']'") }
            return .array(elements)
        }
    }

    private mutating func literal(_ text: StaticString, _ value: JSON) throws(JSONError) -> JSON {
        for index in 0..<text.utf8CodeUnitCount {
            guard position + index < bytes.count, bytes[position + index] == text.utf8Start[index] else {
                throw failure("expected \(text)")
            }
        }
        position += text.utf8CodeUnitCount
        return value
    }

    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    func failure(_ reason: String, at offset: Int? = nil) -> JSONError {
        JSONError(offset: offset ?? position, reason: reason)
    }
}
