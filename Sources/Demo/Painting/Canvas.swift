/// The pixels of a picture in progress, row by row. Each pixel has four bytes: red, green, blue and an unused byte.
///
/// The canvas borrows its pixels, so it is valid only during the call that created it. Shapes are antialiased by the distance of their
/// edge to the pixel's centre, and clipped to the canvas.
struct Canvas {
    let width: Int
    let height: Int
    private let pixels: UnsafeMutablePointer<UInt32>

    init(_ pixels: UnsafeMutablePointer<UInt32>, width: Int, height: Int) {
        self.pixels = pixels
        self.width = width
        self.height = height
    }

    func row(_ y: Int) -> UnsafeMutablePointer<UInt32> { pixels + y * width }

    func gradient(_ top: Color, _ bottom: Color) {
        for y in 0..<height {
            let color = top.mixed(bottom, Float(y) / Float(max(height - 1, 1))).packed
            row(y).update(repeating: color, count: width)
        }
    }

    func rectangle(_ left: Float, _ top: Float, _ right: Float, _ bottom: Float, _ color: Color, alpha: Float = 1) {
        let columns =
            clamped(left.rounded(), width)..<max(clamped(right.rounded(), width), clamped(left.rounded(), width))
        let rows =
            clamped(top.rounded(), height)..<max(clamped(bottom.rounded(), height), clamped(top.rounded(), height))
        let weight = UInt32(alpha * 256)
        for y in rows {
            let row = row(y)
            for x in columns { row[x] = blend(row[x], color.packed, weight) }
        }
    }

    /// Paints a disc. If `edge` is given, the colour changes from `color` in the middle to `edge` at the rim.
    func disc(_ x: Float, _ y: Float, _ radius: Float, _ color: Color, edge: Color? = nil, alpha: Float = 1) {
        ring(x, y, -1, radius, color, edge: edge, alpha: alpha)
    }

    /// Paints a ring between two radii. A negative inner radius makes a disc.
    func ring(
        _ centerX: Float, _ centerY: Float, _ inner: Float, _ outer: Float, _ color: Color, edge: Color? = nil,
        alpha: Float = 1
    ) {
        guard outer > 0 else { return }
        let shade = edge.map { edge in (0...32).map { color.mixed(edge, Float($0) / 32).packed } }
        let shadeScale = 32 / (outer * outer)
        let flat = color.packed
        for y in clamped(centerY - outer - 1, height)..<clamped(centerY + outer + 2, height) {
            let dy = Float(y) + 0.5 - centerY
            let reach = (outer + 0.5) * (outer + 0.5) - dy * dy
            guard reach > 0 else { continue }
            let half = reach.squareRoot()
            // Pixels closer to the centre than `whole` and outside the hole are fully covered and need no distance.
            let whole = max((outer - 0.5) * (outer - 0.5) - dy * dy, 0).squareRoot()
            let hole = inner < 0 ? -1 : ((inner + 0.5) * (inner + 0.5) - dy * dy)
            let holeHalf = hole > 0 ? hole.squareRoot() : -1
            let row = row(y)
            for x in clamped(centerX - half, width)..<clamped(centerX + half + 1, width) {
                let dx = Float(x) + 0.5 - centerX
                let magnitude = abs(dx)
                var coverage = alpha
                if magnitude >= whole - 1 || magnitude <= holeHalf {
                    let distance = (dx * dx + dy * dy).squareRoot()
                    var part = min(outer - distance + 0.5, 1)
                    if inner >= 0 { part = min(part, distance - inner + 0.5) }
                    if part <= 0 { continue }
                    coverage *= part
                }
                let color = shade.map { $0[Int(min((dx * dx + dy * dy) * shadeScale, 32))] } ?? flat
                row[x] = blend(row[x], color, UInt32(coverage * 256))
            }
        }
    }

    /// Paints a line with round ends.
    func line(
        _ x0: Float, _ y0: Float, _ x1: Float, _ y1: Float, _ thickness: Float, _ color: Color, alpha: Float = 1
    ) {
        let half = thickness / 2
        let (dx, dy) = (x1 - x0, y1 - y0)
        let scale = 1 / max(dx * dx + dy * dy, 1e-6)
        let columns = clamped(min(x0, x1) - half - 1, width)..<clamped(max(x0, x1) + half + 2, width)
        for y in clamped(min(y0, y1) - half - 1, height)..<clamped(max(y0, y1) + half + 2, height) {
            let row = row(y)
            let py = Float(y) + 0.5 - y0
            for x in columns {
                let px = Float(x) + 0.5 - x0
                let along = min(max((px * dx + py * dy) * scale, 0), 1)
                let (ex, ey) = (px - along * dx, py - along * dy)
                let coverage = half + 0.5 - (ex * ex + ey * ey).squareRoot()
                if coverage > 0 { row[x] = blend(row[x], color.packed, UInt32(min(coverage, 1) * alpha * 256)) }
            }
        }
    }

