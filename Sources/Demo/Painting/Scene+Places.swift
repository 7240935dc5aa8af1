extension Scene {
    /// Paints a city at night over water.
    mutating func skyline() {
        let hue = between(0.65, 0.95)
        canvas.gradient(
            Color(lightness: 0.18, chroma: 0.06, hue: hue), Color(lightness: 0.52, chroma: 0.11, hue: hue + 0.08))
        let shore = height * between(0.68, 0.78)
        var x: Float = 0
        while x < width {
            let (wide, high) = (unit * between(0.05, 0.13), unit * between(0.14, 0.5))
            let wall = Color(lightness: between(0.12, 0.24), chroma: 0.03, hue: hue)
            canvas.rectangle(x, shore - high, x + wide, shore, wall)
            if oneOf(4) == 0 {
                canvas.line(x + wide / 2, shore - high - unit * 0.08, x + wide / 2, shore - high, unit * 0.006, wall)
            }
            let (columns, pane) = (max(2, Int(wide / (unit * 0.018))), unit * 0.018)
            for line in 0..<Int(high / (unit * 0.026)) {
                for column in 0..<columns where oneOf(5) < 2 {
                    let (left, top) = (
                        x + Float(column) * pane + pane * 0.3, shore - high + Float(line) * unit * 0.026 + unit * 0.01
                    )
                    canvas.rectangle(
                        left, top, left + pane * 0.5, top + unit * 0.012,
                        Color(lightness: 0.86, chroma: 0.1, hue: between(0.16, 0.24)), alpha: between(0.4, 1))
                }
            }
            x += wide + unit * between(0, 0.02)
        }
        reflect(below: Int(shore))
    }

    /// Paints the front of a house, with windows, shutters and flowers.
    mutating func facade() {
        let noise = Noise(&random)
        let wall = Ramp(
            palette.color(0, lightness: 0.78, chroma: 0.09), palette.color(0, lightness: 0.88, chroma: 0.08))
        canvas.shade(unit) { x, y in wall[noise.layered(x * 9, y * 9, octaves: 4)] }
        let size = unit * between(0.2, 0.28)
        let (columns, rows) = (Int((width / size).rounded()), Int((height / (size * 1.35)).rounded()) + 1)
        let shutters = palette.deep
        for line in 0..<rows {
            for column in 0..<max(columns, 1) {
                let x = (Float(column) + 0.5) * width / Float(max(columns, 1))
                let y = (Float(line) + 0.45) * size * 1.35
                let (half, high) = (size * 0.17, size * 0.34)
                canvas.rectangle(
                    x - half * 1.25, y - high * 1.12, x + half * 1.25, y + high * 1.08, .white, alpha: 0.85)
                canvas.rectangle(
                    x - half, y - high, x + half, y + high,
                    Color(lightness: between(0.22, 0.42), chroma: 0.04, hue: 0.65))
                canvas.rectangle(x - half * 0.06, y - high, x + half * 0.06, y + high, .white)
                canvas.rectangle(x - half, y - high * 0.25, x + half, y - high * 0.17, .white)
                let isOpen = oneOf(4) > 0
                for side in [-1, 1] as [Float] where isOpen {
                    let (near, far) = (x + side * half * 1.3, x + side * half * 2.2)
                    canvas.rectangle(min(near, far), y - high, max(near, far), y + high, shutters)
                    for slat in 0..<9 {
                        let top = y - high + (Float(slat) + 0.6) * high * 2 / 9.4
                        canvas.line(min(near, far) + 1, top, max(near, far) - 1, top, 1, .ink, alpha: 0.3)
                    }
                }
                if oneOf(3) == 0 {
                    for flower in 0..<9 {
                        canvas.disc(
                            x + (Float(flower) / 8 - 0.5) * half * 2.4, y + high * 1.1, half * between(0.16, 0.3),
                            palette.color(flower % 2 + 2, lightness: 0.66, chroma: 0.17))
                    }
                }
            }
        }
    }

    /// Paints the tiled roofs of an old town.
    mutating func roofs() {
        canvas.gradient(Color(lightness: 0.7, chroma: 0.1, hue: 0.68), Color(lightness: 0.94, chroma: 0.04, hue: 0.18))
        for line in 0..<7 {
            let depth = Float(line) / 6
            let base = height * (0.36 + 0.72 * depth)
            var x = -unit * between(0, 0.2)
            while x < width {
                let (wide, high) = (
                    unit * between(0.16, 0.3) * (0.5 + depth), unit * between(0.1, 0.17) * (0.5 + depth)
                )
                let plaster = Color(
                    lightness: between(0.78, 0.93), chroma: between(0.02, 0.08), hue: between(0.1, 0.24))
                canvas.rectangle(x, base - high, x + wide, base + unit * 0.4, plaster)
                let tile = Color(lightness: between(0.5, 0.64), chroma: 0.12, hue: between(0.07, 0.11))
                let (ridge, eaves) = (base - high * 1.8, base - high)
                canvas.triangle(x + wide / 2, ridge, x - wide * 0.04, x + wide * 1.04, eaves, tile)
                for course in 2..<10 {
                    let share = Float(course) / 10
                    let (y, half) = (ridge + (eaves - ridge) * share, wide * 0.52 * share)
                    canvas.line(
                        x + wide / 2 - half, y, x + wide / 2 + half, y, high * 0.025, tile.mixed(.ink, 0.3))
                }
                for window in 0..<2 {
                    let left = x + wide * (0.2 + 0.38 * Float(window))
                    canvas.rectangle(
                        left, base - high * 0.72, left + wide * 0.17, base - high * 0.2,
                        Color(lightness: 0.32, chroma: 0.03, hue: 0.65))
                }
                x += wide * between(0.9, 1.15)
            }
        }
    }

    /// Paints balloons over misty ridges.
    mutating func balloons() {
        mist()
        for balloon in 0..<(3 + oneOf(5)) {
            let radius = unit * between(0.035, 0.13)
            let (x, y) = (width * between(0.08, 0.92), height * between(0.12, 0.6))
            for gore in 0..<9 {
                let share = Float(gore) / 8 * 2 - 1
                let color = palette.color(balloon + gore % 2, lightness: gore % 2 == 0 ? 0.66 : 0.84, chroma: 0.16)
                canvas.disc(
                    x + share * radius * 0.42, y, radius * (1 - 0.42 * abs(share)), color, edge: color.mixed(.ink, 0.12)
                )
            }
            canvas.leaf(x, y, x, y + radius * 1.55, 0.35, palette.color(balloon, lightness: 0.6, chroma: 0.15))
            canvas.rectangle(
                x - radius * 0.12, y + radius * 1.5, x + radius * 0.12, y + radius * 1.72,
                Color(lightness: 0.35, chroma: 0.06, hue: 0.13))
        }
    }

    /// Paints a sailing boat on the sea.
    mutating func sail() {
        sea()
        let (x, base, size) = (width * between(0.3, 0.7), height * between(0.62, 0.78), unit * between(0.2, 0.34))
        let cloth = oneOf(4) == 0 ? palette.accent : Color(lightness: 0.97, chroma: 0.01, hue: 0.2)
        let (foot, tip) = (base - size * 0.12, base - size * 1.12)
        canvas.triangle(x + 2, tip, x + 2, x + 2 + size * 0.46, foot, cloth)
        canvas.triangle(x - 3, tip + size * 0.1, x - 3 - size * 0.3, x - 3, foot, cloth.mixed(.ink, 0.1))
        canvas.line(x, base - size * 1.18, x, base, max(unit * 0.006, 1), .ink)
        canvas.leaf(
            x - size * 0.36, base - size * 0.04, x + size * 0.5, base - size * 0.06, 1.6,
            Color(lightness: 0.34, chroma: 0.07, hue: 0.1))
        for streak in 0..<7 {
            canvas.line(
                x - size * between(0, 0.4), base + size * 0.05 * Float(streak), x + size * between(0.1, 0.5),
                base + size * 0.05 * Float(streak), 1.5, .white, alpha: 0.25)
        }
    }

    /// Mirrors the picture above a row into the water below.
    private mutating func reflect(below shore: Int) {
        let noise = Noise(&random)
        guard shore > 0, shore < canvas.height else { return }
        for y in shore..<canvas.height {
            let (to, away) = (canvas.row(y), Float(y - shore) / unit)
            for x in 0..<canvas.width {
                let ripple =
                    (noise.value(Float(x) / unit * 7, Float(y) / unit * 60) - 0.5) * unit * (0.03 + 0.16 * away)
                let from = canvas.row(min(max(2 * shore - y - 1 + Int(ripple * 0.6), 0), shore - 1))
                let column = min(max(x + Int(ripple), 0), canvas.width - 1)
                to[x] = canvas.blend(from[column], 0x40_2A1E, UInt32(min(160, 70 + 170 * away)))
            }
        }
    }
}
