import Numbers

/// Colours in a row, one flowing into the next.
struct Ramp {
    private let colors: [UInt32]

    init(_ stops: Color...) {
        let last = max(stops.count - 1, 1)
        colors = (0...255).map { step in
            let place = Float(step) / 255 * Float(last)
            let stop = min(Int(place), last - 1)
            guard stops.count > 1 else { return stops.first?.packed ?? 0 }
            return stops[stop].mixed(stops[stop + 1], place - Float(stop)).packed
        }
    }

    /// The colour at `place`, 0 ... 1; what lies beyond is the end's.
    @inline(__always)
    subscript(place: Float) -> UInt32 { colors[Int(min(max(place, 0), 1) * 255)] }
}

extension Canvas {
    /// Gives every pixel the colour that `color` returns for its place in units of `unit` pixels from the top left
    /// corner, and for what was there before.
    ///
    /// Every second pixel of every second row is asked for; those between are their mean, as soft as a photograph.
    @inline(__always)
    func shade(_ unit: Float, _ color: (_ x: Float, _ y: Float, _ below: UInt32) -> UInt32) {
        let step = 1 / unit
        for y in stride(from: 0, to: height, by: 2) {
            let row = row(y)
            let v = (Float(y) + 0.5) * step
            for x in stride(from: 0, to: width, by: 2) { row[x] = color((Float(x) + 0.5) * step, v, row[x]) }
            for x in stride(from: 1, to: width, by: 2) {
                row[x] = x + 1 < width ? mean(row[x - 1], row[x + 1]) : row[x - 1]
            }
        }
        for y in stride(from: 1, to: height, by: 2) {
            let (row, above, below) = (row(y), self.row(y - 1), self.row(y + 1 < height ? y + 1 : y - 1))
            for x in 0..<width { row[x] = mean(above[x], below[x]) }
        }
    }

    /// Half of each.
    @inline(__always)
    private func mean(_ one: UInt32, _ other: UInt32) -> UInt32 {
        (one & other) &+ ((one ^ other) & 0x00FE_FEFE) >> 1
    }

    /// Imitates a lens and a sensor: corners darker by a fifth, and a grain of a few levels.
    func develop(_ random: inout SeededRandom) {
        var state = UInt32(truncatingIfNeeded: random.next()) | 1
        let (halfWidth, halfHeight) = (Float(width) / 2, Float(height) / 2)
        for y in 0..<height {
            let row = row(y)
            let v = (Float(y) - halfHeight) / halfHeight
            for x in 0..<width {
                let u = (Float(x) - halfWidth) / halfWidth
                state = state &* 1_664_525 &+ 1_013_904_223
                let light = Int32((1 - 0.1 * (u * u + v * v)) * 256)
                let grain = Int32(state >> 29) - 3
                let pixel = row[x]
                row[x] =
                    level(pixel, light, grain) | level(pixel >> 8, light, grain) << 8
                    | level(pixel >> 16, light, grain) << 16
            }
        }
    }

    @inline(__always)
    private func level(_ value: UInt32, _ light: Int32, _ grain: Int32) -> UInt32 {
        UInt32(min(max(Int32(value & 255) * light / 256 + grain, 0), 255))
    }
}
