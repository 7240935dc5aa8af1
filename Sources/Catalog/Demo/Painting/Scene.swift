import Glibc
import Replay

/// A motif: how a picture of the demo is composed. One function each, in the files beside this one.
struct Scene {
    let canvas: Canvas
    let palette: Palette
    var random: SeededRandom

    /// Width and height of the canvas, and the shorter of them, in pixels.
    let width: Float
    let height: Float
    let unit: Float

    private static let motifs: [@Sendable (inout Scene) -> Void] = [
        { $0.hills() }, { $0.citrus() }, { $0.waves() }, { $0.plate() }, { $0.donut() }, { $0.berries() },
        { $0.rolls() }, { $0.scales() }, { $0.kiwi() }, { $0.bokeh() }, { $0.leaves() }, { $0.soup() },
    ]

    static func paint(on canvas: Canvas, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let palette = Palette(&random)
        let motif = motifs[Int(random.next() % UInt64(motifs.count))]
        var scene = Scene(
            canvas: canvas, palette: palette, random: random, width: Float(canvas.width), height: Float(canvas.height),
            unit: Float(min(canvas.width, canvas.height)))
        motif(&scene)
    }

    /// Evenly between two numbers.
    mutating func between(_ low: Float, _ high: Float) -> Float { low + (high - low) * Float(random.unit()) }

    mutating func oneOf(_ count: Int) -> Int { Int(random.next() % UInt64(max(count, 1))) }

    /// A point on a circle; the angle in turns.
    func polar(_ x: Float, _ y: Float, _ radius: Float, _ turn: Float) -> (Float, Float) {
        (x + radius * cosf(turn * 2 * .pi), y + radius * sinf(turn * 2 * .pi))
    }

    /// A rolling line: the height of its edge in each column, about `middle`.
    mutating func ridge(_ middle: Float, _ swing: Float, waves: Float) -> [Float] {
        let (first, second) = (between(0, 6.28), between(0, 6.28))
        let step = waves * 2 * .pi / width
        return (0..<canvas.width).map { x in
            let angle = Float(x) * step
            return middle + swing * (0.65 * sinf(angle + first) + 0.35 * sinf(angle * 2.3 + second))
        }
    }

    /// A soft shadow under something round.
    func shadow(_ x: Float, _ y: Float, _ radius: Float) {
        for step in 0..<3 {
            canvas.disc(x + unit * 0.012, y + unit * 0.02, radius * (1.02 + 0.025 * Float(step)), .ink, alpha: 0.07)
        }
    }
}
