import CImageCodecs
import Glibc
import Media
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct ColorTests {
    let renderer = PictureRenderer()
    let box = ThumbnailSize(width: 50, height: 50)

    private func adobeRGB() throws -> [UInt8] {
        try ICCProfile.rgb(red: (0.64, 0.33), green: (0.21, 0.71), curve: cmsBuildGamma(nil, 2.19921875))
    }

    /// Adobe RGB (1998) values in sRGB by the published matrices, independent of lcms2.
    private func sRGB(fromAdobe color: [UInt8]) -> [UInt8] {
        let linear = color.prefix(3).map { pow(Double($0) / 255, 2.19921875) }
        let matrix = [[1.39836, -0.39836, 0], [0, 1, 0], [0, -0.04293, 1.04293]]
        return matrix.map { row in
            let value = zip(row, linear).reduce(0) { $0 + $1.0 * $1.1 }
            let encoded = value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055
            return UInt8((max(0, min(1, encoded)) * 255).rounded())
        }
    }

    @Test(
        "Adobe RGB is converted to sRGB in every format",
        arguments: [[120, 140, 100, 255], [180, 120, 110, 255]] as [[UInt8]])
    func adobe(color: [UInt8]) throws {
        let profile = try adobeRGB()
        let picture = TestPicture.flat(100, 100, color)
        let expected = sRGB(fromAdobe: color)
        #expect(zip(expected, color).contains { abs(Int($0) - Int($1)) > 6 }, "the conversion must show")
        let iccp = Array("adobe".utf8) + [0, 0] + Segments.zlibStored(profile)
        let files = [
            Segments.profile(Encode.jpeg(picture, quality: 98), profile),
            Segments.profile(Encode.jpeg(picture, quality: 98, progressive: true), profile),
            Segments.insert("iCCP", iccp, intoPNG: Encode.pngWithoutColorSpace(picture)),
        ]
        for bytes in files {
            let pixels = try renderer.pixels(bytes, size: box).rgba
            for channel in 0..<3 {
                #expect(abs(Int(pixels[channel]) - Int(expected[channel])) <= 4, "\(pixels.prefix(3)) \(expected)")
            }
            let seen = try renderer.render(bytes, size: box).decoded()
            #expect(seen.differs(25, 25, from: expected) <= 6)
        }
    }

    @Test("an sRGB profile changes nothing")
    func sRGBProfile() throws {
        let profile = try ICCProfile.bytes { cmsCreate_sRGBProfile() }
        let bytes = Encode.jpeg(.quadrants())
        #expect(try renderer.render(Segments.profile(bytes, profile), size: box) == renderer.render(bytes, size: box))
    }

    @Test("a profile that is damaged, of another colour space or too large is ignored")
    func uselessProfiles() throws {
        let bytes = Encode.jpeg(.quadrants())
        let plain = try renderer.render(bytes, size: box)
        let lab = try ICCProfile.bytes { cmsCreateLab4Profile(nil) }
        for profile in [Array("nonsense".utf8), Array(try adobeRGB().prefix(200)), lab] {
            #expect(try renderer.render(Segments.profile(bytes, profile), size: box) == plain)
        }
        var limits = RenderLimits()
        limits.maxProfileBytes = 100
        let strict = PictureRenderer(limits: limits)
        #expect(try strict.render(Segments.profile(bytes, adobeRGB()), size: box) == plain)
    }

    @Test("a grey picture's profile is applied")
    func greyProfile() throws {
        let profile = try ICCProfile.bytes {
            let curve = cmsBuildGamma(nil, 1.0)
            defer { cmsFreeToneCurve(curve) }
            return cmsCreateGrayProfile(cmsD50_xyY(), curve)
        }
        let bytes = Encode.jpeg(.flat(80, 80, [55, 55, 55, 255]), sampling: TJSAMP_GRAY)
        // Linear 55/255 is 0.2157, which sRGB writes as 128.
        let seen = try renderer.render(Segments.profile(bytes, profile), size: box).decoded()
        #expect(seen.differs(20, 20, from: [128, 128, 128]) <= 4)
    }
}

extension Encode {
    /// A PNG without the `sRGB` and `gAMA` chunks that libpng's writer adds.
    static func pngWithoutColorSpace(_ picture: TestPicture) -> [UInt8] {
        let png = Encode.png(picture, alpha: false)
        var result = Array(png.prefix(8))
        var place = 8
        while place + 12 <= png.count {
            let length = png[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            let type = String(decoding: png[place + 4..<place + 8], as: UTF8.self)
            if !["sRGB", "gAMA", "cHRM"].contains(type) { result += png[place..<place + 12 + length] }
            place += 12 + length
        }
        return result
    }
}
