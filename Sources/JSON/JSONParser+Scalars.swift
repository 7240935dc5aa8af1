extension JSONParser {
    /// Parses a number. Without an exponent, up to 15 digits with up to 22 decimals are exact after one division (Clinger, "How
    /// to read floating point numbers accurately", 1990). The standard library parses all other numbers.
    mutating func number() throws(JSONError) -> Double {
        let start = position
        let negative = take(UInt8(ascii: "-"))
        var mantissa: UInt64 = 0
        var digits = 0
        var exponent = 0
        func isDigit(_ byte: UInt8?) -> Bool { byte.map { $0 &- 0x30 < 10 } ?? false }
        guard isDigit(peek) else { throw failure("expected a digit") }
        if peek == UInt8(ascii: "0"), position + 1 < bytes.count, isDigit(bytes[position + 1]) {
            throw failure("a number may not begin with 0")
        }
        func add(_ byte: UInt8) {
            if digits < 19 { mantissa = mantissa &* 10 &+ UInt64(byte &- 0x30) }
            if mantissa > 0 || byte != 0x30 { digits += 1 }
        }
        while let byte = peek, isDigit(byte) {
            add(byte)
            position += 1
        }
        if take(UInt8(ascii: ".")) {
            guard isDigit(peek) else { throw failure("expected a digit after the point") }
            while let byte = peek, isDigit(byte) {
                add(byte)
                exponent -= 1
                position += 1
            }
        }
        var hasExponent = false
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            hasExponent = true
            position += 1
            if !take(UInt8(ascii: "-")) { _ = take(UInt8(ascii: "+")) }
            guard isDigit(peek) else { throw failure("expected a digit in the exponent") }
            while isDigit(peek) { position += 1 }
        }
        if !hasExponent, digits <= 15, exponent >= -22 {
            let value = Double(mantissa) / Self.powersOfTen[-exponent]
            return negative ? -value : value
        }
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self)
        guard let value = Double(text), value.isFinite else { throw failure("the number is not finite", at: start) }
        return value
    }

    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// Parses a string in double quotes and resolves its escapes.
    mutating func string() throws(JSONError) -> String {
        position += 1
        let start = position
        while let byte = peek {
            if byte == UInt8(ascii: "\"") {
                let text = try validated(start..<position)
                position += 1
                return text
            }
            if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
            guard byte >= 0x20 else { throw failure("a control character must be escaped") }
            position += 1
        }
        throw failure("the string has no end", at: start - 1)
    }

    private mutating func escapedString(from start: Int) throws(JSONError) -> String {
        var text = try validated(start..<position)
        var runStart = position
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                text += try validated(runStart..<position)
                position += 1
                return text
            case UInt8(ascii: "\\"):
                text += try validated(runStart..<position)
                position += 1
                text.unicodeScalars.append(try escape())
                runStart = position
            case 0..<0x20: throw failure("a control character must be escaped")
            default: position += 1
            }
        }
        throw failure("the string has no end", at: start - 1)
    }

    private func validated(_ range: Range<Int>) throws(JSONError) -> String {
        let slice = UnsafeBufferPointer(rebasing: bytes[range])
        guard let text = String(validating: slice, as: UTF8.self) else {
            throw failure("the string is not UTF-8", at: range.lowerBound)
        }
        return text
    }

    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        guard let byte = peek else { throw failure("the escape has no end") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape()
        default: throw failure("unknown escape", at: position - 1)
        }
    }

    private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let start = position
        let first = try fourHexDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            throw failure("lone surrogate", at: start)
        }
        let second = try fourHexDigits()
        guard 0xDC00...0xDFFF ~= second,
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw failure("lone surrogate", at: start) }
        return scalar
    }

    private mutating func fourHexDigits() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek else { throw failure("the escape has no end") }
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte - 0x30)
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(byte - 0x61 + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - 0x41 + 10)
            default: throw failure("expected four hexadecimal digits")
            }
            position += 1
        }
        return value
    }
}
