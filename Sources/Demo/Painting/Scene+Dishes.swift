extension Scene {
    /// Paints slices of citrus fruit, one of them large.
    mutating func citrus() {
        canvas.gradient(palette.ground, palette.groundShade)
        let hues: [Float] = [0.06, 0.14, 0.17, 0.24, 0.31]
        for slice in 0..<5 {
            let isMain = slice == 4
            let radius = unit * (isMain ? between(0.33, 0.4) : between(0.13, 0.22))
            let (x, y) =
                isMain
                ? (width * between(0.4, 0.6), height * between(0.38, 0.46))
                : (width * between(0, 1), height * between(0, 0.95))
            let hue = hues[oneOf(hues.count)]
            let flesh = Color(lightness: 0.8, chroma: 0.15, hue: hue)
            let pith = Color(lightness: 0.96, chroma: 0.04, hue: hue)
            shadow(x, y, radius)
            canvas.disc(x, y, radius, Color(lightness: 0.74, chroma: 0.16, hue: hue))
            canvas.disc(x, y, radius * 0.92, pith)
            canvas.disc(x, y, radius * 0.84, flesh.mixed(.white, 0.25), edge: flesh)
            let (segments, start) = (9 + oneOf(3), between(0, 1))
            for segment in 0..<segments {
                let (tipX, tipY) = polar(x, y, radius * 0.85, start + Float(segment) / Float(segments))
                canvas.line(x, y, tipX, tipY, radius * 0.045, pith)
            }
            canvas.disc(x, y, radius * 0.07, pith)
        }
    }

    /// Paints a plate with eggs and herbs on a cloth.
    mutating func plate() {
        cloth()
        let (x, y) = (width * 0.5, height * 0.45)
        dish(x, y, unit * 0.4)
        let (eggs, start) = (1 + oneOf(3), between(0, 1))
        for egg in 0..<eggs {
            let (eggX, eggY) =
                eggs == 1 ? (x, y) : polar(x, y, unit * 0.15, start + Float(egg) / Float(eggs))
            for lobe in 0..<6 {
                let (lobeX, lobeY) = polar(eggX, eggY, unit * 0.05, Float(lobe) / 6 + start)
                canvas.disc(lobeX, lobeY, unit * between(0.07, 0.1), .white)
            }
            let yolk = Color(lightness: 0.82, chroma: 0.17, hue: between(0.19, 0.23))
            canvas.disc(eggX, eggY, unit * 0.06, yolk.mixed(.white, 0.2), edge: yolk)
            canvas.disc(eggX - unit * 0.018, eggY - unit * 0.02, unit * 0.014, .white, alpha: 0.8)
        }
        for _ in 0..<9 {
            let (herbX, herbY) = polar(x, y, unit * between(0.05, 0.28), between(0, 1))
            let (tipX, tipY) = polar(herbX, herbY, unit * 0.06, between(0, 1))
            canvas.leaf(herbX, herbY, tipX, tipY, 0.5, Color(lightness: between(0.45, 0.6), chroma: 0.13, hue: 0.38))
        }
    }

    /// Paints a doughnut with icing and sprinkles.
    mutating func donut() {
        canvas.gradient(palette.ground, palette.groundShade)
        let (x, y, radius) = (width * between(0.44, 0.56), height * 0.44, unit * 0.36)
        shadow(x, y, radius)
        canvas.ring(
            x, y, radius * 0.3, radius, Color(lightness: 0.78, chroma: 0.1, hue: 0.19),
            edge: Color(lightness: 0.62, chroma: 0.11, hue: 0.16))
        let icing = Color(lightness: between(0.5, 0.8), chroma: 0.12, hue: [0.98, 0.08, 0.22, 0.9][oneOf(4)])
        canvas.ring(x, y, radius * 0.38, radius * 0.9, icing, edge: icing.mixed(.white, 0.2))
        for lobe in 0..<11 {
            let (lobeX, lobeY) = polar(x, y, radius * 0.83, Float(lobe) / 11 + between(0, 0.03))
            canvas.disc(lobeX, lobeY, radius * between(0.08, 0.14), icing.mixed(.white, 0.17))
        }
        for sprinkle in 0..<60 {
            let (fromX, fromY) = polar(x, y, radius * between(0.44, 0.84), between(0, 1))
            let (toX, toY) = polar(fromX, fromY, radius * 0.07, between(0, 1))
            canvas.line(fromX, fromY, toX, toY, radius * 0.03, palette.color(sprinkle, lightness: 0.93, chroma: 0.12))
        }
    }

    mutating func berries() {
        canvas.gradient(palette.ground, palette.groundShade)
        let hues: [Float] = [0.02, 0.07, 0.78, 0.92, 0.98]
        let hue = hues[oneOf(hues.count)]
        for berry in 0..<24 {
            let ring = Float(berry) / 24
            let (x, y) = polar(
                width * 0.5, height * 0.45, unit * 0.42 * (1 - ring).squareRoot() * between(0.8, 1.1), between(0, 1))
            let radius = unit * between(0.075, 0.115)
            let color = Color(lightness: between(0.45, 0.62), chroma: 0.17, hue: hue + between(-0.02, 0.03))
            canvas.disc(x + unit * 0.01, y + unit * 0.02, radius, .ink, alpha: 0.18)
            canvas.disc(x, y, radius, color.mixed(.white, 0.2), edge: color.mixed(.ink, 0.3))
            canvas.disc(x - radius * 0.3, y - radius * 0.35, radius * 0.17, .white, alpha: 0.7)
            if berry % 3 == 0 {
                let (tipX, tipY) = polar(x, y - radius, radius * 0.9, between(0.55, 0.95))
                canvas.leaf(x, y - radius * 0.8, tipX, tipY, 0.5, Color(lightness: 0.55, chroma: 0.13, hue: 0.37))
            }
        }
    }

    /// Paints rows of sushi rolls on a board.
    mutating func rolls() {
        canvas.gradient(Color(lightness: 0.62, chroma: 0.06, hue: 0.15), Color(lightness: 0.5, chroma: 0.06, hue: 0.13))
        for plank in 1..<6 {
            let y = height * Float(plank) / 6
            canvas.line(0, y, width, y + between(-3, 3), 1.5, .ink, alpha: 0.25)
        }
        let size = unit * between(0.26, 0.34)
        let (columns, rows) = (Int(width / size) + 1, Int(height / size) + 1)
        for line in 0..<rows {
            for column in 0..<columns {
                let x = (Float(column) + 0.5) * width / Float(columns)
                let y = (Float(line) + 0.5) * height / Float(rows)
                let radius = size * 0.42
                shadow(x, y, radius)
                canvas.disc(x, y, radius, Color(lightness: 0.3, chroma: 0.04, hue: 0.42), edge: .ink)
                canvas.disc(x, y, radius * 0.86, .white, edge: Color(lightness: 0.92, chroma: 0.02, hue: 0.25))
                let hues: [Float] = [0.06, 0.12, 0.35, 0.02]
                let filling = Color(lightness: 0.7, chroma: 0.15, hue: hues[(line + column) % 4])
                canvas.disc(x, y, radius * between(0.35, 0.45), filling, edge: filling.mixed(.ink, 0.15))
                canvas.disc(x + radius * 0.14, y - radius * 0.08, radius * 0.14, filling.mixed(.white, 0.5))
            }
        }
    }

    /// Paints halves of fruit with seeds in a circle.
    mutating func kiwi() {
        canvas.gradient(palette.groundShade, palette.ground)
        for fruit in 0..<4 {
            let isMain = fruit == 3
            let radius = unit * (isMain ? 0.38 : between(0.16, 0.24))
            let (x, y) =
                isMain ? (width * between(0.42, 0.58), height * 0.45) : (between(0, width), between(0, height))
            let hue = [0.33, 0.36, 0.02, 0.23][oneOf(4)] as Float
            shadow(x, y, radius)
            canvas.disc(x, y, radius, Color(lightness: 0.48, chroma: 0.07, hue: 0.18))
            canvas.disc(
                x, y, radius * 0.94, Color(lightness: 0.88, chroma: 0.12, hue: hue),
                edge: Color(lightness: 0.62, chroma: 0.17, hue: hue))
            let rays = 28
            for ray in 0..<rays {
                let turn = Float(ray) / Float(rays)
                let (fromX, fromY) = polar(x, y, radius * 0.3, turn)
                let (toX, toY) = polar(x, y, radius * 0.82, turn)
                canvas.line(fromX, fromY, toX, toY, radius * 0.015, .white, alpha: 0.3)
                let (seedX, seedY) = polar(x, y, radius * between(0.38, 0.5), turn + 0.5 / Float(rays))
                let (endX, endY) = polar(seedX, seedY, radius * 0.045, turn)
                canvas.line(seedX, seedY, endX, endY, radius * 0.035, .ink)
            }
            canvas.disc(x, y, radius * 0.26, Color(lightness: 0.96, chroma: 0.05, hue: hue))
        }
    }

    private mutating func cloth() {
        canvas.gradient(palette.ground, palette.ground)
        let size = unit * between(0.08, 0.13)
        let color = palette.soft
        for column in stride(from: 0, to: Int(width / size) + 1, by: 2) {
            canvas.rectangle(Float(column) * size, 0, Float(column + 1) * size, height, color, alpha: 0.4)
        }
        for line in stride(from: 0, to: Int(height / size) + 1, by: 2) {
            canvas.rectangle(0, Float(line) * size, width, Float(line + 1) * size, color, alpha: 0.4)
        }
    }

    private func dish(_ x: Float, _ y: Float, _ radius: Float) {
        shadow(x, y, radius)
        canvas.disc(
            x, y, radius, Color(lightness: 0.97, chroma: 0.01, hue: 0.2),
            edge: Color(lightness: 0.88, chroma: 0.02, hue: 0.6))
        canvas.ring(x, y, radius * 0.9, radius * 0.93, palette.deep, alpha: 0.6)
        canvas.disc(x, y, radius * 0.8, Color(lightness: 0.95, chroma: 0.01, hue: 0.2), edge: .white)
    }
}