    /// Paints a leaf between two points, in the shape of two overlapping discs.
    func leaf(_ x0: Float, _ y0: Float, _ x1: Float, _ y1: Float, _ slimness: Float, _ color: Color, alpha: Float = 1) {
        let (dx, dy) = (x1 - x0, y1 - y0)
        let length = max((dx * dx + dy * dy).squareRoot(), 1)
        let offset = length * slimness
        let radius = (offset * offset + length * length / 4).squareRoot()
        let (nx, ny) = (-dy / length * offset, dx / length * offset)
        let (middleX, middleY) = ((x0 + x1) / 2, (y0 + y1) / 2)
        // Half the width of the leaf at its middle, as a fraction of its length.
        let breadth = (radius - offset) / length
        let (reachX, reachY) = (abs(dx) / 2 + abs(dy) * breadth, abs(dy) / 2 + abs(dx) * breadth)
        let columns = clamped(middleX - reachX - 1, width)..<clamped(middleX + reachX + 2, width)
        for y in clamped(middleY - reachY - 1, height)..<clamped(middleY + reachY + 2, height) {
            let row = row(y)
            for x in columns {
                let (px, py) = (Float(x) + 0.5 - middleX, Float(y) + 0.5 - middleY)
                let first = (px - nx) * (px - nx) + (py - ny) * (py - ny)
                let second = (px + nx) * (px + nx) + (py + ny) * (py + ny)
                let coverage = radius + 0.5 - max(first, second).squareRoot()
                if coverage > 0 { row[x] = blend(row[x], color.packed, UInt32(min(coverage, 1) * alpha * 256)) }
            }
        }
    }

    /// Paints a triangle with a horizontal base.
    ///
    /// - Parameters:
    ///   - left: Left end of the base.
    ///   - right: Right end of the base.
    ///   - base: Height of the base on the canvas.
    func triangle(_ tipX: Float, _ tipY: Float, _ left: Float, _ right: Float, _ base: Float, _ color: Color) {
        guard base > tipY, right > left else { return }
        let rise = base - tipY
        // The distance to a side is the distance along the row times the side's factor.
        let leftSlope = rise / (rise * rise + (tipX - left) * (tipX - left)).squareRoot()
        let rightSlope = rise / (rise * rise + (right - tipX) * (right - tipX)).squareRoot()
        for y in clamped(tipY, height)..<clamped(base + 1, height) {
            let row = row(y)
            let share = (Float(y) + 0.5 - tipY) / rise
            let (from, to) = (tipX + (left - tipX) * share, tipX + (right - tipX) * share)
            let foot = min(base - Float(y), 1)
            for x in clamped(from - 1 / leftSlope, width)..<clamped(to + 1 / rightSlope + 1, width) {
                let place = Float(x) + 0.5
                let coverage = min((place - from) * leftSlope + 0.5, (to - place) * rightSlope + 0.5, foot)
                if coverage > 0 { row[x] = blend(row[x], color.packed, UInt32(min(coverage, 1) * 256)) }
            }
        }
    }

    /// Paints layers from back to front. Each layer reaches from its edge down to the bottom of the canvas.
    ///
    /// - Parameters:
    ///   - tops: For each layer, the vertical position of its edge in each column.
    ///   - colors: For each layer, its colours at its highest point and at the bottom of the canvas.
    func layers(_ tops: [[Float]], _ colors: [(top: Color, bottom: Color)]) {
        for (heights, color) in zip(tops, colors) {
            guard heights.count == width, let highest = heights.min() else { continue }
            // The distance to a steep edge is shorter than the distance along the column.
            let slopes = (0..<width).map { x in
                let slope = (heights[min(x + 1, width - 1)] - heights[max(x - 1, 0)]) / 2
                return 1 / (1 + slope * slope).squareRoot()
            }
            let first = clamped(highest - 1, height)
            let span = Float(max(height - first, 1))
            for y in first..<height {
                let packed = color.top.mixed(color.bottom, Float(y - first) / span).packed
                let row = row(y)
                let middle = Float(y) + 0.5
                for x in 0..<width {
                    let coverage = (middle - heights[x]) * slopes[x] + 0.5
                    if coverage >= 1 {
                        row[x] = packed
                    } else if coverage > 0 {
                        row[x] = blend(row[x], packed, UInt32(coverage * 256))
                    }
                }
            }
        }
    }

    @inline(__always)
    func clamped(_ value: Float, _ limit: Int) -> Int { value > 0 ? min(Int(min(value, 1e6)), limit) : 0 }

    /// Returns a mix of two pixels. Computes two channels at a time.
    ///
    /// - Parameter weight: Weight of `above`, in 1/256.
    @inline(__always)
    func blend(_ below: UInt32, _ above: UInt32, _ weight: UInt32) -> UInt32 {
        if weight >= 256 { return above }
        let rest = 256 - weight
        let channels: UInt32 = 0x00FF_00FF
        let even = (below & channels) &* rest &+ (above & channels) &* weight
        let odd = (below >> 8 & channels) &* rest &+ (above >> 8 & channels) &* weight
        return (even >> 8 & channels) | (odd & ~channels)
    }
}
