#if canImport(Glibc)
    import Glibc
#else
    import Foundation
#endif

/// The person's latest gestures: how far each went, which way, how long, and how long the rests were.
/// The best guess about the next one.
package struct Habits: Sendable {
    /// From rest to rest.
    struct Gesture: Sendable {
        /// CSS pixels, positive downwards.
        var distance: Double
        /// Milliseconds; 0 for a leap.
        var duration: Double
        /// How much of the distance, at its end, was slow enough to be looked at, in CSS pixels.
        var slow: Double
        /// When it had become so slow, in milliseconds from its beginning.
        var slowTime: Double
        /// The input that moved the content.
        var phase: ScrollPhase

        /// When what lies `x` CSS pixels beyond the edge was in view and slow, in milliseconds.
        func time(toLookAt x: Double) -> Double {
            let before = abs(distance) - slow
            guard x > before, slow > 0 else { return slowTime }
            let left = max(0, 1 - (x - before) / slow)
            // A finger's speed stays about the same; a fling spends most of its time on the last pixels.
            return slowTime + (duration - slowTime) * (before > 0 ? 1 - pow(left, 0.3) : 1 - left)
        }
    }

    /// How many gestures are remembered: enough to know a manner of scrolling, few enough to follow its changes.
    static let limit = 8

    private(set) var gestures: [Gesture] = []

    /// How long the latest gestures of each phase held their pace, in milliseconds: wheels and fingers differ.
    private var holds: [ScrollPhase: [Double]] = [:]

    package init() {}

    /// How long a rest lasts, in milliseconds: a running mean.
    package private(set) var rest = 1000.0

    mutating func add(_ gesture: Gesture) {
        guard gesture.distance != 0 else { return }
        if gestures.count == Self.limit { gestures.removeFirst() }
        gestures.append(gesture)
    }

    /// A gesture of `phase` held its pace, or at least half of its highest speed, for `duration` milliseconds.
    mutating func addHold(_ duration: Double, _ phase: ScrollPhase) {
        guard duration > 0 else { return }
        var known = holds[phase] ?? []
        if known.count == Self.limit { known.removeFirst() }
        known.append(duration)
        holds[phase] = known
    }

    mutating func addRest(_ duration: Double) {
        rest += 0.2 * (min(max(duration, 100), 3000) - rest)
    }

    /// How likely a gesture is taken to turn back before any has been seen.
    package static let unmeasuredReversal = 0.25

    /// How likely a gesture turns back against the one before and goes no further than `reach`, in CSS pixels: 0 ... 1.
    package func reversal(within reach: Double = .infinity) -> Double {
        var turns = 2 * Self.unmeasuredReversal
        var pairs = 2.0
        for (one, next) in zip(gestures, gestures.dropFirst()) {
            pairs += 1
            if (one.distance < 0) != (next.distance < 0), abs(next.distance) <= reach { turns += 1 }
        }
        return turns / pairs
    }

    /// How far the furthest of the gestures by `phase` went, in CSS pixels; 0 without any.
    package func reach(_ phase: ScrollPhase) -> Double {
        gestures.lazy.filter { $0.phase == phase }.map { abs($0.distance) }.max() ?? 0
    }

    /// The conditions for pictures to be there in time.
    package struct Need: Sendable {
        /// How tall the viewport is, in CSS pixels.
        package var screen: Double
        /// How far a gesture goes that has not been seen yet, in CSS pixels.
        package var imagined: Double
        /// How long after a gesture begins the first picture could come, in milliseconds.
        package var latency: Double
        /// How many milliseconds more each further CSS pixel takes.
        package var pace: Double
    }

    /// How likely what lies `x` CSS pixels beyond the viewport's edge is looked at by the next gesture, and could not be
    /// fetched in time once that has begun: 0 ... 1.
    package func chance(of need: Need, at x: Double) -> Double {
        // One imagined gesture, exponentially distributed, until some have been seen.
        var sum = exp(-x / max(1, need.imagined))
        for gesture in gestures {
            let distance = abs(gesture.distance)
            // The first that is looked at is still in view when the gesture has become slow.
            let first = max(0, distance - gesture.slow - need.screen)
            guard x <= distance, x >= first else { continue }
            if need.latency + (x - first) * need.pace > gesture.time(toLookAt: x) { sum += 1 }
        }
        return sum / Double(gestures.count + 1)
    }

    /// How long a movement of `phase` still holds its pace, `elapsed` milliseconds after it began: the mean of what was
    /// left of earlier ones at that age, and of one that is not known, which holds it for 400 ms more.
    package func hold(_ phase: ScrollPhase, after elapsed: Double) -> Double {
        var sum = 400.0
        var count = 1.0
        for duration in holds[phase] ?? [] where duration > elapsed {
            sum += min(duration - elapsed, 3000)
            count += 1
        }
        return sum / count
    }
}
