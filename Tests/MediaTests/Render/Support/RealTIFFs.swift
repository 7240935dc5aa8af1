import TestSupport

/// 120 x 80 quadrants as TIFF, by libtiff.
enum RealTIFFs {
    /// LZW.
    static let lzw = Fixture.bytes("lzw.tif")

    /// ZIP.
    static let zip = Fixture.bytes("zip.tif")

    /// JPEG in YCbCr.
    static let jpeg = Fixture.bytes("jpeg.tif")

    /// LZW in tiles of 64 x 64.
    static let tiled = Fixture.bytes("tiled.tif")

    /// A palette, PackBits.
    static let palette = Fixture.bytes("palette.tif")

    /// Inks, LZW.
    static let cmyk = Fixture.bytes("cmyk.tif")
}
