import Viewport

#if canImport(Glibc)
    import Glibc
#else
    import Foundation
#endif

/// The ways of scrolling that policies are scored on.
public enum TraceKind: String, Sendable, CaseIterable {
    /// Flings downwards on iOS, one after another, each coming to rest.
    case fling
    /// Flings on Android, some upwards.
    case fling2
    /// A finger that moves steadily, up and down, looking.
    case skim
    /// A mouse wheel, a few notches at a time.
    case read
    /// The thumb of the scrollbar, far away at once.
    case drag
    /// Hard flings, caught before they come to rest.
    case hunt
    /// Page keys, and now and then the end of the list.
    case page
    /// A finger to and fro over one place.
    case wobble

    /// A trace of this kind: 60 samples a second, a grid of `itemCount` cells of 200 x 180 in a viewport of 1200 x 900.
    ///
    /// - Parameters:
    ///   - seed: The same seed gives the same trace.
    ///   - seconds: About how long; it ends with the rest after a movement. Default 20, 1 to 3,600.
    ///   - itemCount: Default 200,000, at least 1,000.
    public func trace(seed: UInt64, seconds: Double = 20, itemCount: Int = 200_000) -> Trace {
        let itemCount = min(max(itemCount, 1_000), 100_000_000)
        let layout = LayoutOptions(kind: .grid(itemWidth: 200, itemHeight: 180))
        let viewport = Size(width: 1_200, height: 900)
        let rows = (itemCount + 5) / 6
        let furthest = Double(rows) * 180 - viewport.height
        var random = SeededRandom(seed: seed)
        var hand = Hand(at: (random.uniform(0.2...0.8) * furthest * 10).rounded() / 10, furthest: furthest)
        hand.rest(1_000)
        let end = (seconds.isFinite ? min(max(seconds, 1), 3_600) : 20) * 1_000
        while hand.time < end { move(&hand, &random) }
        return Trace(
            name: "\(rawValue)-\(seed)", itemCount: itemCount, viewport: viewport, layout: layout,
            samples: hand.samples)
    }

    private func move(_ hand: inout Hand, _ random: inout SeededRandom) {
        switch self {
        case .fling:
            let speed = exp(random.uniform(log(3_500)...log(9_000)))
            hand.glide(Fling.apple(speed), phase: .momentum)
            hand.rest(random.uniform(500...1_300))
        case .fling2:
            let up = random.unit() < 0.2
            let fling = Fling.android(up ? random.uniform(2_000...5_500) : random.uniform(2_000...10_000))
            hand.glide(fling, sign: up ? -1 : 1, phase: .momentum)
            hand.rest(random.uniform(350...1_300))
        case .skim:
            let speed = random.uniform(900...1_900)
            let sway = random.uniform(0.15...0.25)
            let period = random.uniform(1_200...1_800)
            let turn = random.uniform(0...6.28)
            let fling = Fling(duration: random.uniform(3_000...4_000)) { time in
                // A steady hand sways: the integral of speed (1 + sway sin).
                speed / 1e3 * (time + sway * period / 6.283 * (cos(turn) - cos(turn + 6.283 * time / period)))
            }
            hand.glide(fling, sign: hand.turn(&random, 0.7), phase: .touch)
            hand.rest(random.uniform(400...900))
        case .read:
            let notch = [53.0, 100, 100, 120][Int(random.uniform(0...3.999))]
            let gap = random.uniform(80...200)
            let count = (random.uniform(2...6.9)).rounded(.down)
            let sign: Double = random.unit() < 0.1 ? -1 : 1
            hand.glide(Fling.wheel(notch: notch, count: count, gap: gap), sign: sign, phase: .wheel)
            hand.rest(random.uniform(600...1_900))
        case .drag:
            let distance = exp(random.uniform(log(30_000)...log(300_000)))
            hand.glide(
                Fling.reach(distance, in: random.uniform(700...2_000)), sign: hand.turn(&random, 0.5), phase: .drag)
            hand.rest(random.uniform(800...1_100))
        case .hunt:
            let fling = Fling.apple(random.uniform(4_800...14_500))
            let sign: Double = random.unit() < 0.25 ? -1 : 1
            hand.glide(fling, sign: sign, until: random.uniform(1_100...2_900), phase: .momentum)
            hand.rest(random.uniform(180...750))
        case .page:
            let far = random.unit() < 0.08
            let up = random.unit() < 0.2
            let distance = far ? random.uniform(0.2...0.6) * hand.furthest : 900
            hand.jump(far ? hand.away(distance) : up ? -distance : distance, phase: .keyboard)
            hand.rest(random.uniform(400...1_500))
        case .wobble:
            let time = random.uniform(150...480)
            let speed = random.uniform(800...4_500) / 1e3
            let sign = hand.turn(&random, 0.7)
            hand.glide(Fling(duration: time) { speed * $0 }, sign: sign, phase: .touch)
            hand.rest(random.uniform(80...350))
        }
    }
}
