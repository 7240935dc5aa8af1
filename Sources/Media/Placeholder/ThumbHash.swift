import Glibc
import Numbers

/// A picture in 5 to 25 bytes: a few cosine terms of its luma and colours, its proportions and its transparency, in the format published at
/// https://evanw.github.io/thumbhash/. An opaque 3:2 picture takes 21 bytes.
public struct ThumbHash: Sendable, Hashable {
    public let bytes: [UInt8]

    /// Accepts bytes that may be a hash. Returns `nil` if there are too few or too many.
    public init?(bytes: [UInt8]) {
        guard (5...25).contains(bytes.count), bytes[2] & 0x80 == 0 || bytes.count >= 6 else { return nil }
        self.bytes = bytes
    }

    /// Hashes pixels of red, green, blue and alpha (not premultiplied). Each side may have 1 to 100 pixels. 32 are enough. Returns `nil` if
    /// a side is out of range or pixels are missing.
    public init?(width: Int, height: Int, rgba: [UInt8]) {
        guard (1...100).contains(width), (1...100).contains(height), rgba.count >= width * height * 4 else {
            return nil
        }
        bytes = Encoder(width: width, height: height, rgba: rgba).hash()
    }

    /// Reads a hash that other bytes may follow, such as the zeros in a ``ThumbHashColumn``. The hash's own head states its length. Returns
    /// `nil` if there are too few bytes, and for zeros.
    public init?(prefixOf bytes: some Collection<UInt8>) {
        let head = Array(bytes.prefix(5))
        // Three bits of the fourth byte contain the number of terms of the shorter side, which is never 0.
        guard head.count == 5, head[3] & 7 > 0 else { return nil }
        let hasAlpha = head[2] & 0x80 != 0
        let (longer, shorter) = (hasAlpha ? 5 : 7, max(3, Int(head[3] & 7)))
        var waves = Self.waves(longer, shorter) + 2 * Self.waves(3, 3)
        if hasAlpha { waves += Self.waves(5, 5) }
        let count = (hasAlpha ? 6 : 5) + (waves + 1) / 2
        guard bytes.count >= count else { return nil }
        self.init(bytes: Array(bytes.prefix(count)))
    }

    /// Returns the number of terms below the diagonal of a transform, without the constant term.
    private static func waves(_ nx: Int, _ ny: Int) -> Int {
        (0..<ny).reduce(0) { $0 + (nx * (ny - $1) + ny - 1) / ny } - 1
    }

    public var hasAlpha: Bool { bytes[2] & 0x80 != 0 }

    /// Average colour of the picture as 0xRRGGBB.
    public var averageColor: UInt32 {
        let header = Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16
        let l = Double(header & 63) / 63
        let p = Double((header >> 6) & 63) / 31.5 - 1
        let q = Double((header >> 12) & 63) / 31.5 - 1
        let b = l - 2 / 3 * p
        let r = (3 * l - b + q) / 2
        let g = r - q
        func byte(_ value: Double) -> UInt32 { UInt32(clamping: (max(0, min(1, value)) * 255).rounded()) }
        return byte(r) << 16 | byte(g) << 8 | byte(b)
    }
}

private struct Terms {
    var constant = 0.0
    var waves: [Double] = []
    var scale = 0.0
}

private struct Encoder {
    let width: Int
    let height: Int
    private var luma: [Double]
    private var yellowBlue: [Double]
    private var redGreen: [Double]
    private var alpha: [Double]
    private var hasAlpha: Bool

    init(width: Int, height: Int, rgba: [UInt8]) {
        self.width = width
        self.height = height
        let count = width * height
        var r = 0.0, g = 0.0, b = 0.0, a = 0.0
        for i in 0..<count {
            let opacity = Double(rgba[4 * i + 3]) / 255
            r += opacity / 255 * Double(rgba[4 * i])
            g += opacity / 255 * Double(rgba[4 * i + 1])
            b += opacity / 255 * Double(rgba[4 * i + 2])
            a += opacity
        }
        if a > 0 { (r, g, b) = (r / a, g / a, b / a) }
        luma = []
        yellowBlue = []
        redGreen = []
        alpha = []
        hasAlpha = false
        // Transparent parts get the average colour.
        for i in 0..<count {
            let opacity = Double(rgba[4 * i + 3]) / 255
            let red = r * (1 - opacity) + opacity / 255 * Double(rgba[4 * i])
            let green = g * (1 - opacity) + opacity / 255 * Double(rgba[4 * i + 1])
            let blue = b * (1 - opacity) + opacity / 255 * Double(rgba[4 * i + 2])
            luma.append((red + green + blue) / 3)
            yellowBlue.append((red + green) / 2 - blue)
            redGreen.append(red - green)
            alpha.append(opacity)
            if rgba[4 * i + 3] < 255 { hasAlpha = true }
        }
    }

