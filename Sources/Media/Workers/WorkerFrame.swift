/// A message between the server and a worker: a length of 4 bytes, little-endian, then that many bytes of values. Both ends are the same
/// executable, so there is no version.
package struct FrameWriter: Sendable {
    package private(set) var bytes: [UInt8] = [0, 0, 0, 0]

    package init() {}

    package mutating func number(_ value: Int) {
        withUnsafeBytes(of: Int64(value).littleEndian) { bytes += $0 }
    }

    package mutating func number(_ value: Double) {
        number(Int(bitPattern: UInt(truncatingIfNeeded: value.bitPattern)))
    }

    package mutating func blob(_ value: some Collection<UInt8>) {
        number(value.count)
        bytes += value
    }

    package mutating func text(_ value: String) { blob(value.utf8) }

    /// Appends the values of another frame.
    mutating func append(_ other: FrameWriter) { bytes += other.bytes.dropFirst(4) }

    /// Returns the frame, starting with its length.
    package func frame() -> [UInt8] {
        var frame = bytes
        let length = UInt32(truncatingIfNeeded: bytes.count - 4)
        for i in 0..<4 { frame[i] = UInt8(truncatingIfNeeded: length >> (8 * UInt32(i))) }
        return frame
    }
}

/// Reads the values of a frame in the order in which they were written. Returns `nil` if a value does not fit.
package struct FrameReader: Sendable {
    private var reader: ByteReader

    package init(_ bytes: [UInt8]) { reader = ByteReader(bytes) }

    package var isAtEnd: Bool { reader.remaining == 0 }

    package mutating func number() -> Int? {
        guard let low = reader.number(4, bigEndian: false), let high = reader.number(4, bigEndian: false) else {
            return nil
        }
        return Int(Int64(bitPattern: UInt64(high) << 32 | UInt64(low)))
    }

    package mutating func double() -> Double? {
        number().map { Double(bitPattern: UInt64(UInt(bitPattern: $0))) }
    }

    package mutating func blob() -> [UInt8]? {
        guard let count = number(), let range = reader.range(count) else { return nil }
        return Array(reader.bytes[range])
    }

    package mutating func text() -> String? { blob().map { String(decoding: $0, as: UTF8.self) } }
}
