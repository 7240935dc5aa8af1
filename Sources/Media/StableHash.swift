/// A hash that is the same on every machine, in every run and in every version: FNV-1a, 64 bits. Does not protect against deliberate
/// collisions.
///
/// Hashing can continue: a copy of the hash of a folder's path can then hash a name in the folder.
public struct StableHash: Sendable {
    /// The state. Use ``mixed`` if similar texts must differ in all bits.
    public var value: UInt64

    @inlinable public init(seed: UInt64 = 0xCBF2_9CE4_8422_2325) { value = seed }

    public init(_ text: String) {
        self.init()
        combine(text)
    }

    @inlinable public mutating func combine(_ bytes: UnsafeBufferPointer<UInt8>) {
        var hash = value
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        value = hash
    }

    public mutating func combine(_ text: String) {
        var text = text
        text.withUTF8 { combine($0) }
    }

    public mutating func combine(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer { combine($0) } }

    /// The state with its bits spread, as in SplitMix64. Different states have different values.
    @inlinable public var mixed: UInt64 {
        var hash = value
        hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
        return hash ^ hash >> 31
    }
}

/// A 64-bit name, written as 11 characters of base64url without padding (RFC 4648, section 5).
public protocol HashName: LosslessStringConvertible, Hashable, Sendable {
    var rawValue: UInt64 { get }
    init(rawValue: UInt64)
}

private let hashNameLength = 11
private let hashNameDigits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

extension HashName {
    @inlinable public init(_ hash: StableHash) { self.init(rawValue: hash.mixed) }

    /// Returns `nil` if the text was not written by ``description``. Each name has exactly one form.
    public init?(_ text: String) {
        guard text.utf8.count == hashNameLength else { return nil }
        var value: UInt64 = 0
        for (place, byte) in text.utf8.enumerated() {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = byte - UInt8(ascii: "A")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = byte - UInt8(ascii: "a") + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0") + 52
            case UInt8(ascii: "-"): digit = 62
            case UInt8(ascii: "_"): digit = 63
            default: return nil
            }
            if place < hashNameLength - 1 {
                value = value << 6 | UInt64(digit)
            } else {
                // 11 characters have 66 bits. The last two bits must be 0.
                guard digit & 3 == 0 else { return nil }
                value = value << 4 | UInt64(digit >> 2)
            }
        }
        self.init(rawValue: value)
    }

    public var description: String {
        String(unsafeUninitializedCapacity: hashNameLength) { text in
            for place in 0..<hashNameLength - 1 {
                text[place] = hashNameDigits[Int(rawValue >> UInt64(58 - 6 * place) & 63)]
            }
            text[hashNameLength - 1] = hashNameDigits[Int(rawValue << 2 & 63)]
            return hashNameLength
        }
    }
}
