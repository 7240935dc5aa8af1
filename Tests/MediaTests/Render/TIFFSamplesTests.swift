import CImageCodecs
import Glibc
import Media
import TestSupport
import Testing

/// TIFF as printers, scanners and laboratories write it.
@Suite(.timeLimit(.minutes(2)), .enabled(if: PictureKind.tiff.isBuiltIn))
struct TIFFSamplesTests {
    let renderer = PictureRenderer()
    let box = ThumbnailSize(width: 60, height: 40)

    private func file(_ tags: [Int: TIFFFile.Value]) -> [UInt8] { TIFFFile(directories: [tags]).bytes }

    /// The colour in which flat samples are shown.
    private func shown(
        _ samples: [UInt64], photometric: Int, bits: Int, format: Int = 1, width: Int = 91,
        _ more: [Int: TIFFFile.Value] = [:]
    ) throws -> [UInt8] {
        let picture = TestPicture.flat(width, 60, [0, 0, 0, 255])
        var tags = TIFFFile.samples(picture, photometric: photometric, bits: bits, format: format) { _ in samples }
        tags.merge(more) { $1 }
        return Array(try renderer.pixels(file(tags), size: box).rgba.prefix(4))
    }

    private func float(_ value: Float) -> UInt64 { UInt64(value.bitPattern) }

