import Glibc

/// Digits drawn with a round pen: white with a dark edge, so that they are legible on any background.
enum Digits {
    /// Paints a number. `left` and `bottom` are its lower left corner, `height` is the height of its digits, in pixels.
    static func paint(_ number: Int, on canvas: Canvas, left: Float, bottom: Float, height scale: Float) {
        let digits = String(number).utf8.map { Int($0) - 48 }.filter { 0..<10 ~= $0 }
        // In heights, a digit is 0.6 wide, and the space between two digits is 0.18.
        let widthPerHeight = Float(digits.count) * 0.78 - 0.18 + pen
        let half = scale * pen / 2
        let halo = max(scale * 0.055, 1.2)
        let area = Area(
            canvas: canvas, left: left - halo, top: bottom - scale - halo,
            right: left + scale * widthPerHeight + halo, bottom: bottom + halo)
        guard area.width > 0, area.height > 0 else { return }
        withUnsafeTemporaryAllocation(of: Float.self, capacity: area.width * area.height) { field in
            field.initialize(repeating: .infinity)
            for (place, digit) in digits.enumerated() {
                let x = left + half + Float(place) * 0.78 * scale
                for stroke in strokes[digit] {
                    for (from, to) in zip(stroke, stroke.dropFirst()) {
                        // Leaves a margin of half the pen's thickness on all sides.
                        let inner = scale - 2 * half
                        area.measure(
                            field, x + from.x * inner, bottom - half - (1 - from.y) * inner, x + to.x * inner,
                            bottom - half - (1 - to.y) * inner, half + halo + 1)
                    }
                }
            }
            area.ink(field, half: half, halo: halo)
        }
    }

    /// Thickness of the pen, as a fraction of the digits' height.
    private static let pen: Float = 0.17

    private struct Point {
        var x: Float
        var y: Float
        init(_ x: Float, _ y: Float) { (self.x, self.y) = (x, y) }
    }

    /// Returns an arc of an ellipse between two angles. Angles are in turns: 0 is right, 0.25 is down.
    private static func arc(_ x: Float, _ y: Float, _ rx: Float, _ ry: Float, _ from: Float, _ to: Float) -> [Point] {
        let steps = max(Int(abs(to - from) * 24), 2)
        return (0...steps).map { step in
            let turn = (from + (to - from) * Float(step) / Float(steps)) * 2 * .pi
            return Point(x + rx * cosf(turn), y + ry * sinf(turn))
        }
    }

    /// Strokes of each digit, in a box 0.52 wide and 1 high.
    private static let strokes: [[[Point]]] = [
        [arc(0.26, 0.5, 0.26, 0.5, 0, 1)],
        [[Point(0.06, 0.2), Point(0.3, 0), Point(0.3, 1)], [Point(0.08, 1), Point(0.5, 1)]],
        [arc(0.26, 0.27, 0.26, 0.27, -0.47, 0.1) + [Point(0, 1), Point(0.52, 1)]],
        [arc(0.24, 0.25, 0.24, 0.25, -0.4, 0.25), arc(0.24, 0.75, 0.28, 0.25, -0.25, 0.4)],
        [[Point(0.4, 1), Point(0.4, 0), Point(0, 0.68), Point(0.54, 0.68)]],
        [[Point(0.48, 0), Point(0.08, 0), Point(0.05, 0.44)] + arc(0.24, 0.67, 0.28, 0.33, -0.36, 0.38)],
        [arc(0.26, 0.69, 0.26, 0.31, 0, 1), [Point(0.42, 0), Point(0.1, 0.4), Point(0, 0.66)]],
        [[Point(0, 0), Point(0.52, 0), Point(0.18, 1)]],
        [arc(0.26, 0.24, 0.22, 0.24, 0, 1), arc(0.26, 0.74, 0.26, 0.26, 0, 1)],
        [arc(0.26, 0.31, 0.26, 0.31, 0, 1), [Point(0.52, 0.34), Point(0.42, 0.6), Point(0.1, 1)]],
    ]

    /// The part of the canvas that a number covers. Computes the distance of each pixel to the pen's path.
    private struct Area {
        let canvas: Canvas
        let x: Int
        let y: Int
        let width: Int
        let height: Int

        init(canvas: Canvas, left: Float, top: Float, right: Float, bottom: Float) {
            self.canvas = canvas
            x = canvas.clamped(left, canvas.width)
            y = canvas.clamped(top, canvas.height)
            width = canvas.clamped(right + 1, canvas.width) - x
            height = canvas.clamped(bottom + 1, canvas.height) - y
        }

        /// Updates the squared distances of the pixels near one segment of the path.
        func measure(
            _ field: UnsafeMutableBufferPointer<Float>, _ x0: Float, _ y0: Float, _ x1: Float, _ y1: Float,
            _ reach: Float
        ) {
            let (dx, dy) = (x1 - x0, y1 - y0)
            let scale = 1 / max(dx * dx + dy * dy, 1e-6)
            let (originX, originY) = (Float(x), Float(y))
            let columns =
                canvas.clamped(
                    min(x0, x1) - reach - originX, width)..<canvas.clamped(max(x0, x1) + reach + 1 - originX, width)
            let rows =
                canvas.clamped(
                    min(y0, y1) - reach - originY, height)..<canvas.clamped(max(y0, y1) + reach + 1 - originY, height)
            guard let base = field.baseAddress else { return }
            for row in rows {
                let line = base + row * width
                let py = Float(row) + originY + 0.5 - y0
                for column in columns {
                    let px = Float(column) + originX + 0.5 - x0
                    let along = min(max((px * dx + py * dy) * scale, 0), 1)
                    let (ex, ey) = (px - along * dx, py - along * dy)
                    line[column] = min(line[column], ex * ex + ey * ey)
                }
            }
        }

        func ink(_ field: UnsafeMutableBufferPointer<Float>, half: Float, halo: Float) {
            let outer = half + halo
            let limit = (outer + 0.5) * (outer + 0.5)
            for row in 0..<height {
                let pixels = canvas.row(y + row) + x
                for column in 0..<width {
                    let squared = field[row * width + column]
                    guard squared < limit else { continue }
                    let distance = squared.squareRoot()
                    let edge = min(outer + 0.5 - distance, 1)
                    let ink = min(max(half + 0.5 - distance, 0), 1)
                    var pixel = canvas.blend(pixels[column], Color.ink.packed, UInt32(edge * 190))
                    if ink > 0 { pixel = canvas.blend(pixel, Color.white.packed, UInt32(ink * 256)) }
                    pixels[column] = pixel
                }
            }
        }
    }
}
