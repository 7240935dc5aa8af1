import Glibc
import Media
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct ResamplerTests {
    let renderer = PictureRenderer()

    @Test(
        "scaling agrees with Lanczos-3 in Double",
        arguments: [
            (600, 400, 384, 256), (500, 375, 384, 288), (401, 299, 200, 149), (1500, 1000, 384, 256),
            (1300, 900, 130, 90),
        ])
    func reference(width: Int, height: Int, outWidth: Int, outHeight: Int) throws {
        let picture = TestPicture.chirp(width, height)
        let seen = try renderer.pixels(Encode.png(picture), size: ThumbnailSize(width: outWidth, height: outHeight))
        let expected = Reference.lanczos(picture, seen.width, seen.height)
        let similarity = Reference.similarity(seen.rgba, expected.rgba, width: seen.width, height: seen.height)
        #expect(similarity >= 0.99, "\(similarity)")
        // Without averaging first, they differ only by rounding.
        if width < 2 * outWidth {
            let worst = zip(seen.rgba, expected.rgba).map { abs(Int($0) - Int($1)) }.max() ?? 255
            #expect(worst <= 1)
        }
    }

    @Test("a picture at its own size is unchanged")
    func identity() throws {
        let picture = TestPicture.chirp(97, 61)
        #expect(
            try renderer.pixels(Encode.png(picture), size: ThumbnailSize(width: 97, height: 61)).rgba == picture.rgba)
    }

    @Test("a flat colour stays flat at every ratio", arguments: [2, 3, 7, 20, 99, 250])
    func flat(outWidth: Int) throws {
        let picture = TestPicture.flat(251, 173, [17, 133, 251, 255])
        let seen = try renderer.pixels(Encode.png(picture), size: ThumbnailSize(width: outWidth, height: 1)).rgba
        for i in stride(from: 0, to: seen.count, by: 4) { #expect(Array(seen[i..<i + 3]) == [17, 133, 251]) }
    }

    @Test("scaling a JPEG's planes is as good as scaling its pixels")
    func planes() throws {
        let picture = TestPicture.chirp(600, 400)
        let bytes = Encode.jpeg(picture, quality: 98)
        let seen = try renderer.pixels(bytes, size: ThumbnailSize(width: 384, height: 256))
        let expected = Reference.lanczos(Thumbnail.jpeg(bytes), 384, 256)
        #expect(Reference.similarity(seen.rgba, expected.rgba, width: 384, height: 256) >= 0.99)
    }
}

/// A simple implementation for comparison.
private enum Reference {
    static func lanczos(_ picture: TestPicture, _ width: Int, _ height: Int) -> TestPicture {
        func weights(_ from: Int, _ to: Int, _ output: Int) -> [(Int, Double)] {
            let ratio = Double(from) / Double(to), scale = max(1, ratio)
            let centre = (Double(output) + 0.5) * ratio
            let first = max(0, Int(centre - 3 * scale) - 1), last = min(from - 1, Int(centre + 3 * scale) + 1)
            let taps = (first...last).map { ($0, kernel((Double($0) + 0.5 - centre) / scale)) }
            let sum = taps.reduce(0) { $0 + $1.1 }
            return taps.map { ($0.0, $0.1 / sum) }
        }
        var rows = [Double](repeating: 0, count: width * picture.height * 3)
        for x in 0..<width {
            for (column, weight) in weights(picture.width, width, x) {
                for y in 0..<picture.height {
                    for channel in 0..<3 {
                        rows[(y * width + x) * 3 + channel] +=
                            weight * Double(picture.rgba[(y * picture.width + column) * 4 + channel])
                    }
                }
            }
        }
        var sums = [Double](repeating: 0, count: width * height * 3)
        for y in 0..<height {
            for (row, weight) in weights(picture.height, height, y) {
                for i in 0..<width * 3 { sums[y * width * 3 + i] += weight * rows[row * width * 3 + i] }
            }
        }
        return TestPicture(width: width, height: height) { x, y in
            (0..<3).map { UInt8(max(0, min(255, sums[(y * width + x) * 3 + $0].rounded()))) } + [255]
        }
    }

    private static func kernel(_ x: Double) -> Double {
        if abs(x) < 1e-9 { return 1 }
        if abs(x) >= 3 { return 0 }
        return sin(.pi * x) / (.pi * x) * sin(.pi * x / 3) / (.pi * x / 3)
    }

    /// Mean SSIM of luma over windows of 8 x 8, every 4 pixels (Wang et al., 2004).
    static func similarity(_ a: [UInt8], _ b: [UInt8], width: Int, height: Int) -> Double {
        func luma(_ rgba: [UInt8], _ i: Int) -> Double {
            0.299 * Double(rgba[4 * i]) + 0.587 * Double(rgba[4 * i + 1]) + 0.114 * Double(rgba[4 * i + 2])
        }
        var total = 0.0, windows = 0.0
        for top in stride(from: 0, through: height - 8, by: 4) {
            for left in stride(from: 0, through: width - 8, by: 4) {
                var sa = 0.0, sb = 0.0, saa = 0.0, sbb = 0.0, sab = 0.0
                for y in top..<top + 8 {
                    for x in left..<left + 8 {
                        let p = luma(a, y * width + x), q = luma(b, y * width + x)
                        sa += p
                        sb += q
                        saa += p * p
                        sbb += q * q
                        sab += p * q
                    }
                }
                let ma = sa / 64, mb = sb / 64
                let va = saa / 64 - ma * ma, vb = sbb / 64 - mb * mb, cov = sab / 64 - ma * mb
                let c1 = 6.5025, c2 = 58.5225
                total += (2 * ma * mb + c1) * (2 * cov + c2) / ((ma * ma + mb * mb + c1) * (va + vb + c2))
                windows += 1
            }
        }
        return windows > 0 ? total / windows : 1
    }
}
