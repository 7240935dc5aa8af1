import CImageCodecs
import Pictures

/// A picture of the demo, told by its size and its text alone: the same in every run.
public struct DemoPicture: Sendable, Hashable {
    /// Sides of a picture, in pixels.
    public static let sides = 16...4096
    /// Bytes of a text.
    public static let maxTextBytes = 64

    public let width: Int
    public let height: Int
    public let text: String
    /// Whether machines can read its number, too: see ``FilmEdge``.
    public let isMarked: Bool

    /// - Returns: `nil` for a size or a text out of bounds.
    public init?(width: Int, height: Int, text: String, isMarked: Bool = false) {
        guard Self.sides ~= width, Self.sides ~= height, text.utf8.count <= Self.maxTextBytes else { return nil }
        self.width = width
        self.height = height
        self.text = text
        self.isMarked = isMarked
    }

    /// Its motif, in a word or two.
    static func name(number: Int) -> String { Scene.name(seed: UInt64(number)) }

    /// The number the text ends with, `food 7`; `nil` when there is none, or one too great to be marked.
    public var number: Int? {
        let digits = text.utf8.reversed().prefix { 0x30...0x39 ~= $0 }.reversed()
        guard !digits.isEmpty, digits.count <= 9 else { return nil }
        let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return number <= FilmEdge.maxNumber ? number : nil
    }

    /// The seed of its colours and shapes.
    var seed: UInt64 {
        number.map { UInt64($0) } ?? StableHash(text).value
    }

    /// Grows with each change of how pictures are painted.
    private static let painter = 6

    /// The version of every picture of the demo.
    static let version = ContentVersion(identity: "painter \(painter)")

    /// The entity tag of the picture: another with each size, each text, and each change of how pictures are painted.
    var tag: String { "\"\(Self.painter)\(isMarked ? "m" : "")-\(width)x\(height)-\(String(seed, radix: 16))\"" }

    /// The pixels, four bytes each: red, green, blue and one unused.
    public func pixels() -> [UInt32] {
        [UInt32](unsafeUninitializedCapacity: width * height) { buffer, count in
            if let base = buffer.baseAddress {
                buffer.initialize(repeating: 0)
                let canvas = Canvas(base, width: width, height: height)
                Scene.paint(on: canvas, seed: seed)
                if let number {
                    let place = Self.numberPlace(width: Float(width), height: Float(height))
                    Digits.paint(
                        number, on: canvas, left: place.left, bottom: place.bottom, height: place.digitHeight)
                }
                if isMarked { FilmEdge.paint(number, on: canvas) }
            }
            count = width * height
        }
    }

    /// Where a picture's number begins, and how high its digits are, in pixels: in the lower left of what a cell of 4:3 shows, so that
    /// the number stands in the same place in all of a grid, and far enough from its edge to be whole in a square cell.
    package static func numberPlace(
        width: Float, height: Float
    ) -> (left: Float, bottom: Float, digitHeight: Float) {
        let shown = (width: min(width, height * 4 / 3), height: min(height, width * 3 / 4))
        return (width / 2 - shown.width * 0.32, height / 2 + shown.height * 0.39, shown.height * 0.07)
    }

    /// The picture as JPEG, quality 85; `nil` when the encoder fails (out of memory).
    public func jpeg() -> [UInt8]? { Self.encode(pixels(), width: width, height: height, quality: 85) }

    /// Pixels as ``pixels()`` has them, as JPEG.
    package static func encode(
        _ pixels: [UInt32], width: Int, height: Int, quality: Int32, isProgressive: Bool = false
    ) -> [UInt8]? {
        guard sides ~= width, sides ~= height, pixels.count == width * height, let encoder = tjInitCompress() else {
            return nil
        }
        defer { tjDestroy(encoder) }
        var size: UInt = 0
        var output: UnsafeMutablePointer<UInt8>?
        defer { tjFree(output) }
        let status = pixels.withUnsafeBytes { pixels in
            tjCompress2(
                encoder, pixels.bindMemory(to: UInt8.self).baseAddress, Int32(width), 0, Int32(height),
                Int32(TJPF_RGBX.rawValue), &output, &size, Int32(TJSAMP_420.rawValue), quality,
                isProgressive ? TJFLAG_PROGRESSIVE : 0)
        }
        guard status == 0, let output else { return nil }
        return [UInt8](UnsafeBufferPointer(start: output, count: Int(size)))
    }
}
