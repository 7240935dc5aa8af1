/// Predicts the end of an aimed movement, such as dragging the thumb of a scrollbar to a place.
///
/// Such a movement starts and ends at rest, and its speed rises and falls smoothly once. Two curves x(u) give the travelled
/// share of the distance after the share u of the time:
///
/// - `x(u) = 10u^3 - 15u^4 + 6u^5`, the curve with the smallest changes of acceleration. Flash and Hogan (J. Neurosci. 1985)
///   found that hands follow it.
/// - `x(u) = 3u^2 - 2u^3`, the curve of that shape with the lowest order.
///
/// For both curves `u = t / T` follows from the speed v, the acceleration a and the time t since the start. With `r = a t / v`,
/// the first curve has `r = 2 (1 - 2u) / (1 - u)`, the second curve has half of that. Both curves are fitted. The curve whose
/// predicted end has moved less from sample to sample is believed.
struct AimFit: Sendable {
    /// Number of samples used to measure speed and acceleration.
    private static let span = 7

    private struct Guess: Sendable {
        /// Predicted end, in CSS pixels of content.
        var end: Double?
        /// Distance by which the last sample moved the predicted end, and the larger of the last two such distances, in CSS
        /// pixels.
        var moved = 1e6
        var drift = 1e6
        /// The same distance relative to the speed, averaged over a longer time.
        var score = 1.0
    }

    private var guesses = [Guess(), Guess()]
    private var believed = 0

    /// Returns the predicted course of the movement that began at `began`, by its latest samples.
    mutating func course(
        _ points: [ScrollHistory.Point], began: ScrollHistory.Point, direction: Double, speed fallback: Double
    ) -> Course {
        let span =
            min(points.count | 1, Self.span) - (points.count.isMultiple(of: 2) && points.count < Self.span ? 2 : 0)
        guard span >= 5, let last = points.last else {
            return Course(law: .steady(lasting: 0), direction: direction, speed: fallback)
        }
        let (a, b) = (points[points.count - span], points[points.count - 1 - span / 2])
        let before = abs(b.scrollTop - a.scrollTop) / max(1, b.time - a.time)
        let after = abs(last.scrollTop - b.scrollTop) / max(1, last.time - b.time)
        let acceleration = (after - before) / max(1, (last.time - a.time) / 2)
        let elapsed = b.time - began.time
        let speed = (before + after) / 2
        guard speed > 0, elapsed > 0 else { return .rest }
        let r = acceleration * elapsed / speed
        var courses: [Course] = []
        for index in guesses.indices {
            let course = Self.course(
                r: index == 0 ? r : r / 2, isSmoothest: index == 1, speed: speed, elapsed: elapsed,
                now: last.time - began.time, direction: direction)
            let end = last.scrollTop + direction * course.distance
            let moved = guesses[index].end.map { abs(end - $0) } ?? 1e6
            guesses[index].drift = max(moved, guesses[index].moved)
            guesses[index].moved = moved
            guesses[index].score += 0.3 * (min(moved / max(1, speed), 1000) / 1000 - guesses[index].score)
            guesses[index].end = end
            courses.append(course)
        }
        believed = guesses[0].score <= guesses[1].score ? 0 : 1
        return courses[believed]
    }

    /// Returns the possible error of an end that is `distance` CSS pixels away: 1.5 times its recent drift, but at least a
    /// fiftieth of `distance`.
    func error(_ distance: Double) -> Double { max(1.5 * guesses[believed].drift, distance / 50) }

    private static func course(
        r: Double, isSmoothest: Bool, speed: Double, elapsed: Double, now: Double, direction: Double
    ) -> Course {
        let u = ((1 - r) / (2 - r)).clamped(to: 0.01...0.999, or: 0.5)
        let whole = elapsed / u
        let later = (now / whole).clamped(to: u...0.999, or: u)
        let rest = 1 - later
        let length: Double
        let left: Double
        let speedNow: Double
        if isSmoothest {
            length = speed * whole / (30 * u * u * (1 - u) * (1 - u))
            left = length * rest * rest * rest * (1 + 3 * later + 6 * later * later)
            speedNow = length / whole * 30 * later * later * rest * rest
        } else {
            length = speed * whole / (6 * u * (1 - u))
            left = length * rest * rest * (1 + 2 * later)
            speedNow = length / whole * 6 * later * rest
        }
        return Course(
            law: .aimed(distance: min(left, 1e9), lasting: whole * rest, order: isSmoothest ? 3 : 2),
            direction: direction, speed: min(speedNow * 1000, 1e9))
    }
}
