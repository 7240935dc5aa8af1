/// Scales 8-bit samples with a separable Lanczos-3 filter in Float, from the first row to the last. The first pass works down the columns,
/// whole rows at a time. The second pass works along the rows. Both passes use four lanes: the channels of a pixel, or the same column of
/// four rows of a plane.
///
/// Colours with alpha are premultiplied before filtering and divided afterwards, so that invisible colours do not bleed. Buffers are reused
/// for the next picture. An instance belongs to one thread.
package final class Resampler {
    private var ring: [Float] = []
    private var sums: [Float] = []
    private var lanes: [SIMD4<Float>] = []

    package init() {}

    /// Scales `source` to `x.count` by `y.count` samples, with `stride` bytes per row. The last sample is repeated up to the end of a row.
    package func resample(_ source: Samples, x: ResampleAxis, y: ResampleAxis, stride: Int? = nil, rows: Int? = nil)
        -> Samples
    {
        let channels = source.layout.channels
        let stride = stride ?? x.count * channels
        let rowCount = rows ?? y.count
        let bytes = [UInt8](unsafeUninitializedCapacity: stride * rowCount) { output, initialized in
            output.initialize(repeating: 0)
            initialized = stride * rowCount
            source.bytes.withUnsafeBufferPointer { input in
                run(source, input, x, y, output, stride)
            }
            pad(output, width: x.count, height: y.count, channels: channels, stride: stride, rows: rowCount)
        }
        return Samples(source.layout, width: x.count, height: y.count, stride: stride, bytes: bytes)
    }

    private func run(
        _ source: Samples, _ input: UnsafeBufferPointer<UInt8>, _ x: ResampleAxis, _ y: ResampleAxis,
        _ output: UnsafeMutableBufferPointer<UInt8>, _ stride: Int
    ) {
        let channels = source.layout.channels
        let rowFloats = x.reduced * channels
        // At most `y.stride` rows are in use. For planes, four output rows are computed at a time.
        let group = channels == 1 ? 4 : 1
        grow(&ring, rowFloats * y.stride)
        grow(&sums, rowFloats * group)
        if lanes.count < x.reduced { lanes = .init(repeating: .zero, count: x.reduced) }
        ring.withUnsafeMutableBufferPointer { ring in
            sums.withUnsafeMutableBufferPointer { sums in
                lanes.withUnsafeMutableBufferPointer { lanes in
                    guard let ring = ring.baseAddress, let sums = sums.baseAddress, let lanes = lanes.baseAddress,
                        let input = input.baseAddress, let output = output.baseAddress
                    else { return }
                    let rows = RowReader(source: source, input: input, x: x, y: y)
                    var loaded = 0
                    var place = 0
                    while place < y.count {
                        let here = min(group, y.count - place)
                        for k in 0..<here {
                            let row = y.isFlipped ? y.count - 1 - place - k : place + k
                            let end = y.starts[row] + y.taps[row]
                            while loaded < end {
                                rows.read(loaded, into: ring + (loaded % y.stride) * rowFloats)
                                loaded += 1
                            }
                            Self.sumRows(
                                ring, rowFloats: rowFloats, capacity: y.stride, axis: y, row: row,
                                into: sums + k * rowFloats)
                        }
                        if channels == 4 {
                            let row = y.isFlipped ? y.count - 1 - place : place
                            let pixels = UnsafeRawPointer(sums).assumingMemoryBound(to: SIMD4<Float>.self)
                            Self.filterPixels(pixels, x, output + row * stride, alpha: source.layout == .rgba)
                        } else {
                            Self.interleave(sums, width: rowFloats, rows: here, into: lanes)
                            Self.filterPlane(lanes, x, output, stride, place: place, rows: here, of: y)
                        }
                        place += here
                    }
                }
            }
        }
    }

    private func grow(_ buffer: inout [Float], _ count: Int) {
        if buffer.count < count { buffer = [Float](repeating: 0, count: count) }
    }

    /// Computes the weighted sum of the rows for one output row.
    @inline(__always)
    private static func sumRows(
        _ ring: UnsafeMutablePointer<Float>, rowFloats: Int, capacity: Int, axis: ResampleAxis, row: Int,
        into sum: UnsafeMutablePointer<Float>
    ) {
        let start = axis.starts[row], taps = axis.taps[row]
        axis.weights.withUnsafeBufferPointer { weights in
            let base = row * axis.stride
            func source(_ tap: Int) -> UnsafeMutablePointer<Float> { ring + ((start + tap) % capacity) * rowFloats }
            var tap = 0
            // Adds four rows at a time, so that the sum is loaded and stored a quarter as often.
            while tap + 4 <= taps {
                let a = source(tap), b = source(tap + 1), c = source(tap + 2), d = source(tap + 3)
                let wa = weights[base + tap], wb = weights[base + tap + 1]
                let wc = weights[base + tap + 2], wd = weights[base + tap + 3]
                if tap == 0 {
                    for i in 0..<rowFloats { sum[i] = wa * a[i] + wb * b[i] + wc * c[i] + wd * d[i] }
                } else {
                    for i in 0..<rowFloats { sum[i] += wa * a[i] + wb * b[i] + wc * c[i] + wd * d[i] }
                }
                tap += 4
            }
            while tap < taps {
                let a = source(tap), wa = weights[base + tap]
                if tap == 0 {
                    for i in 0..<rowFloats { sum[i] = wa * a[i] }
                } else {
                    for i in 0..<rowFloats { sum[i] += wa * a[i] }
                }
                tap += 1
            }
        }
    }

    @inline(__always)
    private static func interleave(
        _ sums: UnsafeMutablePointer<Float>, width: Int, rows: Int, into lanes: UnsafeMutablePointer<SIMD4<Float>>
    ) {
        // If there are fewer than four rows, the last row is filtered again and its result is overwritten.
        let a = sums, b = sums + min(1, rows - 1) * width
        let c = sums + min(2, rows - 1) * width, d = sums + min(3, rows - 1) * width
        for i in 0..<width { lanes[i] = SIMD4(a[i], b[i], c[i], d[i]) }
    }

    @inline(__always)
    private static func dot(
        _ lanes: UnsafePointer<SIMD4<Float>>, _ weights: UnsafePointer<Float>, _ taps: Int
    ) -> SIMD4<Float> {
        var even = SIMD4<Float>.zero, odd = SIMD4<Float>.zero
        var tap = 0
        while tap + 2 <= taps {
            even += lanes[tap] * weights[tap]
            odd += lanes[tap + 1] * weights[tap + 1]
            tap += 2
        }
        if tap < taps { even += lanes[tap] * weights[tap] }
        return even + odd
    }

    /// Rounds to the nearest byte. Adding 2²³ leaves the rounded integer in the low bits, without the checks of a conversion.
    @inline(__always)
    private static func byte(_ value: Float) -> UInt8 {
        UInt8(truncatingIfNeeded: (max(0, min(255, value)) + 8_388_608).bitPattern)
    }

    private static func filterPlane(
        _ lanes: UnsafePointer<SIMD4<Float>>, _ x: ResampleAxis, _ output: UnsafeMutablePointer<UInt8>, _ stride: Int,
        place: Int, rows: Int, of y: ResampleAxis
    ) {
        func target(_ k: Int) -> UnsafeMutablePointer<UInt8> {
            let along = place + min(k, rows - 1)
            return output + (y.isFlipped ? y.count - 1 - along : along) * stride
        }
        let a = target(0), b = target(1), c = target(2), d = target(3)
        withTables(x) { starts, taps, weights in
            for i in 0..<x.count {
                let sum = dot(lanes + starts[i], weights + i * x.stride, taps[i])
                a[i] = byte(sum.x)
                b[i] = byte(sum.y)
                c[i] = byte(sum.z)
                d[i] = byte(sum.w)
            }
        }
    }

    private static func filterPixels(
        _ pixels: UnsafePointer<SIMD4<Float>>, _ x: ResampleAxis, _ row: UnsafeMutablePointer<UInt8>, alpha: Bool
    ) {
        withTables(x) { starts, taps, weights in
            for i in 0..<x.count {
                var sum = dot(pixels + starts[i], weights + i * x.stride, taps[i])
                if alpha {
                    let opacity = sum.w
                    sum = opacity > 0.25 ? sum * (255 / opacity) : .zero
                    sum.w = opacity
                }
                row[4 * i] = byte(sum.x)
                row[4 * i + 1] = byte(sum.y)
                row[4 * i + 2] = byte(sum.z)
                row[4 * i + 3] = byte(sum.w)
            }
        }
    }

    @inline(__always)
    private static func withTables(
        _ axis: ResampleAxis, _ body: (UnsafePointer<Int>, UnsafePointer<Int>, UnsafePointer<Float>) -> Void
    ) {
        axis.starts.withUnsafeBufferPointer { starts in
            axis.taps.withUnsafeBufferPointer { taps in
                axis.weights.withUnsafeBufferPointer { weights in
                    guard let starts = starts.baseAddress, let taps = taps.baseAddress,
                        let weights = weights.baseAddress
                    else { return }
                    body(starts, taps, weights)
                }
            }
        }
    }

    /// Repeats the last column and row, because encoders of subsampled pictures read whole blocks.
    private func pad(
        _ bytes: UnsafeMutableBufferPointer<UInt8>, width: Int, height: Int, channels: Int, stride: Int, rows: Int
    ) {
        guard channels == 1, width > 0, height > 0, stride > width || rows > height else { return }
        for row in 0..<height {
            let last = bytes[row * stride + width - 1]
            for column in width..<stride { bytes[row * stride + column] = last }
        }
        for row in height..<max(rows, height) {
            for column in 0..<stride { bytes[row * stride + column] = bytes[(height - 1) * stride + column] }
        }
    }
}
