extension Scene {
    /// Paints the open sea under a wide sky.
    mutating func sea() {
        let noise = Noise(&random)
        let hue = between(0.5, 0.68)
        let sky = Ramp(
            Color(lightness: 0.66, chroma: 0.1, hue: hue), Color(lightness: 0.95, chroma: 0.03, hue: hue - 0.03))
        let water = Ramp(
            Color(lightness: 0.74, chroma: 0.07, hue: hue - 0.05), Color(lightness: 0.5, chroma: 0.1, hue: hue),
            Color(lightness: 0.26, chroma: 0.07, hue: hue))
        let tall = height / unit
        let horizon = tall * between(0.36, 0.56)
        canvas.shade(unit) { x, y in
            guard y > horizon else {
                let cloud = max(0, noise.layered(x * 1.3, y * 5, octaves: 4) - 0.5) * 2
                return canvas.blend(sky[y / horizon], 0xFFFFFF, UInt32(min(1, cloud) * 256))
            }
            let depth = (y - horizon) / (tall - horizon)
            let swell = noise.layered(x * 3 / (0.15 + depth), 2.4 / (0.06 + depth), octaves: 3)
            let foam = max(0, noise.layered(x * 9 / (0.2 + depth), 9 / (0.08 + depth), octaves: 3) - 0.62) * 5
            return canvas.blend(water[depth * 0.75 + (swell - 0.5) * 0.7], 0xFFFFFF, UInt32(min(0.85, foam) * 256))
        }
    }

    /// Paints a lake that reflects mountains.
    mutating func lake() {
        let noise = Noise(&random)
        let hue = between(0.6, 0.95)
        let sky = Ramp(Color(lightness: 0.6, chroma: 0.1, hue: hue), Color(lightness: 0.92, chroma: 0.07, hue: 0.15))
        let far = Ramp(Color(lightness: 0.62, chroma: 0.06, hue: hue), Color(lightness: 0.42, chroma: 0.07, hue: hue))
        let near = Ramp(Color(lightness: 0.3, chroma: 0.06, hue: 0.4), Color(lightness: 0.16, chroma: 0.03, hue: 0.4))
        let tall = height / unit
        let shore = tall * between(0.48, 0.6)
        canvas.shade(unit) { x, y in
            let isWater = y > shore
            let ripple = isWater ? 0.02 * (noise.value(x * 6, y * 60) - 0.5) * (1 + (y - shore) * 6) : 0
            let (u, v) = (x + ripple, isWater ? 2 * shore - y : y)
            let range = shore - 0.42 * noise.layered(u * 1.5, 8, octaves: 5)
            let wood = shore - 0.1 * noise.layered(u * 2, 3, octaves: 2) - 0.035 * noise.value(u * 46, 5)
            var color = sky[v / shore]
            if v > range { color = far[(v - range) * 2.4 + 0.3 * (noise.layered(u * 7, v * 7, octaves: 3) - 0.5)] }
            if v > wood { color = near[(v - wood) * 8] }
            return isWater ? canvas.blend(color, 0x503A28, UInt32(40 + 90 * (y - shore))) : color
        }
    }

    /// Paints surf on sand, from above.
    mutating func surf() {
        let noise = Noise(&random)
        let deep = between(0.48, 0.58)
        let water = Ramp(
            Color(lightness: 0.86, chroma: 0.07, hue: deep - 0.04), Color(lightness: 0.66, chroma: 0.11, hue: deep),
            Color(lightness: 0.42, chroma: 0.1, hue: deep + 0.06))
        let sand = Ramp(Color(lightness: 0.68, chroma: 0.06, hue: 0.19), Color(lightness: 0.9, chroma: 0.05, hue: 0.22))
        let (slope, wide) = (between(-0.5, 0.5), width / unit)
        let shore = wide * between(0.4, 0.6)
        canvas.shade(unit) { x, y in
            let line = x + slope * (y - 0.5) - shore + 0.32 * (noise.layered(x * 1.4, y * 1.6, octaves: 4) - 0.5)
            if line > 0 {
                let grain = noise.value(x * 90 + y * 60, y * 90 - x * 60) - 0.4
                return sand[min(1, line * 3) * 0.8 + 0.25 * grain]
            }
            var foam = max(0, 1 + line * 34)
            for wave in 1..<4 {
                let front =
                    line + Float(wave) * 0.17 + 0.12 * (noise.layered(x * 2, y * 2 + Float(wave) * 9, octaves: 3) - 0.5)
                if front < 0, front > -0.1 {
                    foam += (1 + front * 10) * max(0, noise.layered(x * 16, y * 16, octaves: 3) - 0.3) * 1.6
                }
            }
            let color = water[-line * 1.1 + 0.2 * (noise.layered(x * 6, y * 6, octaves: 3) - 0.5)]
            return canvas.blend(color, 0xFFFFFF, UInt32(min(0.95, foam) * 256))
        }
    }

    /// Paints fish in deep water, with rays of light.
    mutating func reef() {
        let noise = Noise(&random)
        let hue = between(0.52, 0.64)
        let water = Ramp(
            Color(lightness: 0.84, chroma: 0.09, hue: hue - 0.06), Color(lightness: 0.52, chroma: 0.11, hue: hue),
            Color(lightness: 0.22, chroma: 0.08, hue: hue + 0.05))
        let tall = height / unit
        canvas.shade(unit) { x, y in
            let ray = noise.layered(x * 4 + y * 1.3, 2, octaves: 3) * max(0, 1 - y / tall)
            return canvas.blend(water[y / tall], 0xFFFFF0, UInt32(max(0, ray - 0.3) * 190))
        }
        let (shoal, tilt) = (8 + oneOf(16), between(-0.06, 0.06))
        let color = palette.accent
        let (centerX, centerY) = (width * between(0.3, 0.7), height * between(0.35, 0.6))
        for _ in 0..<shoal {
            let (x, y, size) = (
                centerX + unit * between(-0.35, 0.35), centerY + unit * between(-0.2, 0.2), unit * between(0.03, 0.06)
            )
            canvas.leaf(x, y, x + size * 1.6, y + size * tilt * 6, 0.55, color)
            canvas.leaf(x - size * 0.45, y - size * 0.3, x + size * 0.3, y, 0.9, color.mixed(.ink, 0.2))
            canvas.disc(x + size * 1.3, y - size * 0.03, max(size * 0.07, 0.7), .ink)
        }
        let coral = Color(lightness: 0.3, chroma: 0.08, hue: hue + 0.1)
        canvas.layers([ridge(height * 0.9, height * 0.07, waves: 3.2)], [(coral, coral.mixed(.ink, 0.6))])
    }
}
