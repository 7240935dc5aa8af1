import Foundation

extension Movie {
    /// A film of 64 x 48 pixels, H.264, in four quadrants: red and green above blue and yellow. The film data is before the
    /// header.
    public static let quadrants = Fixture.bytes("quadrants.mp4")

    /// Returns ``quadrants`` to be displayed after `quarters` quarter turns to the right.
    public static func quadrants(turned quarters: Int) -> [UInt8] {
        let (cosine, sine) = [(1, 0), (0, 1), (-1, 0), (0, -1)][quarters & 3]
        let matrix = [cosine, sine, 0, -sine, cosine, 0, 0, 0, 1 << 14].flatMap { value in
            [8, 0, -8, -16].map { UInt8(truncatingIfNeeded: $0 >= 0 ? value >> $0 : value << -$0) }
        }
        var bytes = quadrants
        if let header = bytes.firstRange(of: Array("tkhd".utf8)) {
            let start = header.upperBound + 40
            bytes.replaceSubrange(start..<start + 36, with: matrix)
        }
        return bytes
    }

    /// Returns ``quadrants`` slowed down by `factor`. The original takes 200 ms.
    public static func quadrants(slowed factor: Int) -> [UInt8] {
        var bytes = quadrants
        // Time units per second of the film and of its track.
        for (box, units) in [("mvhd", 1000), ("mdhd", 10_240)] {
            guard let header = bytes.firstRange(of: Array(box.utf8)) else { return [] }
            let start = header.upperBound + 12
            let slower = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: (units / factor) >> $0) }
            bytes.replaceSubrange(start..<start + 4, with: slower)
        }
        return bytes
    }

    /// Returns ``quadrants`` with `count` empty bytes between film and header.
    public static func quadrants(apart count: Int) -> [UInt8] {
        guard let header = quadrants.firstRange(of: Array("moov".utf8)) else { return [] }
        let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: (count + 8) >> $0) }
        return quadrants[..<(header.lowerBound - 4)] + length + Array("free".utf8)
            + [UInt8](repeating: 0, count: count) + quadrants[(header.lowerBound - 4)...]
    }
}
