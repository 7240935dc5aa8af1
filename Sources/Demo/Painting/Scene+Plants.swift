extension Scene {
    /// Paints one large flower in front of a blurred garden.
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

    mutating func meadow() {
        let noise = Noise(&random)
        let sky = Ramp(Color(lightness: 0.72, chroma: 0.09, hue: 0.66), Color(lightness: 0.95, chroma: 0.03, hue: 0.3))
        let grass = Ramp(
            Color(lightness: 0.3, chroma: 0.08, hue: 0.37), Color(lightness: 0.56, chroma: 0.14, hue: 0.34),
            Color(lightness: 0.8, chroma: 0.14, hue: 0.3))
        let tall = height / unit
        let horizon = tall * between(0.28, 0.4)
        canvas.shade(unit) { x, y in
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

    /// Paints a branch in blossom against the sky.
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

    /// Paints light and shade of a garden, out of focus.
    private mutating func blurredGarden() {
        let noise = Noise(&random)
        let hue = between(0.28, 0.42)
        let green = Ramp(
            Color(lightness: 0.2, chroma: 0.05, hue: hue + 0.06), Color(lightness: 0.48, chroma: 0.11, hue: hue),
            Color(lightness: 0.88, chroma: 0.1, hue: hue - 0.05))
        canvas.shade(unit) { x, y in green[noise.layered(x * 2.4, y * 2.4, octaves: 2)] }
        for _ in 0..<12 {
            let color = Color(lightness: between(0.75, 0.92), chroma: 0.09, hue: hue - between(0, 0.12))
            canvas.disc(between(0, width), between(0, height), unit * between(0.03, 0.1), color, alpha: 0.2)
        }
    }
}
