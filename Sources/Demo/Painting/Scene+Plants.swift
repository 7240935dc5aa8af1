import Glibc

extension Scene {
    /// One flower, near, before a blurred garden.
    mutating func flower() {
        blurredGarden()
        let (x, y) = (width * between(0.42, 0.58), height * between(0.42, 0.52))
        let (petals, start, length) = (8 + oneOf(14), between(0, 1), unit * between(0.28, 0.38))
        let hue = [0.02, 0.12, 0.24, 0.82, 0.92, 0.75][oneOf(6)] as Float
        for ring in 0..<2 {
            for petal in 0..<petals {
                let turn = start + (Float(petal) + 0.5 * Float(ring)) / Float(petals)
                let (tipX, tipY) = polar(x, y, length * (1 - 0.18 * Float(ring)), turn + between(-0.01, 0.01))
                let color = Color(
                    lightness: between(0.7, 0.84) + 0.05 * Float(ring), chroma: 0.14, hue: hue + between(-0.015, 0.015))
                canvas.leaf(x, y, tipX, tipY, 1.3, color.mixed(.ink, 0.12))
                canvas.leaf(x, y, tipX, tipY, 1.8, color)
            }
        }
        let heart = Color(lightness: 0.72, chroma: 0.15, hue: 0.2)
        canvas.disc(x, y, length * 0.26, heart, edge: heart.mixed(.ink, 0.45))
        for _ in 0..<60 {
            let (dotX, dotY) = polar(x, y, length * 0.24 * between(0, 1).squareRoot(), between(0, 1))
            canvas.disc(dotX, dotY, unit * 0.006, heart.mixed(.white, 0.5))
        }
    }

    /// A meadow with flowers in it.
    mutating func meadow() {
        let noise = Noise(&random)
        let sky = Ramp(Color(lightness: 0.72, chroma: 0.09, hue: 0.66), Color(lightness: 0.95, chroma: 0.03, hue: 0.3))
        let grass = Ramp(
            Color(lightness: 0.3, chroma: 0.08, hue: 0.37), Color(lightness: 0.56, chroma: 0.14, hue: 0.34),
            Color(lightness: 0.8, chroma: 0.14, hue: 0.3))
        let tall = height / unit
        let horizon = tall * between(0.28, 0.4)
        canvas.shade(unit) { x, y, _ in
            let edge = horizon - 0.07 * noise.layered(x * 1.2, 2, octaves: 3)
            guard y > edge else { return sky[y / horizon] }
            let depth = (y - horizon + 0.02) / (tall - horizon)
            return grass[
                0.7 - depth * 0.45 + (noise.value(x * 70 / (0.35 + depth), y * 12) - 0.5) * 0.7 * min(1, depth + 0.2)]
        }
        for flower in 0..<190 {
            let depth = Float(flower) / 190
            let (x, y) = (between(0, width), height * (horizon / tall + (1 - horizon / tall) * depth * depth))
            let radius = unit * (0.003 + 0.022 * depth * depth)
            canvas.disc(x, y, radius, palette.color(flower % 3, lightness: between(0.68, 0.88), chroma: 0.17))
            if depth > 0.5 { canvas.disc(x, y, radius * 0.4, Color(lightness: 0.85, chroma: 0.15, hue: 0.22)) }
        }
    }

    /// Leaves against the light, out of focus behind and sharp in front.
    mutating func foliage() {
        blurredGarden()
        let autumn = oneOf(3) == 0
        for leaf in 0..<34 {
            let (x, y) = (between(-0.1, 1.1) * width, between(-0.1, 1.1) * height)
            let turn = between(0.1, 0.4)
            let (tipX, tipY) = polar(x, y, unit * between(0.12, 0.26), turn)
            let hue = autumn ? between(0.06, 0.24) : between(0.3, 0.38)
            let color = Color(lightness: between(0.4, 0.78), chroma: 0.14, hue: hue)
            canvas.leaf(x, y, tipX, tipY, 0.7, color, alpha: leaf < 16 ? 0.5 : 1)
            if leaf >= 16 { canvas.line(x, y, tipX, tipY, max(unit * 0.005, 1), color.mixed(.white, 0.35)) }
        }
    }

    /// Grass with dew, close to the ground.
    mutating func grass() {
        blurredGarden()
        for blade in 0..<70 {
            let depth = Float(blade) / 70
            let (x, lean) = (between(-0.05, 1.05) * width, between(-0.12, 0.12))
            let top = height * (1 - between(0.3, 0.75) * (0.5 + 0.5 * depth))
            let color = Color(lightness: 0.3 + 0.4 * depth, chroma: 0.13, hue: between(0.31, 0.37))
            canvas.leaf(x, height * 1.05, x + unit * lean * 2, top, 3.4, color)
            if blade % 5 == 0 {
                let (dropX, dropY, radius) = (x + unit * lean, height * between(0.5, 0.9), unit * between(0.008, 0.017))
                canvas.disc(dropX, dropY, radius, .white, edge: color, alpha: 0.85)
                canvas.disc(dropX - radius * 0.3, dropY - radius * 0.3, radius * 0.3, .white)
            }
        }
    }

