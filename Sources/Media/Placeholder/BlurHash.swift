import Glibc
import Numbers

/// A picture in 6 to 166 characters, in the format published at https://github.com/woltapp/blurhash: a few cosine terms of its colours,
/// without its proportions.
public struct BlurHash: Sendable {
    private let columns: Int
    private let rows: Int
    /// Red, green and blue of each term, in linear light.
    private let terms: [(red: Double, green: Double, blue: Double)]

    /// Reads a hash. Returns `nil` if the length is wrong or a character is not one of the 83 digits.
    public init?(_ text: some StringProtocol) {
        let digits = text.utf8.prefix(167).compactMap { Self.digits[$0] }
        guard digits.count >= 6, digits.count == text.utf8.count else { return nil }
        (columns, rows) = (digits[0] % 9 + 1, digits[0] / 9 + 1)
        guard digits.count == 4 + 2 * columns * rows else { return nil }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 83 + $1 } }
        let average = number(2..<6)
        guard average < 1 << 24 else { return nil }
        let scale = Double(digits[1] + 1) / 166
        var terms = [(Self.linear(average >> 16), Self.linear(average >> 8 & 255), Self.linear(average & 255))]
        for term in 1..<max(1, columns * rows) {
            let value = number(4 + 2 * term..<6 + 2 * term)
            func wave(_ part: Int) -> Double {
                let share = Double(part - 9) / 9
                return (share < 0 ? -1 : 1) * share * share * scale
            }
            guard value < 19 * 19 * 19 else { return nil }
            terms.append((wave(value / 361), wave(value / 19 % 19), wave(value % 19)))
        }
        self.terms = terms.map { (red: $0.0, green: $0.1, blue: $0.2) }
    }

    /// Converts the hash to a ThumbHash, which also contains the proportions.
    ///
    /// - Parameter aspectRatio: width divided by height of the picture.
    public func thumbHash(aspectRatio: Double) -> ThumbHash? {
        let ratio = min(max(aspectRatio, 1.0 / 16), 16)
        let width = max(1, Int(clamping: (ratio >= 1 ? Self.side : Self.side * ratio).rounded()))
        let height = max(1, Int(clamping: (ratio >= 1 ? Self.side / ratio : Self.side).rounded()))
        return ThumbHash(width: width, height: height, rgba: pixels(width, height))
    }

    /// Longer side in pixels of the picture from which the ThumbHash is computed. More pixels would add no detail.
    private static let side = 20.0

    private func pixels(_ width: Int, _ height: Int) -> [UInt8] {
        func waves(_ count: Int, _ length: Int) -> [[Double]] {
            (0..<length).map { place in
                (0..<count).map { cos(Double.pi * Double(place) * Double($0) / Double(length)) }
            }
        }
        let (across, down) = (waves(columns, width), waves(rows, height))
        var rgba: [UInt8] = []
        rgba.reserveCapacity(width * height * 4)
        for y in 0..<height {
            for x in 0..<width {
                var (red, green, blue) = (0.0, 0.0, 0.0)
                for row in 0..<rows {
                    for column in 0..<columns {
                        let weight = across[x][column] * down[y][row]
                        let term = terms[row * columns + column]
                        red += term.red * weight
                        green += term.green * weight
                        blue += term.blue * weight
                    }
                }
                rgba += [Self.encoded(red), Self.encoded(green), Self.encoded(blue), 255]
            }
        }
        return rgba
    }

    /// Converts an sRGB value to linear light (IEC 61966-2-1).
    private static func linear(_ value: Int) -> Double {
        let share = Double(value) / 255
        return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }

    private static func encoded(_ linear: Double) -> UInt8 {
        let share = min(max(linear, 0), 1)
        return UInt8(
            clamping: (255 * (share <= 0.0031308 ? share * 12.92 : 1.055 * pow(share, 1 / 2.4) - 0.055)).rounded())
    }

    private static let digits = Dictionary(
        uniqueKeysWithValues: zip(
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8, 0...))
}
