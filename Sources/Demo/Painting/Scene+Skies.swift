import Glibc

extension Scene {
    /// Paints a sunset behind bars of cloud, over dark land.
    mutating func sunset() {
        let noise = Noise(&random)
        let warm = between(0.06, 0.13)
        let sky = Ramp(
            Color(lightness: 0.38, chroma: 0.09, hue: 0.78), Color(lightness: 0.62, chroma: 0.13, hue: 0.95),
            Color(lightness: 0.78, chroma: 0.15, hue: warm), Color(lightness: 0.9, chroma: 0.12, hue: 0.23))
        let cloud = Color(lightness: 0.42, chroma: 0.1, hue: 0.95).packed
        let horizon = height / unit * between(0.68, 0.82)
        let (sunX, sunY) = (width / unit * between(0.25, 0.75), horizon - between(0.02, 0.16))
        let ground = Color(lightness: 0.2, chroma: 0.04, hue: 0.85).packed
        let swing = between(0.02, 0.07)
        canvas.shade(unit) { x, y in
            let edge = horizon - swing * noise.layered(x * 3, 40, octaves: 4)
            guard y < edge else { return ground }
            let away = ((x - sunX) * (x - sunX) + (y - sunY) * (y - sunY)).squareRoot()
            guard away > 0.05 else { return 0xD8FAFF }
            let glow = max(0, 0.35 - away) * 0.9
            let bars = noise.layered(x * 1.6, y * 7, octaves: 4)
            let cover = max(0, min(1, (bars - 0.48) * 3)) * min(1, away * 3)
            return canvas.blend(sky[y / horizon * 0.95 + glow], cloud, UInt32(cover * 200))
        }
    }

    /// Paints northern lights over snow.
    mutating func aurora() {
        let noise = Noise(&random)
        let sky = Ramp(Color(lightness: 0.12, chroma: 0.05, hue: 0.72), Color(lightness: 0.27, chroma: 0.07, hue: 0.68))
        let light = Ramp(
            Color(lightness: 0.5, chroma: 0.16, hue: 0.85), Color(lightness: 0.75, chroma: 0.2, hue: 0.42),
            Color(lightness: 0.9, chroma: 0.18, hue: 0.39))
        let (tall, base) = (height / unit, height / unit * between(0.55, 0.66))
        canvas.shade(unit) { x, y in
            var result = sky[y / tall]
            for curtain in 0..<2 {
                let shift = Float(curtain) * 23
                let foot = base - 0.12 * Float(curtain) - 0.35 * (noise.layered(x * 1.4 + shift, 3, octaves: 2) - 0.3)
                let up = foot - y
                guard up > 0 else { continue }
                let rays = 0.45 + 0.55 * noise.value(x * 22 + shift, up * 0.6)
                let strength = rays * expf(-up * 3.2) * min(1, up * 14)
                result = canvas.blend(result, light[1 - up * 1.7], UInt32(min(1, strength) * 235))
            }
            return result
        }
        for _ in 0..<70 {
            canvas.disc(between(0, width), between(0, height * 0.6), 0.8, .white, alpha: between(0.2, 0.9))
        }
        let snow = Color(lightness: 0.62, chroma: 0.04, hue: 0.55)
        canvas.layers(
            [ridge(height * 0.78, height * 0.05, waves: 1.1), ridge(height * 0.88, height * 0.04, waves: 0.7)],
            [(snow.mixed(.ink, 0.45), snow.mixed(.ink, 0.6)), (snow, snow.mixed(.ink, 0.35))])
    }

    /// Paints the moon over the sea.
    mutating func moonrise() {
        let noise = Noise(&random)
        let hue = between(0.62, 0.82)
        let sky = Ramp(
            Color(lightness: 0.2, chroma: 0.07, hue: hue), Color(lightness: 0.45, chroma: 0.09, hue: hue + 0.05))
        let tall = height / unit
        let horizon = tall * between(0.58, 0.72)
        let (moonX, moonY) = (width / unit * between(0.3, 0.7), tall * between(0.2, 0.4))
        let radius = between(0.06, 0.11)
        let sea = Ramp(Color(lightness: 0.34, chroma: 0.07, hue: hue), Color(lightness: 0.13, chroma: 0.05, hue: hue))
        canvas.shade(unit) { x, y in
            if y > horizon {
                let depth = (y - horizon) / (tall - horizon)
                let ripple = noise.value(x * 26 / (0.3 + depth), y * 120 / (0.4 + depth))
                let beam: Float = max(0, 1 - abs(x - moonX) / (0.08 + depth * 0.18))
                let path: Float = beam * max(0, ripple - 0.45) * 3
                return canvas.blend(sea[depth], 0xE0F4FA, UInt32(min(1, path) * 220))
            }
            let (dx, dy) = (x - moonX, y - moonY)
            let away = (dx * dx + dy * dy).squareRoot()
            if away < radius {
                let shadow: Float = max(0, noise.layered(x * 18, y * 18, octaves: 3) - 0.45)
                return canvas.blend(0xE6F6FA, 0xA8B4B8, UInt32(shadow * 420))
            }
            let veil: Float = max(0, noise.layered(x * 1.2, y * 5, octaves: 4) - 0.52)
            let glow: Float = max(0, 1 - (away - radius) * 2.4)
            let light: Float = glow * glow * 0.4 + veil * 0.7
            return canvas.blend(sky[y / horizon], 0xC8D4DA, UInt32(light * 256))
        }
    }
}
