import Numbers
import Viewport

/// A scroll that is told its movements one after the other, and sampled at each frame of a 60 Hz screen.
struct ScriptedScroll {
    private(set) var samples: [ScrollSample] = []
    let furthest: Double
    private var top: Double
    private var frame = 0
    private var sign = 1.0

    private static let interval = 1_000.0 / 60

    init(at top: Double, furthest: Double) {
        self.top = top
        self.furthest = furthest
    }

    /// Milliseconds since it began.
    var time: Double { Double(frame) * Self.interval }

    /// - Parameter phase: `drag` where the thumb is still held.
    mutating func rest(_ duration: Double, as phase: ScrollPhase = .idle) {
        let end = time + duration
        while time < end { take(phase) }
    }

    /// Follows a movement to its end, or for `until` milliseconds if that is less.
    mutating func glide(_ fling: Fling, sign: Double = 1, until: Double = .infinity, phase: ScrollPhase) {
        let start = time
        let from = top
        // The frame that begins the movement shows it already under way.
        var passed = Self.interval
        while passed <= min(fling.duration, until) {
            top = min(max(from + sign * fling.distance(passed), 0), furthest)
            take(phase)
            passed = time - start + Self.interval
        }
    }

    mutating func jump(_ distance: Double, phase: ScrollPhase) {
        top = min(max(top + distance, 0), furthest)
        take(phase)
    }

    /// The way of the next movement: the other way with this probability.
    mutating func turn(_ random: inout SeededRandom, _ probability: Double) -> Double {
        if random.unit() < probability { sign = -sign }
        return sign
    }

    /// So far, towards the end that is further away.
    func away(_ distance: Double) -> Double { top > furthest / 2 ? -distance : distance }

    private mutating func take(_ phase: ScrollPhase) {
        samples.append(
            ScrollSample(
                time: (time * 10).rounded() / 10, scrollTop: (top * 10).rounded() / 10, phase: phase))
        frame += 1
    }
}
