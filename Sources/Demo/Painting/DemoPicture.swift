import CImageCodecs
import Media

/// A picture of the demo. Its pixels depend only on the properties here, so they are the same in every run.
public struct DemoPicture: Sendable, Hashable {
    /// Range of width and height, in pixels.
    public static let sides = 16...4096
    public static let maxTextBytes = 64

    public let width: Int
    public let height: Int
    public let text: String
    /// Whether ``FilmEdge`` paints the number so that machines can read it.
    public let isMarked: Bool

    /// `nil` if a side is out of ``sides`` or the text is too long.
    public init?(width: Int, height: Int, text: String, isMarked: Bool = false) {
        guard Self.sides ~= width, Self.sides ~= height, text.utf8.count <= Self.maxTextBytes else { return nil }
        self.width = width
        self.height = height
        self.text = text
        self.isMarked = isMarked
    }

    /// Returns the name of the picture's motif.
    static func name(number: Int) -> String { Scene.name(seed: UInt64(number)) }

    /// The number at the end of the text, such as 7 in `food 7`. `nil` if there is none, or if the number exceeds
    /// ``FilmEdge/maxNumber``.
    public var number: Int? {
        let digits = text.utf8.reversed().prefix { 0x30...0x39 ~= $0 }.reversed()
        guard !digits.isEmpty, digits.count <= 9 else { return nil }
        let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return number <= FilmEdge.maxNumber ? number : nil
    }

    /// Seed of the colours and shapes.
    var seed: UInt64 {
        number.map { UInt64($0) } ?? StableHash(text).value
    }

    /// Version of the painting code. Raise it with each change of the pictures.
    private static let painter = 6

    /// Version of every picture of the demo.
    static let version = ContentVersion(identity: "painter \(painter)")

    /// Entity tag of the picture. Differs for each size, text and version of the painting code.
    var tag: String { "\"\(Self.painter)\(isMarked ? "m" : "")-\(width)x\(height)-\(String(seed, radix: 16))\"" }

    /// Paints the picture. Each pixel has four bytes: red, green, blue and an unused byte.
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

    /// Returns the position of a picture's number and the height of its digits, in pixels.
    ///
    /// The number is in the lower left of the part that a 4:3 cell shows, so that it is in the same place in all cells of a grid. Its
    /// distance from the edge keeps all digits visible in a square cell.
    package static func numberPlace(
        width: Float, height: Float
    ) -> (left: Float, bottom: Float, digitHeight: Float) {
        let shown = (width: min(width, height * 4 / 3), height: min(height, width * 3 / 4))
        return (width / 2 - shown.width * 0.32, height / 2 + shown.height * 0.39, shown.height * 0.07)
    }

    /// Returns the picture as JPEG with quality 85, or `nil` if the encoder runs out of memory.
    public func jpeg() -> [UInt8]? { Self.encode(pixels(), width: width, height: height, quality: 85) }

    /// Encodes pixels in the format of ``pixels()`` as JPEG. `nil` if a size is invalid or the encoder fails.
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