    func hash() -> [UInt8] {
        let limit = hasAlpha ? 5.0 : 7.0
        let longest = Double(max(width, height))
        let lx = max(1, round(limit * Double(width) / longest)), ly = max(1, round(limit * Double(height) / longest))
        let l = terms(luma, max(3, lx), max(3, ly))
        let p = terms(yellowBlue, 3, 3), q = terms(redGreen, 3, 3)
        let a = hasAlpha ? terms(alpha, 5, 5) : nil
        let isLandscape = width > height
        let header24 =
            round(63 * l.constant) | round(31.5 + 31.5 * p.constant) << 6 | round(31.5 + 31.5 * q.constant) << 12
            | round(31 * l.scale) << 18 | (hasAlpha ? 1 << 23 : 0)
        let header16 =
            (isLandscape ? ly : lx) | round(63 * p.scale) << 3 | round(63 * q.scale) << 9 | (isLandscape ? 1 << 15 : 0)
        var hash = [header24, header24 >> 8, header24 >> 16, header16, header16 >> 8].map { UInt8($0 & 255) }
        if let a { hash.append(UInt8((round(15 * a.constant) | round(15 * a.scale) << 4) & 255)) }
        let waves = l.waves + p.waves + q.waves + (a?.waves ?? [])
        for (index, wave) in waves.enumerated() {
            let nibble = UInt8(max(0, min(15, round(15 * wave))))
            if index & 1 == 0 { hash.append(nibble) } else { hash[hash.count - 1] |= nibble << 4 }
        }
        return hash
    }

    /// Returns the terms below the diagonal of an `nx` x `ny` cosine transform. The waves are scaled to 0...1.
    private func terms(_ channel: [Double], _ nx: Int, _ ny: Int) -> Terms {
        var terms = Terms()
        let columns = (0..<nx).map { cx in
            (0..<width).map { cos(Double.pi / Double(width) * Double(cx) * (Double($0) + 0.5)) }
        }
        for cy in 0..<ny {
            let rows = (0..<height).map { cos(Double.pi / Double(height) * Double(cy) * (Double($0) + 0.5)) }
            var cx = 0
            while cx * ny < nx * (ny - cy) {
                // Adds in the published order, because another order rounds some ties differently.
                var sum = 0.0
                for y in 0..<height {
                    for x in 0..<width { sum += channel[y * width + x] * columns[cx][x] * rows[y] }
                }
                sum /= Double(width * height)
                if cx == 0, cy == 0 {
                    terms.constant = sum
                } else {
                    terms.waves.append(sum)
                    terms.scale = max(terms.scale, abs(sum))
                }
                cx += 1
            }
        }
        if terms.scale > 0 {
            let scale = 0.5 / terms.scale
            terms.waves = terms.waves.map { 0.5 + scale * $0 }
        }
        return terms
    }

    /// Rounds half up, like the published encoder.
    private func round(_ value: Double) -> Int { Int(clamping: (value + 0.5).rounded(.down)) }
}

/// The ThumbHashes of many pictures, 25 bytes each. Shorter hashes are padded with zeros. 25 zeros mean no hash.
///
/// The column uses no memory before the first hash is set.
public struct ThumbHashColumn: Sendable, Equatable {
    /// Bytes per entry: the length of the longest hash.
    public static let stride = 25
    /// Entry of a picture for which no hash can be computed. No hash begins with these bytes.
    private static let unavailable: [UInt8] = [1] + [UInt8](repeating: 0, count: stride - 1)

    public let count: Int
    private var bytes: [UInt8] = []

    public init(count: Int) { self.count = max(0, count) }

    /// The hash of a picture, or `nil` if unknown.
    ///
    /// Setting a hash that is longer than an entry clears the entry.
    public subscript(index: Int) -> [UInt8]? {
        get {
            guard !bytes.isEmpty else { return nil }
            return ThumbHash(prefixOf: bytes[place(index)])?.bytes
        }
        set {
            let hash = newValue.flatMap { $0.count <= Self.stride ? $0 : nil } ?? []
            set(hash + [UInt8](repeating: 0, count: Self.stride - hash.count), index)
        }
    }

    /// Records that no hash can be computed for a picture.
    public mutating func setUnavailable(_ index: Int) { set(Self.unavailable, index) }

    /// Whether a picture has no hash yet, and no attempt to compute one has failed.
    public func isOpen(_ index: Int) -> Bool { bytes.isEmpty || bytes[place(index)].allSatisfy { $0 == 0 } }

    private mutating func set(_ entry: [UInt8], _ index: Int) {
        if bytes.isEmpty {
            if entry.allSatisfy({ $0 == 0 }) { return }
            bytes = [UInt8](repeating: 0, count: count * Self.stride)
        }
        bytes.replaceSubrange(place(index), with: entry)
    }

    private func place(_ index: Int) -> Range<Int> { index * Self.stride..<(index + 1) * Self.stride }
}
