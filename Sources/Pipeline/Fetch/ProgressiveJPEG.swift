/// Follows a JPEG as its bytes come, and counts its finished scans. Each byte is looked at once.
///
/// A progressive picture is good enough for a thumbnail after its fourth scan, an eighth to a quarter of the file; see
/// ITU-T T.81, annex B, for the markers.
public struct ProgressiveJPEG: Sendable {
    public enum Kind: Sendable, Hashable {
        /// Not known yet.
        case unknown
        case progressive
        /// A sequential JPEG, or no JPEG at all: nothing further is read.
        case other
    }

    public private(set) var kind = Kind.unknown
    /// Scans whose last byte has come.
    public private(set) var finishedScans = 0

    /// Everything before is dealt with; may lie beyond the bytes that have come.
    private var position = 0
    private var isInScan = false

    public init() {}

    /// - Parameter bytes: all of the file so far, at least as many as the last time.
    public mutating func read(_ bytes: Span<UInt8>) {
        if position == 0, kind == .unknown {
            guard bytes.count >= 2 else { return }
            guard bytes[0] == 0xff, bytes[1] == 0xd8 else {
                kind = .other
                return
            }
            position = 2
        }
        while kind != .other {
            guard isInScan ? skipScan(bytes) : skipSegment(bytes) else { return }
        }
    }

    /// Passes entropy-coded bytes up to the marker that ends them; false when it has not come.
    private mutating func skipScan(_ bytes: Span<UInt8>) -> Bool {
        while position + 1 < bytes.count {
            let next = bytes[position + 1]
            // 0xff00 is a stuffed byte, 0xffd0...0xffd7 are restarts, 0xffff is fill: all belong to the scan.
            if bytes[position] == 0xff, next != 0, next != 0xff, !(0xd0...0xd7 ~= next) {
                isInScan = false
                finishedScans += 1
                return true
            }
            position += 1
        }
        return false
    }

    /// Passes one marker and its parameters; false when its length has not come.
    private mutating func skipSegment(_ bytes: Span<UInt8>) -> Bool {
        guard position < bytes.count - 1 else { return false }
        guard bytes[position] == 0xff else {
            kind = .other
            return true
        }
        let marker = bytes[position + 1]
        switch marker {
        case 0xff:  // fill
            position += 1
            return true
        case 0x01, 0xd0...0xd8:  // markers without parameters
            position += 2
            return true
        case 0xd9:  // the end
            return false
        default: break
        }
        guard position < bytes.count - 3 else { return false }
        switch marker {
        case 0xc2, 0xc6, 0xca, 0xce: kind = .progressive
        case 0xc0, 0xc1, 0xc3, 0xc5, 0xc7, 0xc9, 0xcb, 0xcd, 0xcf: kind = .other
        case 0xda: isInScan = true
        default: break
        }
        position += 2 + max(2, Int(bytes[position + 2]) << 8 | Int(bytes[position + 3]))
        return true
    }
}
