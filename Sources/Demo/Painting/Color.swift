import Glibc
import Numbers

/// A colour in sRGB. Each channel is in `0 ... 255`.
struct Color: Sendable {
    var red: Float
    var green: Float
    var blue: Float

    static let white = Color(red: 255, green: 255, blue: 255)
    static let ink = Color(red: 24, green: 22, blue: 26)

    init(red: Float, green: Float, blue: Float) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Converts from OKLCH: perceived lightness, perceived chroma, and hue in turns. Clips colours that sRGB does not have.
    ///
    /// Source: Björn Ottosson, "A perceptual color space for image processing", 2020.
    init(lightness: Float, chroma: Float, hue: Float) {
        let a = chroma * cosf(hue * 2 * .pi)
        let b = chroma * sinf(hue * 2 * .pi)
        let l = cube(lightness + 0.396_337_78 * a + 0.215_803_76 * b)
        let m = cube(lightness - 0.105_561_346 * a - 0.063_854_17 * b)
        let s = cube(lightness - 0.089_484_18 * a - 1.291_485_5 * b)
        red = gamma(4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s)
        green = gamma(-1.268_438 * l + 2.609_757_4 * m - 0.341_319_38 * s)
        blue = gamma(-0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s)
    }

    /// The colour as a pixel, with red in the lowest byte: the order of bytes in memory is red, green, blue.
    var packed: UInt32 {
        UInt32(min(max(red, 0), 255)) | UInt32(min(max(green, 0), 255)) << 8 | UInt32(min(max(blue, 0), 255)) << 16
    }

    func mixed(_ other: Color, _ share: Float) -> Color {
        Color(
            red: red + (other.red - red) * share, green: green + (other.green - green) * share,
            blue: blue + (other.blue - blue) * share)
    }
}

private func cube(_ x: Float) -> Float { x * x * x }

private func gamma(_ linear: Float) -> Float {
    let x = min(max(linear, 0), 1)
    return 255 * (x <= 0.003_130_8 ? 12.92 * x : 1.055 * powf(x, 1 / 2.4) - 0.055)
}

/// Colours that go together: their hues have a fixed distance on the colour circle.
struct Palette: Sendable {
    private let hue: Float
    private let spread: Float
    private let vivid: Float
    /// Whether the background is dark.
    let isNight: Bool

    init(_ random: inout SeededRandom) {
        hue = Float(random.unit())
        // Mostly neighbours on the colour circle, for calm pictures. Opposite hues in one of five, for loud ones.
        spread = [0.04, 0.06, 0.09, 0.12, 0.5][Int(random.next() % 5)]
        vivid = 0.8 + 0.4 * Float(random.unit())
        isNight = random.next() % 4 == 0
    }

    func color(_ index: Int, lightness: Float, chroma: Float = 0.12) -> Color {
        let turn = (hue + spread * Float(index)).truncatingRemainder(dividingBy: 1)
        return Color(lightness: lightness, chroma: chroma * vivid, hue: turn)
    }

    /// Background colour.
    var ground: Color { color(0, lightness: isNight ? 0.3 : 0.88, chroma: 0.06) }
    var groundShade: Color { color(1, lightness: isNight ? 0.2 : 0.76, chroma: 0.09) }
    var soft: Color { color(1, lightness: isNight ? 0.5 : 0.72, chroma: 0.1) }
    var accent: Color { color(2, lightness: 0.66, chroma: 0.17) }
    var deep: Color { color(3, lightness: 0.42, chroma: 0.11) }
}
