import TestSupport

/// Small pictures by other programs, of kinds that no encoder here writes.
enum RealPictures {
    /// 120 x 80 quadrants, Adam7.
    static let interlacedPNG = Fixture.bytes("interlaced.png")

    /// 120 x 80 quadrants by palette, the red one transparent by tRNS.
    static let palettePNG = Fixture.bytes("palette.png")

    /// 120 x 80 quadrants of 16 bits without gamma, Adam7.
    static let deepPNG = Fixture.bytes("deep.png")

    /// 120 x 80 quadrants, then their negative.
    static let animatedWebP = Fixture.bytes("animated.webp")

    /// A red frame of 30 x 20 at (10, 6) of a clear 120 x 80 canvas, then another.
    static let partialWebP = Fixture.bytes("partial.webp")

    /// 120 x 80 quadrants in ten scans.
    static let progressiveJPEG = Fixture.bytes("progressive.jpg")

    /// 120 x 80 quadrants as Adobe inks, without a profile.
    static let cmykJPEG = Fixture.bytes("cmyk.jpg")

    /// 120 x 80 quadrants whose chroma planes differ in sampling: 2x2, 2x1, 1x2.
    static let oddSamplingJPEG = Fixture.bytes("odd-sampling.jpg")
}
