import Glibc

extension Scene {
    /// Hills one behind the other under a sun or moon.
    mutating func hills() {
        canvas.gradient(palette.color(1, lightness: palette.isNight ? 0.28 : 0.9, chroma: 0.07), palette.ground)
        let (x, y) = (width * between(0.2, 0.8), height * between(0.18, 0.4))
        let sun = Color(lightness: 0.92, chroma: 0.1, hue: between(0.12, 0.25))
        let radius = unit * between(0.09, 0.16)
        for step in 1...3 { canvas.disc(x, y, radius * (1 + 0.35 * Float(step)), sun, alpha: 0.14) }
        canvas.disc(x, y, radius, .white, edge: sun)
        let count = 4 + oneOf(2)
        var tops: [[Float]] = []
        var colors: [(top: Color, bottom: Color)] = []
        for layer in 0..<count {
            let depth = Float(layer) / Float(count - 1)
            tops.append(
                ridge(height * (0.45 + 0.38 * depth), height * 0.09 * (1.2 - 0.5 * depth), waves: between(0.7, 1.8)))
            let lightness = (palette.isNight ? 0.45 : 0.78) - 0.34 * depth
            colors.append(
                (
                    palette.color(layer % 2, lightness: lightness, chroma: 0.1),
                    palette.color(layer % 2, lightness: lightness - 0.07, chroma: 0.11)
                ))
        }
        canvas.layers(tops, colors)
    }

    /// Bands of waves from the horizon to the shore.
    mutating func waves() {
        let hue = between(0.5, 0.7)
        canvas.gradient(
            Color(lightness: 0.84, chroma: 0.1, hue: between(0, 0.16)), Color(lightness: 0.95, chroma: 0.06, hue: 0.2))
        let x = width * between(0.25, 0.75)
        let sun = Color(lightness: 0.9, chroma: 0.13, hue: between(0.14, 0.24))
        canvas.disc(x, height * 0.3, unit * between(0.12, 0.2), sun.mixed(.white, 0.5), edge: sun)
        let count = 7
        var tops: [[Float]] = []
        var colors: [(top: Color, bottom: Color)] = []
        for layer in 0..<count {
            let depth = Float(layer) / Float(count - 1)
            tops.append(ridge(height * (0.34 + 0.55 * depth), height * (0.012 + 0.03 * depth), waves: 4 - 2.4 * depth))
            let color = Color(lightness: 0.76 - 0.42 * depth, chroma: 0.1, hue: hue)
            colors.append((color, color.mixed(.ink, 0.12)))
        }
        canvas.layers(tops, colors)
    }

    /// Rows of overlapping scales, each of rings in one another.
    mutating func scales() {
        canvas.gradient(palette.ground, palette.groundShade)
        let radius = unit * between(0.13, 0.2)
        let colors = [palette.deep, palette.ground, palette.soft, palette.ground, palette.accent]
        let rows = Int(height / (radius * 0.5)) + 3
        let columns = Int(width / (radius * 2)) + 2
        for line in 0..<rows {
            let y = Float(line) * radius * 0.5
            let shift = line % 2 == 0 ? 0 : radius
            for column in -1..<columns {
                let x = Float(column) * radius * 2 + shift
                for (step, color) in colors.enumerated() {
                    canvas.disc(x, y + radius * 0.5, radius * (1 - 0.2 * Float(step)), color)
                }
            }
        }
    }

    /// Lights out of focus.
    mutating func bokeh() {
        canvas.gradient(
            palette.color(0, lightness: 0.32, chroma: 0.09), palette.color(1, lightness: 0.17, chroma: 0.07))
        for light in 0..<26 {
            let (x, y, radius) = (between(0, width), between(0, height), unit * between(0.03, 0.15))
            let color = palette.color(light % 4, lightness: between(0.6, 0.85), chroma: 0.14)
            canvas.disc(x, y, radius, color, alpha: between(0.12, 0.4))
            canvas.ring(x, y, radius * 0.93, radius, color, alpha: 0.35)
        }
    }

    /// Leaves on a table.
    mutating func leaves() {
        canvas.gradient(
            palette.color(2, lightness: 0.93, chroma: 0.04), palette.color(2, lightness: 0.83, chroma: 0.06))
        for leaf in 0..<16 {
            let (x, y) = (between(-0.05, 1.05) * width, between(-0.05, 1.05) * height)
            let (length, turn) = (unit * between(0.25, 0.5), between(0, 1))
            let (tipX, tipY) = polar(x, y, length, turn)
            let color = palette.color(leaf % 3, lightness: between(0.42, 0.72), chroma: 0.12)
            canvas.leaf(
                x + unit * 0.012, y + unit * 0.018, tipX + unit * 0.012, tipY + unit * 0.018, 0.6, .ink, alpha: 0.14)
            canvas.leaf(x, y, tipX, tipY, 0.6, color)
            canvas.line(x, y, tipX, tipY, max(unit * 0.007, 1), color.mixed(.white, 0.45))
        }
    }
}
