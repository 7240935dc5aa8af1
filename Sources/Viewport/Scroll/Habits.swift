#if canImport(Glibc)
    import Glibc
#else
    import Foundation
#endif

/// The person's latest gestures: distance, direction and duration of each, and the duration of the rests between. They are the
/// best guess about the next gesture.
package struct Habits: Sendable {
    /// A movement from rest to rest.
    struct Gesture: Sendable {
        /// In CSS pixels, positive downwards.
        var distance: Double
        /// In milliseconds. 0 for a page-key step.
        var duration: Double
        /// Final part of the distance that was slow enough to be looked at, in CSS pixels.
        var slow: Double
        /// When that part began, in milliseconds from the beginning of the gesture.
        var slowTime: Double
        var phase: ScrollPhase

        /// Returns when content `x` CSS pixels beyond the edge was in view and slow, in milliseconds.
        func time(toLookAt x: Double) -> Double {
            let before = abs(distance) - slow
            guard x > before, slow > 0 else { return slowTime }
            let left = max(0, 1 - (x - before) / slow)
            // The speed of a finger stays about the same. A fling spends most of its time on the last pixels.
            return slowTime + (duration - slowTime) * (before > 0 ? 1 - pow(left, 0.3) : 1 - left)
        }
    }

    /// Number of remembered gestures: enough to know a manner of scrolling, few enough to follow changes.
    static let limit = 8

    private(set) var gestures: [Gesture] = []

    /// Time for which the latest gestures of each phase held their pace, in milliseconds. Wheels and fingers differ.
    private var holds: [ScrollPhase: [Double]] = [:]

    package init() {}

    /// Mean duration of a rest, in milliseconds: a running mean.
    package private(set) var rest = 1000.0

    mutating func add(_ gesture: Gesture) {
        guard gesture.distance != 0 else { return }
        if gestures.count == Self.limit { gestures.removeFirst() }
        gestures.append(gesture)
    }

    /// Forgets the gestures. Call this after a jump, because gestures at one place say little about another place. Keeps the rests
    /// and the held paces, which depend on the person's hand.
    mutating func forgetGestures() { gestures.removeAll(keepingCapacity: true) }

    /// Records that a gesture of `phase` held its pace, at least half of its highest speed, for `duration` milliseconds.
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

    /// Assumed probability that a gesture turns back, before any has been seen.
    package static let unmeasuredReversal = 0.25

    /// Returns the probability that a gesture turns back against the one before and goes no further than `reach`, in CSS
    /// pixels: 0 ... 1.
    package func reversal(within reach: Double = .infinity) -> Double {
        var turns = 2 * Self.unmeasuredReversal
        var pairs = 2.0
        for (one, next) in zip(gestures, gestures.dropFirst()) {
            pairs += 1
            if (one.distance < 0) != (next.distance < 0), abs(next.distance) <= reach { turns += 1 }
        }
        return turns / pairs
    }

    /// Returns the distance of the longest gesture by `phase`, in CSS pixels, or 0 if there is none.
    package func reach(_ phase: ScrollPhase) -> Double {
        gestures.lazy.filter { $0.phase == phase }.map { abs($0.distance) }.max() ?? 0
    }

    /// Conditions for pictures to arrive in time.
    package struct Need: Sendable {
        /// Height of the viewport, in CSS pixels.
        package var screen: Double
        /// Mean distance of a gesture that has not been seen yet, in CSS pixels.
        package var imagined: Double
        /// Time from the beginning of a gesture to the earliest arrival of its first picture, in milliseconds.
        package var latency: Double
        /// Additional time for each further CSS pixel, in milliseconds.
        package var pace: Double
    }

    /// Returns the probability that the next gesture shows content `x` CSS pixels beyond the viewport's edge slowly enough to
    /// look at, and that the content could not be fetched in time once the gesture has begun: 0 ... 1.
    package func chance(of need: Need, at x: Double) -> Double {
        // One imagined gesture, exponentially distributed, counts beside the observed ones.
        var sum = exp(-x / max(1, need.imagined))
        for gesture in gestures {
            let distance = abs(gesture.distance)
            // The first content looked at is still in view when the gesture has become slow.
            let first = max(0, distance - gesture.slow - need.screen)
            guard x <= distance, x >= first else { continue }
            if need.latency + (x - first) * need.pace > gesture.time(toLookAt: x) { sum += 1 }
        }
        return sum / Double(gestures.count + 1)
    }

    /// Returns how long a movement of `phase` will still hold its pace, `elapsed` milliseconds after it began. This is the mean
    /// of the remaining times of earlier movements at that age, and of one imagined movement that holds its pace for 400 ms
    /// more.
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
