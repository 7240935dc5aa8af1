import Numbers

/// A gradient through several colours.
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

    /// Returns the colour at `place`, clamped to 0 ... 1.
    @inline(__always)
    subscript(place: Float) -> UInt32 { colors[Int(min(max(place, 0), 1) * 255)] }
}

extension Canvas {
    /// Paints every pixel with the colour that `color` returns for its place, in units of `unit` pixels from the top left corner.
    ///
    /// Computes colours only at the corners of blocks of two by two pixels. The pixels of a block are blends of its corners, as soft as
    /// a photograph. If an edge crosses the block, each pixel is the mean of four samples instead.
    @inline(__always)
    func shade(_ unit: Float, _ color: (_ x: Float, _ y: Float) -> UInt32) {
        let step = 1 / unit
        // Small pictures have a higher limit: their textures are steep, and edges matter less.
        let limit = Int32(60 + 10_000 / unit)
        let count = (width + 1) / 2 + 1
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 2 * count) { corners in
            corners.initialize(repeating: 0)
            guard var above = corners.baseAddress else { return }
            var below = above + count
            // The blocks at -2 are above the canvas and only give the first row its upper corners.
            for y in stride(from: -2, to: height, by: 2) {
                for corner in 0..<count { below[corner] = color(Float(2 * corner) * step, Float(y + 2) * step) }
                if y >= 0 {
                    for block in 0..<count - 1 {
                        let (topLeft, topRight) = (above[block], above[block + 1])
                        let (bottomLeft, bottomRight) = (below[block], below[block + 1])
                        let hasEdge =
                            difference(topLeft, topRight) > limit || difference(topLeft, bottomLeft) > limit
                            || difference(topLeft, bottomRight) > limit || difference(topRight, bottomLeft) > limit
                        let (left, right) = (mean(topLeft, bottomLeft), mean(topRight, bottomRight))
                        for v in y..<min(y + 2, height) {
                            let (leftHere, rightHere) =
                                v == y
                                ? (mean(topLeft, left), mean(topRight, right))
                                : (mean(bottomLeft, left), mean(bottomRight, right))
                            let middle = mean(leftHere, rightHere)
                            let row = row(v)
                            for x in 2 * block..<min(2 * block + 2, width) {
                                row[x] =
                                    hasEdge
                                    ? sampled(x, v, step, color) : mean(middle, x & 1 == 0 ? leftHere : rightHere)
                            }
                        }
                    }
                }
                swap(&above, &below)
            }
        }
    }

    /// Returns the mean of four samples within a pixel. No two samples share a row or a column.
    @inline(__always)
    private func sampled(_ x: Int, _ y: Int, _ step: Float, _ color: (_ x: Float, _ y: Float) -> UInt32) -> UInt32 {
        var (even, odd): (UInt32, UInt32) = (0, 0)
        for sample in 0..<4 {
            let (u, v) = (Float((sample * 3 + 1) & 3), Float(sample))
            let value = color((Float(x) + 0.125 + u / 4) * step, (Float(y) + 0.125 + v / 4) * step)
            even += value & 0x00FF_00FF
            odd += value >> 8 & 0x00FF_00FF
        }
        return (even >> 2 & 0x00FF_00FF) | (odd << 6 & 0xFF00_FF00)
    }

    /// Returns the difference between two colours, 0 ... 765: the sum over the channels.
    @inline(__always)
    private func difference(_ one: UInt32, _ other: UInt32) -> Int32 {
        func part(_ shift: UInt32) -> Int32 { abs(Int32(one >> shift & 255) - Int32(other >> shift & 255)) }
        return part(0) + part(8) + part(16)
    }

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
