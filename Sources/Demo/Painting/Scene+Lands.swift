import Glibc

extension Scene {
    /// Dunes in the low sun: a light and a dark side each, and ripples.
    mutating func dunes() {
        let noise = Noise(&random)
        let hue = between(0.1, 0.19)
        canvas.gradient(
            Color(lightness: 0.72, chroma: 0.08, hue: between(0.6, 0.7)), Color(lightness: 0.92, chroma: 0.05, hue: hue)
        )
        let lit = Ramp(Color(lightness: 0.86, chroma: 0.09, hue: hue), Color(lightness: 0.68, chroma: 0.11, hue: hue))
        let shaded = Ramp(
            Color(lightness: 0.5, chroma: 0.09, hue: hue - 0.02), Color(lightness: 0.32, chroma: 0.07, hue: hue - 0.04))
        let tall = height / unit
        var crests: [(y: Float, swing: Float, waves: Float, at: Float)] = []
        for dune in 0..<4 {
            let near = Float(dune) / 3
            crests.append((tall * (0.42 + 0.34 * near), 0.1 + 0.22 * near, 1.6 - near, Float(dune) * 11.7))
        }
        canvas.shade(unit) { x, y, below in
            for (index, dune) in crests.enumerated().reversed() {
                let edge = dune.y - dune.swing * (noise.layered(x * dune.waves, dune.at, octaves: 2) - 0.4)
                guard y > edge else { continue }
                let slope = noise.value(x * dune.waves + 0.18, dune.at) - noise.value(x * dune.waves - 0.18, dune.at)
                let ripple =
                    0.09 * sinf((y * 90 + noise.layered(x * 5, y * 5, octaves: 2) * 14) * (1.3 - Float(index) * 0.2))
                let depth = (y - edge) * 1.4
                // The side away from the light begins at the crest and runs out below it.
                let dark = max(0, min(1, slope * 7 - depth * 2.2 + 0.2))
                return canvas.blend(lit[depth + ripple], shaded[depth + ripple], UInt32(dark * 256))
            }
            return below
        }
    }

    /// Peaks with snow in the sun.
    mutating func peaks() {
        let noise = Noise(&random)
        canvas.gradient(
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
        canvas.shade(unit) { x, y, below in
            let ridged = 1 - abs(noise.layered(x * 1.5, 5, octaves: 5) - 0.5) * 2.6
            let edge = summit + tall * 0.5 * (1 - ridged)
            guard y > edge else { return below }
            let face = noise.layered(x * 5 + y * 3.2, y * 2.4, octaves: 4)
            let light = (face - 0.32) * 2 + (noise.value(x * 2.6 + y, 9) - 0.5) * 0.8
            if y > tall * (0.82 - 0.08 * noise.layered(x * 4, 2, octaves: 3)) {
                return wood[light * 0.7 + (noise.value(x * 60, y * 25) - 0.4) * 0.7]
            }
            let white = y + (face - 0.5) * 0.9 < snowLine
            return white ? snow[light + 0.3] : rock[light]
        }
    }

    /// Wooded ridges one behind the other in the mist.
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

    /// Walls of a canyon in bands of stone.
    mutating func canyon() {
        let noise = Noise(&random)
        let hue = between(0.06, 0.12)
        let stone = Ramp(
            Color(lightness: 0.36, chroma: 0.1, hue: hue), Color(lightness: 0.62, chroma: 0.14, hue: hue + 0.02),
            Color(lightness: 0.5, chroma: 0.13, hue: hue - 0.02), Color(lightness: 0.82, chroma: 0.1, hue: hue + 0.07))
        let sky = Ramp(Color(lightness: 0.62, chroma: 0.12, hue: 0.68), Color(lightness: 0.85, chroma: 0.06, hue: 0.66))
        let (wide, tall) = (width / unit, height / unit)
        let gap = wide * between(0.35, 0.65)
        canvas.shade(unit) { x, y, _ in
            let wall: Float = x < gap ? 3 : 31
            let wander: Float = noise.layered(y * 2.2, wall, octaves: 3) - 0.5
            let opening: Float = 0.34 - y / tall * 0.42 + 0.22 * wander
            let off: Float = abs(x - gap) - opening
            guard off > 0 else { return sky[y / tall] }
            let band: Float = y * 4.5 + noise.layered(x * 1.4, y * 1.1, octaves: 3) * 2.4
            let layer: Float = noise.value(3, band * 1.6) * 0.75
            let light: Float = (x < gap ? 0.2 : -0.12) + max(0, 0.14 - off)
            return stone[layer + light + 0.12 * (noise.value(x * 30, y * 8) - 0.5)]
        }
    }

    /// Fields in rows that run to the horizon.
    mutating func fields() {
        let noise = Noise(&random)
        let hue = [0.24, 0.3, 0.36, 0.88][oneOf(4)] as Float  // corn, grass, vines, lavender
        let sky = Ramp(Color(lightness: 0.66, chroma: 0.1, hue: 0.68), Color(lightness: 0.94, chroma: 0.04, hue: 0.2))
        let crop = Ramp(
            Color(lightness: 0.32, chroma: 0.07, hue: 0.3), Color(lightness: 0.56, chroma: 0.13, hue: hue),
            Color(lightness: 0.82, chroma: 0.12, hue: hue))
        let (tall, vanishing) = (height / unit, width / unit * between(0.2, 0.8))
        let horizon = tall * between(0.34, 0.46)
        canvas.shade(unit) { x, y, _ in
            let hill = horizon - 0.06 * noise.layered(x * 1.3, 1, octaves: 3)
            guard y > hill else {
                let cloud = max(0, noise.layered(x * 1.8, y * 5, octaves: 4) - 0.55) * 2
                return canvas.blend(sky[y / horizon], 0xFFFFFF, UInt32(min(1, cloud) * 256))
            }
            let depth = max(0.01, (y - horizon + 0.03) / (tall - horizon))
            let row = sinf((x - vanishing) / depth * 7)
            return crop[
                0.42 + row * 0.28 * min(1, depth * 5) + 0.4 * (noise.value(x * 40, y * 40 / (0.3 + depth)) - 0.5)
                    * depth]
        }
    }

    /// A road through a plain towards far hills.
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
        canvas.shade(unit) { x, y, _ in
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
                return tarmac[depth + 0.25 * (noise.value(x * 50, y * 50) - 0.5)]
            }
            return plain[depth * 0.7 + 0.7 * (noise.layered(x * 8 / (0.2 + depth), y * 20, octaves: 3) - 0.35)]
        }
    }
}
