import Glibc
import Numbers

/// Paints a picture of the demo. Each motif is one method, in the extensions of this type.
struct Scene {
    let canvas: Canvas
    let palette: Palette
    var random: SeededRandom

    /// Width of the canvas, in pixels.
    let width: Float
    /// Height of the canvas, in pixels.
    let height: Float
    /// Shorter side of the canvas, in pixels.
    let unit: Float

    private static let motifs: [(name: String, paint: @Sendable (inout Scene) -> Void)] = [
        ("Sunset", { $0.sunset() }), ("Northern lights", { $0.aurora() }), ("Moonrise", { $0.moonrise() }),
        ("Peaks", { $0.peaks() }), ("Morning mist", { $0.mist() }), ("The road", { $0.road() }),
        ("Hills", { $0.hills() }), ("Lake", { $0.lake() }), ("Surf", { $0.surf() }), ("Reef", { $0.reef() }),
        ("Flower", { $0.flower() }), ("Meadow", { $0.meadow() }), ("Blossom", { $0.blossom() }),
        ("City lights", { $0.skyline() }), ("Windows", { $0.facade() }), ("Roofs", { $0.roofs() }),
        ("Balloons", { $0.balloons() }), ("Sailing", { $0.sail() }), ("Citrus", { $0.citrus() }),
        ("Breakfast", { $0.plate() }), ("Doughnut", { $0.donut() }), ("Berries", { $0.berries() }),
        ("Sushi", { $0.rolls() }), ("Kiwi", { $0.kiwi() }),
    ]

    static func name(seed: UInt64) -> String { motifs[motif(seed)].name }

    /// Names of all motifs, in the order of ``motif(_:)``.
    static var names: [String] { motifs.map(\.name) }

    /// Returns the index of a picture's motif.
    ///
    /// Seeds are grouped in rounds. A round has each motif once, and each round has another order.
    static func motif(_ seed: UInt64) -> Int {
        let count = UInt64(motifs.count)
        let (round, place) = seed.quotientAndRemainder(dividingBy: count)
        var random = SeededRandom(seed: ~round)
        let stride = strides[random.below(strides.count)]
        return Int((place * stride + random.next() % count) % count)
    }

    /// Steps from motif to motif within a round. They have no factor in common with the number of motifs, so a round reaches all
    /// motifs. They are large enough that neighbours are of different kinds.
    private static let strides: [UInt64] = [5, 7, 11, 13, 17, 19]

    static func paint(on canvas: Canvas, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let palette = Palette(&random)
        var scene = Scene(
            canvas: canvas, palette: palette, random: random, width: Float(canvas.width), height: Float(canvas.height),
            unit: Float(min(canvas.width, canvas.height)))
        motifs[motif(seed)].paint(&scene)
        canvas.develop(&scene.random)
    }

    mutating func between(_ low: Float, _ high: Float) -> Float { low + (high - low) * Float(random.unit()) }

    mutating func oneOf(_ count: Int) -> Int { Int(random.next() % UInt64(max(count, 1))) }

    /// Returns a point on a circle. `turn` is the angle, in turns.
    func polar(_ x: Float, _ y: Float, _ radius: Float, _ turn: Float) -> (Float, Float) {
        (x + radius * cosf(turn * 2 * .pi), y + radius * sinf(turn * 2 * .pi))
    }

    /// Returns a wavy edge: its vertical position in each column, around `middle`.
    mutating func ridge(_ middle: Float, _ swing: Float, waves: Float) -> [Float] {
        let (first, second) = (between(0, 6.28), between(0, 6.28))
        let step = waves * 2 * .pi / width
        return (0..<canvas.width).map { x in
            let angle = Float(x) * step
            return middle + swing * (0.65 * sinf(angle + first) + 0.35 * sinf(angle * 2.3 + second))
        }
    }

    /// Paints a soft shadow under a round object.
    func shadow(_ x: Float, _ y: Float, _ radius: Float) {
        for step in 0..<3 {
            canvas.disc(x + unit * 0.012, y + unit * 0.02, radius * (1.02 + 0.025 * Float(step)), .ink, alpha: 0.07)
        }
    }
}
