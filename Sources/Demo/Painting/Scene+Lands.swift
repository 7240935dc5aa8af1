import Glibc

extension Scene {
    /// Paints snowy peaks in the sun.
    mutating func peaks() {
        let noise = Noise(&random)
        let sky = Ramp(
            Color(lightness: 0.5, chroma: 0.12, hue: between(0.66, 0.72)),
            Color(lightness: 0.86, chroma: 0.06, hue: 0.66))
        let tall = height / unit
        let snow = Ramp(
            Color(lightness: 0.64, chroma: 0.06, hue: 0.72), Color(lightness: 0.97, chroma: 0.01, hue: 0.2))
        let rock = Ramp(
            Color(lightness: 0.24, chroma: 0.03, hue: 0.72), Color(lightness: 0.6, chroma: 0.04, hue: 0.16))
        let wood = Ramp(
            Color(lightness: 0.22, chroma: 0.05, hue: 0.42), Color(lightness: 0.4, chroma: 0.08, hue: 0.38))
        let (summit, snowLine) = (tall * between(0.16, 0.3), tall * between(0.45, 0.6))
        canvas.shade(unit) { x, y in
            let ridged = 1 - abs(noise.layered(x * 1.5, 5, octaves: 5) - 0.5) * 2.6
            let edge = summit + tall * 0.5 * (1 - ridged)
            guard y > edge else { return sky[y / tall] }
            let face = noise.layered(x * 5 + y * 3.2, y * 2.4, octaves: 4)
            let light = (face - 0.32) * 2 + (noise.value(x * 2.6 + y, 9) - 0.5) * 0.8
            if y > tall * (0.82 - 0.08 * noise.layered(x * 4, 2, octaves: 3)) {
                return wood[light * 0.7 + (noise.value(x * 60, y * 25) - 0.4) * 0.7]
            }
            let white = y + (face - 0.5) * 0.9 < snowLine
            return white ? snow[light + 0.3] : rock[light]
        }
    }

    /// Paints wooded ridges in the mist, one behind the other.
    mutating func mist() {
        let noise = Noise(&random)
        let hue = between(0.45, 0.72)
        let air = Color(lightness: 0.94, chroma: 0.03, hue: between(0.08, 0.25))
        canvas.gradient(Color(lightness: 0.82, chroma: 0.05, hue: hue), air)
        let near = Color(lightness: 0.24, chroma: 0.05, hue: hue)
        let count = 6
        var (tops, colors): ([[Float]], [(top: Color, bottom: Color)]) = ([], [])
        for layer in 0..<count {
            let depth = Float(layer) / Float(count - 1)
            let scale = (1.2 + 1.6 * depth) / unit
            let at = Float(layer) * 7.3
            tops.append(
                (0..<canvas.width).map { x in
                    let u = Float(x) * scale
                    let trees = noise.value(Float(x) / unit * (150 - 90 * depth), at) * unit * 0.028 * (0.3 + depth)
                    return height * (0.3 + 0.52 * depth) - unit * 0.26 * (noise.layered(u, at, octaves: 3) - 0.4)
                        - trees
                })
            let color = air.mixed(near, 0.2 + 0.75 * depth)
            colors.append((color, color.mixed(air, 0.65)))
        }
        canvas.layers(tops, colors)
    }

    /// Paints a road through a plain towards distant hills.
    mutating func road() {
        let noise = Noise(&random)
        let hue = between(0.12, 0.36)
        let tall = height / unit
        let horizon = tall * between(0.4, 0.52)
        let (middle, bend) = (width / unit / 2, between(-0.5, 0.5))
        let sky = Ramp(Color(lightness: 0.58, chroma: 0.12, hue: 0.69), Color(lightness: 0.9, chroma: 0.05, hue: 0.12))
        let plain = Ramp(
            Color(lightness: 0.72, chroma: 0.09, hue: hue), Color(lightness: 0.42, chroma: 0.08, hue: hue))
        let hills = Ramp(Color(lightness: 0.6, chroma: 0.06, hue: 0.72), Color(lightness: 0.5, chroma: 0.07, hue: 0.68))
        let tarmac = Ramp(Color(lightness: 0.5, chroma: 0.01, hue: 0.7), Color(lightness: 0.3, chroma: 0.01, hue: 0.7))
        canvas.shade(unit) { x, y in
            guard y > horizon else {
                let edge = horizon - 0.16 * noise.layered(x * 2.2, 4, octaves: 4)
                if y > edge { return hills[(y - edge) * 6] }
                let cloud = max(0, noise.layered(x * 1.5, y * 4, octaves: 4) - 0.5) * 2.4
                return canvas.blend(sky[y / horizon], 0xFFFFFF, UInt32(min(1, cloud) * 256))
            }
            let depth = (y - horizon) / (tall - horizon)
            let off = abs(x - middle - bend * (1 - depth) * (1 - depth)) / (0.012 + depth * 0.34)
            if off < 1 {
                if off < 0.03, sinf(9 / (depth + 0.06)) > 0 { return 0xC8F0FA }
                if off > 0.9, off < 0.94 { return 0xE8F0F2 }
                return tarmac[depth + 0.25 * (noise.value(x * 70 + y * 50, y * 70 - x * 50) - 0.5)]
            }
            return plain[depth * 0.7 + 0.7 * (noise.layered(x * 8 / (0.2 + depth), y * 20, octaves: 3) - 0.35)]
        }
    }

    /// Paints hills, one behind the other, under a sun or moon.
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
}
