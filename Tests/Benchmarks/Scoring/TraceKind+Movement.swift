import Numbers
import Viewport

#if canImport(Glibc)
    import Glibc
#else
    import Foundation
#endif

extension TraceKind {
    /// One movement of this kind, and the rest after it.
    func move(_ scroll: inout ScriptedScroll, _ random: inout SeededRandom) {
        switch self {
        case .fling:
            let speed = exp(random.uniform(log(3_500)...log(9_000)))
            scroll.glide(Fling.apple(speed), phase: .momentum)
            scroll.rest(random.uniform(500...1_300))
        case .fling2:
            let up = random.unit() < 0.2
            let fling = Fling.android(up ? random.uniform(2_000...5_500) : random.uniform(2_000...10_000))
            scroll.glide(fling, sign: up ? -1 : 1, phase: .momentum)
            scroll.rest(random.uniform(350...1_300))
        case .skim:
            // A steady hand sways.
            let speed = random.uniform(900...1_900)
            let sway = random.uniform(0.15...0.25)
            let period = random.uniform(1_200...1_800)
            let turn = random.uniform(0...6.28)
            let fling = Fling.steady(
                speed, sway: sway, period: period, turn: turn, lasting: random.uniform(3_000...4_000))
            scroll.glide(fling, sign: scroll.turn(&random, 0.7), phase: .touch)
            scroll.rest(random.uniform(400...900))
        case .read:
            let notch = [53.0, 100, 100, 120][Int(clamping: random.uniform(0...3.999))]
            let gap = random.uniform(80...200)
            let count = (random.uniform(2...6.9)).rounded(.down)
            let sign: Double = random.unit() < 0.1 ? -1 : 1
            scroll.glide(Fling.wheel(notch: notch, count: count, gap: gap), sign: sign, phase: .wheel)
            scroll.rest(random.uniform(600...1_900))
        case .drag:
            let distance = exp(random.uniform(log(30_000)...log(300_000)))
            scroll.glide(
                Fling.reach(distance, in: random.uniform(700...2_000)), sign: scroll.turn(&random, 0.5), phase: .drag)
            scroll.rest(random.uniform(800...1_100))
        case .thumb:
            // A list of 1,000 to 50,000 rows, on a track of 800 pixels.
            let pixel = exp(random.uniform(log(225)...log(11_000)))
            let sign = scroll.turn(&random, 0.5)
            let pixels = exp(random.uniform(log(6)...log(120))).rounded()
            let miss = random.unit() < 0.4 ? Double(1 + random.below(3)) * (random.unit() < 0.5 ? -1 : 1) : 0
            scroll.rest(random.uniform(50...200), as: .drag)
            scroll.glide(
                Fling.reach(pixels + miss, in: random.uniform(500...1_500)).stepping(by: pixel), sign: sign,
                phase: .drag)
            scroll.rest(random.uniform(150...900), as: .drag)
            if miss != 0 {
                scroll.glide(
                    Fling.reach(abs(miss), in: random.uniform(250...600)).stepping(by: pixel),
                    sign: miss < 0 ? sign : -sign,
                    phase: .drag)
                scroll.rest(random.uniform(150...600), as: .drag)
            }
            scroll.rest(random.uniform(600...1_300))
        case .hunt:
            let fling = Fling.apple(random.uniform(4_800...14_500))
            let sign: Double = random.unit() < 0.25 ? -1 : 1
            scroll.glide(fling, sign: sign, until: random.uniform(1_100...2_900), phase: .momentum)
            // The finger that catches it stays for a moment.
            scroll.rest(random.uniform(60...200), as: .touch)
            scroll.rest(random.uniform(120...550))
        case .page:
            let far = random.unit() < 0.08
            let up = random.unit() < 0.2
            let distance = far ? random.uniform(0.2...0.6) * scroll.furthest : 900
            scroll.jump(far ? scroll.away(distance) : up ? -distance : distance, phase: .keyboard)
            scroll.rest(random.uniform(400...1_500))
        case .wobble:
            let time = random.uniform(150...480)
            let speed = random.uniform(800...4_500) / 1e3
            let sign = scroll.turn(&random, 0.7)
            scroll.glide(Fling(duration: time) { speed * $0 }, sign: sign, phase: .touch)
            scroll.rest(random.uniform(80...350))
        case .scan:
            let speed = random.uniform(600...1_500)
            // A notch of 100 or 120 pixels, or a fine wheel that turns on in every frame.
            let notch = [speed / 60, 100, 100, 120][random.below(4)]
            let gap = notch / speed * 1_000
            let length = random.uniform(3_000...5_500)
            var starts = [0.0]
            while let last = starts.last, last < length { starts.append(last + gap * random.uniform(0.92...1.08)) }
            scroll.glide(Fling.steps(notch, at: starts), sign: scroll.turn(&random, 0.2), phase: .wheel)
            scroll.rest(random.uniform(400...1_400))
        case .burst:
            let notch = [53.0, 100, 100, 120][random.below(4)]
            let count = Double(6 + random.below(8))
            let fling = Fling.wheel(notch: notch, count: count, gap: random.uniform(45...75))
            scroll.glide(fling, sign: scroll.turn(&random, 0.1), phase: .wheel)
            scroll.rest(random.uniform(300...1_100))
        case .pad:
            // Some are followed by the next before they have come to rest.
            let sign = scroll.turn(&random, 0.15)
            for following in (0...random.below(3)).reversed() {
                let speed = exp(random.uniform(log(900)...log(8_000)))
                let fling = Fling.pad(speed, touch: random.uniform(60...140), rate: random.uniform(2...4))
                let until = following > 0 ? random.uniform(250...700) : .infinity
                scroll.glide(fling, sign: sign, until: until, phase: .wheel)
            }
            scroll.rest(random.uniform(300...1_000))
        case .key:
            // Arrows go 40 pixels, page keys seven eighths of the viewport (Chromium). Systems wait 250 to 600 ms
            // before a key held down repeats, and then repeat it 25 to 33 times a second.
            let pages = random.unit() < 0.2
            let length = pages ? random.uniform(600...1_000) : random.uniform(900...4_000)
            let gap = random.uniform(30...40)
            var starts = [0.0, random.uniform(250...600)]
            while let last = starts.last, last + gap < length { starts.append(last + gap) }
            scroll.glide(
                Fling.steps(pages ? 787.5 : 40, at: starts), sign: scroll.turn(&random, 0.25), phase: .keyboard)
            scroll.rest(random.uniform(500...1_500))
        case .auto:
            let fling = Fling.steady(
                random.uniform(250...1_200), sway: random.uniform(0.02...0.15), period: random.uniform(1_500...3_000),
                turn: random.uniform(0...6.28), lasting: random.uniform(3_500...6_000))
            scroll.glide(fling, sign: scroll.turn(&random, 0.3), phase: .wheel)
            scroll.rest(random.uniform(500...1_200))
        case .jump:
            scroll.jump(scroll.away(random.uniform(0.02...0.5) * scroll.furthest), phase: .jump)
            scroll.rest(random.uniform(700...1_800))
            for _ in 0..<random.below(3) {
                let fling = Fling.wheel(notch: 100, count: Double(2 + random.below(4)), gap: random.uniform(80...200))
                scroll.glide(fling, sign: random.unit() < 0.2 ? -1 : 1, phase: .wheel)
                scroll.rest(random.uniform(500...1_200))
            }
        case .mixed:
            let kind = Self.single[random.below(Self.single.count)]
            kind.move(&scroll, &random)
        }
    }
}