    /// CIE L*a*b* of an sRGB colour for white D50, by the published matrix and lcms2's formula.
    private static func lab(_ color: [UInt8]) -> cmsCIELab {
        let linear = color.prefix(3).map { byte in
            let value = Double(byte) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        let matrix = [
            [0.4360747, 0.3850649, 0.1430804], [0.2225045, 0.7168786, 0.0606169], [0.0139322, 0.0971045, 0.7141733],
        ]
        let place = matrix.map { row in zip(row, linear).reduce(0) { $0 + $1.0 * $1.1 } }
        var xyz = cmsCIEXYZ(X: place[0], Y: place[1], Z: place[2])
        var lab = cmsCIELab()
        cmsXYZ2Lab(cmsD50_XYZ(), &lab, &xyz)
        return lab
    }

    @Test("L*a*b* of 8 and 16 bits is rendered, signed or with an offset of 128, interleaved or planar")
    func lab() throws {
        for isPlanar in [false, true] {
            func expect(_ name: String, _ photometric: Int, _ bits: Int, _ store: (cmsCIELab) -> [Double]) throws {
                let mask: Int64 = bits == 16 ? 0xFFFF : 0xFF
                let tags = TIFFFile.samples(.quadrants(), photometric: photometric, bits: bits, isPlanar: isPlanar) {
                    store(Self.lab($0)).map { UInt64(Int64($0.rounded()) & mask) }
                }
                try renderer.expectQuadrants(file(tags), "\(name), \(bits) bits, planes: \(isPlanar)")
            }
            try expect("CIE", 8, 8) { [$0.L * 2.55, $0.a, $0.b] }
            try expect("CIE", 8, 16) { [$0.L * 655.35, $0.a * 256, $0.b * 256] }
            try expect("ICC", 9, 8) { [$0.L * 2.55, $0.a + 128, $0.b + 128] }
            try expect("ICC", 9, 16) { [$0.L * 652.8, ($0.a + 128) * 256, ($0.b + 128) * 256] }
        }
    }

    @Test("white in L*a*b* is white, and its greys have no colour")
    func labGreys() throws {
        #expect(try shown([255, 0, 0], photometric: 8, bits: 8) == [255, 255, 255, 255])
        let grey = try shown([0x8000, 0, 0], photometric: 8, bits: 16)
        // An L* of 50 is 119 in sRGB.
        #expect(grey.prefix(3).allSatisfy { 118...120 ~= $0 }, "\(grey)")
    }

    @Test("a palette keeps its alpha, with colours of 16 bits or 8", arguments: [257, 1])
    func paletteAlpha(unit: Int) throws {
        let red = Array(repeating: 0, count: 7) + [200 * unit] + Array(repeating: 0, count: 248)
        let green = Array(repeating: 100 * unit, count: 256)
        let map: [Int: TIFFFile.Value] = [320: .shorts(red + green + green), 338: .shorts([2])]
        let seen = try shown([7, 90], photometric: 3, bits: 8, map)
        // Colours are multiplied by their alpha and divided again.
        for (value, expected) in zip(seen, [200, 100, 100, 90]) { #expect(abs(Int(value) - expected) <= 2, "\(seen)") }
        #expect(try shown([6, 0], photometric: 3, bits: 8, map)[3] == 0)
    }

    @Test("CMYK of 8, 12 and 16 bits is rendered, interleaved or planar")
    func inks() throws {
        for (bits, isPlanar) in [(8, false), (8, true), (12, false), (16, false), (16, true)] {
            let maximum = Double((1 << bits) - 1)
            let tags = TIFFFile.samples(.quadrants(), photometric: 5, bits: bits, isPlanar: isPlanar) { color in
                color.prefix(3).map { UInt64((Double(255 - $0) / 255 * maximum).rounded()) } + [0]
            }
            try renderer.expectQuadrants(file(tags), "\(bits) bits, planes: \(isPlanar)")
        }
        #expect(try shown([0, 0, 0, 0x8000], photometric: 5, bits: 16) == [127, 127, 127, 255])
    }

    @Test("samples of 10, 12 and 14 bits are read across byte boundaries", arguments: [10, 12, 14])
    func odd(bits: Int) throws {
        let maximum = Double((1 << bits) - 1)
        let tags = TIFFFile.samples(.quadrants(), photometric: 2, bits: bits) { color in
            color.prefix(3).map { UInt64((Double($0) / 255 * maximum).rounded()) }
        }
        try renderer.expectQuadrants(file(tags), "\(bits) bits")
        let light = UInt64((maximum * 0.8).rounded())
        #expect(try shown([light], photometric: 1, bits: bits) == [204, 204, 204, 255])
        #expect(try shown([light], photometric: 0, bits: bits) == [51, 51, 51, 255])
    }

    @Test("floating point samples of 16, 32 and 64 bits from 0 to 1 are sRGB")
    func floats() throws {
        let tags = TIFFFile.samples(.quadrants(), photometric: 2, bits: 32, format: 3) { color in
            color.prefix(3).map { float(Float($0) / 255) }
        }
        try renderer.expectQuadrants(file(tags), "32 bits")
        for (bits, sample) in [(16, 0x3A00), (32, float(0.75)), (64, (0.75).bitPattern)] as [(Int, UInt64)] {
            #expect(try shown([sample], photometric: 1, bits: bits, format: 3) == [191, 191, 191, 255], "\(bits)")
        }
        #expect(try shown([0xC000_0000], photometric: 1, bits: 32) == [191, 191, 191, 255], "whole numbers")
    }

    @Test("floating point samples are clamped, NaN is black, and the file's own range is used")
    func range() throws {
        for (value, expected) in [(-3, 0), (7, 255), (.infinity, 255), (.nan, 0), (-0.0, 0)] as [(Float, UInt8)] {
            let seen = try shown([float(value)], photometric: 1, bits: 32, format: 3)
            #expect(seen == [expected, expected, expected, 255], "\(value)")
        }
        let range: [Int: TIFFFile.Value] = [340: .floats([100]), 341: .floats([300])]
        #expect(try shown([float(220)], photometric: 1, bits: 32, format: 3, range) == [153, 153, 153, 255])
    }

    @Test("a linear profile applies to floating point samples")
    func linear() throws {
        let curve = cmsBuildGamma(nil, 1)
        defer { cmsFreeToneCurve(curve) }
        var white = cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1)
        var primaries = cmsCIExyYTRIPLE(
            Red: cmsCIExyY(x: 0.64, y: 0.33, Y: 1), Green: cmsCIExyY(x: 0.30, y: 0.60, Y: 1),
            Blue: cmsCIExyY(x: 0.15, y: 0.06, Y: 1))
        let profile = try #require(cmsCreateRGBProfile(&white, &primaries, [curve, curve, curve]))
        defer { cmsCloseProfile(profile) }
        var size: UInt32 = 0
        #expect(cmsSaveProfileToMem(profile, nil, &size) != 0)
        var bytes = [UInt8](repeating: 0, count: Int(size))
        #expect(cmsSaveProfileToMem(profile, &bytes, &size) != 0)
        let samples = [UInt64](repeating: float(0.2159), count: 3)
        let seen = try shown(samples, photometric: 2, bits: 32, format: 3, [0x8773: .bytes(bytes)])
        #expect(seen.prefix(3).allSatisfy { 126...130 ~= $0 }, "\(seen)")
    }

    @Test("alpha is kept, premultiplied or not")
    func alpha() throws {
        for (kind, color) in [(1, 0.4), (2, 0.8)] as [(Int, Float)] {
            let samples = [color, color, color, 0.5].map(float)
            let seen = try shown(samples, photometric: 2, bits: 32, format: 3, [0x152: .shorts([kind])])
            #expect(zip(seen, [204, 204, 204, 128]).allSatisfy { abs(Int($0) - $1) <= 2 }, "\(kind): \(seen)")
        }
    }

    @Test("a truncated CMYK file is marked as damaged, and hostile sizes crash nothing")
    func hostile() throws {
        let tags = TIFFFile.samples(.quadrants(), photometric: 5, bits: 16) { color in
            color.prefix(3).map { UInt64(255 - $0) * 257 } + [0]
        }
        let bytes = file(tags)
        #expect(try renderer.render(Array(bytes.prefix(bytes.count * 7 / 10)), size: box).isDamaged)
        let hostile: [[Int: TIFFFile.Value]] = [
            [0x115: .shorts([65_535])], [0x115: .shorts([5])], [0x116: .longs([1 << 31])], [0x117: .longs([0])],
            [0x100: .longs([19_000]), 0x101: .longs([13_000])], [0x142: .longs([1 << 30]), 0x143: .longs([16])],
            [0x142: .longs([16]), 0x143: .longs([16])], [0x102: .shorts([12, 12, 12, 12])], [0x106: .shorts([8])],
            [0x11C: .shorts([2])],
        ]
        for change in hostile {
            // Only checks that nothing traps. Some of the files are shown in part.
            _ = try? renderer.render(file(tags.merging(change) { $1 }), size: box)
        }
    }
}
