/// Foresees the end of an aimed movement, such as dragging the thumb of a scrollbar to a place.
///
/// Such movements start and end at rest, with one smooth rise and fall of the speed between: Flash and Hogan (J. Neurosci.
/// 1985) found hands to follow x(u) = 10u^3 - 15u^4 + 6u^5 of the way after the share u of the time, which changes the
/// acceleration least; x(u) = 3u^2 - 2u^3 is the lowest order of that shape. In both the speed v, the acceleration a and
/// the time t since the start give u = t / T: with r = a t / v, it is r = 2 (1 - 2u) / (1 - u) in the first and half of
/// that in the second. Both are followed; the one whose foreseen end has moved less from sample to sample is believed.
struct AimFit: Sendable {
    /// Samples on which speed and acceleration are measured.
    private static let span = 7

    private struct Guess: Sendable {
        /// Where it ends, in CSS pixels of content.
        var end: Double?
        /// By how much the last sample has moved it, and the larger of the last two, in CSS pixels.
        var moved = 1e6
        var drift = 1e6
        /// The same over a longer time, and relative to the speed.
        var score = 1.0
    }

    private var guesses = [Guess(), Guess()]
    private var believed = 0

    /// How the movement that began at `began` will go on, by its latest samples.
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

    /// By how much the end may be missed that is `distance` CSS pixels away: what it has moved lately, or a fiftieth.
    func error(_ distance: Double) -> Double { max(1.5 * guesses[believed].drift, distance / 50) }

    private static func course(
        r: Double, isSmoothest: Bool, speed: Double, elapsed: Double, now: Double, direction: Double
    ) -> Course {
        let u = ((1 - r) / (2 - r)).clamped(to: 0.01...0.999, or: 0.5)
        let whole = elapsed / u
        let later = (now / whole).clamped(to: u...0.999, or: u)
        let rest = 1 - later
        let way: Double
        let left: Double
        let speedNow: Double
        if isSmoothest {
            way = speed * whole / (30 * u * u * (1 - u) * (1 - u))
            left = way * rest * rest * rest * (1 + 3 * later + 6 * later * later)
            speedNow = way / whole * 30 * later * later * rest * rest
        } else {
            way = speed * whole / (6 * u * (1 - u))
            left = way * rest * rest * (1 + 2 * later)
            speedNow = way / whole * 6 * later * rest
        }
        return Course(
            law: .aimed(distance: min(left, 1e9), lasting: whole * rest, order: isSmoothest ? 3 : 2),
            direction: direction, speed: min(speedNow * 1000, 1e9))
    }
}
