/// A picture computed by a formula, as rows of red, green, blue and alpha.
package struct TestPicture: Sendable {
    package let width: Int
    package let height: Int
    package var rgba: [UInt8]

    package init(width: Int, height: Int, _ pixel: (_ x: Int, _ y: Int) -> [UInt8]) {
        self.width = width
        self.height = height
        rgba = []
        rgba.reserveCapacity(width * height * 4)
        for y in 0..<height { for x in 0..<width { rgba += pixel(x, y) } }
    }

    package init(width: Int, height: Int, rgba: [UInt8]) {
        self.width = width
        self.height = height
        self.rgba = rgba
    }

    package static let red: [UInt8] = [220, 30, 30, 255]
    package static let green: [UInt8] = [30, 200, 40, 255]
    package static let blue: [UInt8] = [20, 40, 210, 255]
    package static let yellow: [UInt8] = [240, 220, 30, 255]

    /// Returns four quadrants: red and green above blue and yellow.
    package static func quadrants(_ width: Int = 120, _ height: Int = 80) -> TestPicture {
        TestPicture(width: width, height: height) { x, y in
            switch (2 * x < width, 2 * y < height) {
            case (true, true): red
            case (false, true): green
            case (true, false): blue
            case (false, false): yellow
            }
        }
    }

    package static func flat(_ width: Int, _ height: Int, _ color: [UInt8]) -> TestPicture {
        TestPicture(width: width, height: height) { _, _ in color }
    }

    /// Returns waves that grow finer to the right and downward, and a few edges. Such a picture is hard for a resampler.
    package static func chirp(_ width: Int, _ height: Int) -> TestPicture {
        TestPicture(width: width, height: height) { x, y in
            func wave(_ p: Int, _ n: Int, _ k: Int) -> Int { (p * p * k / n) % 256 < 128 ? 40 : 210 }
            let ramp = (x * 255 / width + y * 128 / height) / 2
            let disc = (x - width / 3) * (x - width / 3) + (y - height / 2) * (y - height / 2) < width * height / 20
            return [
                UInt8((wave(x, width, 24) + ramp) / 2), UInt8(disc ? 250 : ramp),
                UInt8((wave(y, height, 18) + ramp) / 2),
                255,
            ]
        }
    }

    package func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(rgba[(y * width + x) * 4..<(y * width + x) * 4 + 4]) }

    /// Returns the stored pixels for which a reader that applies the orientation shows this picture upright.
    package func stored(orientation: Int) -> TestPicture {
        let swaps = orientation >= 5
        let w = swaps ? height : width, h = swaps ? width : height
        return TestPicture(width: w, height: h) { x, y in
            // Where the stored pixel (x, y) is seen, from the table of the EXIF standard.
            switch orientation {
            case 2: pixel(w - 1 - x, y)
            case 3: pixel(w - 1 - x, h - 1 - y)
            case 4: pixel(x, h - 1 - y)
            case 5: pixel(y, x)
            case 6: pixel(h - 1 - y, x)
            case 7: pixel(h - 1 - y, w - 1 - x)
            case 8: pixel(y, w - 1 - x)
            default: pixel(x, y)
            }
        }
    }

    /// Returns the largest difference of any colour channel at a pixel.
    package func differs(_ x: Int, _ y: Int, from color: [UInt8]) -> Int {
        zip(pixel(x, y).prefix(3), color).map { abs(Int($0) - Int($1)) }.max() ?? 255
    }
}