    /// Trunks of birches, or of pines, in the mist.
    mutating func trunks() {
        let noise = Noise(&random)
        let isBirch = oneOf(2) == 0
        let hue = between(0.16, 0.5)
        let air = Ramp(
            Color(lightness: 0.93, chroma: 0.04, hue: hue), Color(lightness: 0.72, chroma: 0.07, hue: hue + 0.05),
            Color(lightness: 0.42, chroma: 0.08, hue: 0.34))
        let tall = height / unit
        canvas.shade(unit) { x, y, _ in air[y / tall * 0.85 + 0.3 * (noise.layered(x * 5, y * 5, octaves: 4) - 0.5)] }
        for trunk in 0..<16 {
            let depth = Float(trunk) / 15
            let (x, half) = (between(0, width) / unit, (0.008 + 0.04 * depth * depth) * between(0.7, 1.2))
            let bark =
                isBirch
                ? Ramp(
                    Color(lightness: 0.92 - 0.1 * (1 - depth), chroma: 0.01, hue: 0.2),
                    Color(lightness: 0.62, chroma: 0.02, hue: 0.2))
                : Ramp(
                    Color(lightness: 0.75 - 0.4 * depth, chroma: 0.04, hue: 0.14),
                    Color(lightness: 0.6 - 0.44 * depth, chroma: 0.04, hue: 0.12))
            let dark = Color.ink.packed
            canvas.column(Int((x - half) * unit), Int((x + half) * unit) + 1) { column, row in
                let (u, v) = (Float(column) / unit, Float(row) / unit)
                let across = (u - x) / half
                let shade = 0.5 + across * 0.5 + 0.3 * (noise.value(u * 60, v * 12) - 0.5)
                let scar = isBirch ? max(0, noise.value(u * 9 + Float(trunk) * 5, v * 34) - 0.68) * 4 : 0
                return canvas.blend(bark[shade], dark, UInt32(min(0.85, scar) * 256 * depth))
            }
        }
    }

    /// A branch in blossom before the sky.
    mutating func blossom() {
        canvas.gradient(Color(lightness: 0.76, chroma: 0.08, hue: 0.66), Color(lightness: 0.93, chroma: 0.03, hue: 0.9))
        let bark = Color(lightness: 0.3, chroma: 0.04, hue: 0.1)
        let hue = between(0.93, 1.02)
        var (x, y) = (-0.03 * width, height * between(0.2, 0.8))
        for joint in 0..<12 {
            let (nextX, nextY) = (x + width * 0.09, y + unit * between(-0.09, 0.09))
            canvas.line(x, y, nextX, nextY, unit * (0.03 - 0.0018 * Float(joint)), bark)
            for _ in 0..<5 {
                let (blossomX, blossomY) = (nextX + unit * between(-0.1, 0.1), nextY + unit * between(-0.1, 0.1))
                let (radius, start) = (unit * between(0.022, 0.04), between(0, 1))
                let color = Color(lightness: between(0.82, 0.94), chroma: 0.07, hue: hue)
                for petal in 0..<5 {
                    let (petalX, petalY) = polar(blossomX, blossomY, radius * 0.75, start + Float(petal) / 5)
                    canvas.disc(petalX, petalY, radius * 0.62, color, edge: color.mixed(.white, 0.4))
                }
                canvas.disc(blossomX, blossomY, radius * 0.22, Color(lightness: 0.6, chroma: 0.16, hue: hue))
            }
            (x, y) = (nextX, nextY)
        }
    }

    /// Light and shade of a garden, out of focus.
    private mutating func blurredGarden() {
        let noise = Noise(&random)
        let hue = between(0.28, 0.42)
        let green = Ramp(
            Color(lightness: 0.2, chroma: 0.05, hue: hue + 0.06), Color(lightness: 0.48, chroma: 0.11, hue: hue),
            Color(lightness: 0.88, chroma: 0.1, hue: hue - 0.05))
        canvas.shade(unit) { x, y, _ in green[noise.layered(x * 2.4, y * 2.4, octaves: 2)] }
        for _ in 0..<12 {
            let color = Color(lightness: between(0.75, 0.92), chroma: 0.09, hue: hue - between(0, 0.12))
            canvas.disc(between(0, width), between(0, height), unit * between(0.03, 0.1), color, alpha: 0.2)
        }
    }
}
