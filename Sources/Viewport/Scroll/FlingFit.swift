#if canImport(Glibc)
    import Glibc
#else
    import Foundation
#endif

/// Learns from the samples by which law flings slow down on this device, and predicts the end of the present fling.
///
/// In an exponential fling the logarithm of the speed falls along a straight line. In an Android fling the speed to the power 1
/// / 1.358 falls along a straight line. Both lines are fitted to the speeds of the last 400 ms, and the better line is
/// believed. The fitted slopes are remembered, so that a new fling can be predicted from its first samples.
struct FlingFit: Sendable {
    /// Time span of the fitted samples, in milliseconds.
    static let window = 400.0
    /// iOS's `UIScrollView.DecelerationRate.normal`: 0.998 a millisecond is e^-2.002 a second.
    static let iOSRate = 2.002
    /// A notch of a wheel, eased out over a fifth of a second as in Chromium and Firefox.
    static let wheelRate = 15.0
    /// A touchpad's momentum. The speed falls to a third in 0.3 to 0.4 s on macOS and Windows.
    static let touchpadRate = 3.0
    /// Android's friction for one pixel per dp: `T = (0.35 v / 778.35)^(1/1.358)` seconds for v in px/s.
    static let androidSlope = 291.9

    private static let power = 1 / (Course.splineExponent - 1)

    private var rate: Double
    private let rates: ClosedRange<Double>
    private var slope = FlingFit.androidSlope
    /// Above 0 if flings slow down exponentially, below 0 if they slow down as on Android.
    private var evidence = 0.5
    private var lastTime = -Double.infinity

    /// - Parameters:
    ///   - rate: share by which the speed falls each second, until a rate has been measured.
    ///   - rates: bounds for measured rates.
    init(rate: Double = FlingFit.iOSRate, within rates: ClosedRange<Double> = 0.3...30) {
        self.rate = rate
        self.rates = rates
    }

    /// Returns the speed between each pair of neighbouring samples of the present movement, newest first, and the middle of
    /// their times.
    private func speeds(_ points: [ScrollHistory.Point]) -> [(time: Double, speed: Double)] {
        guard let last = points.last else { return [] }
        var result: [(time: Double, speed: Double)] = []
        var next = last
        for point in points.dropLast().reversed() {
            if last.time - point.time > Self.window { break }
            // Skip neighbours nearer than a frame: their distance says more about clocks than about speeds.
            guard next.time - point.time >= 12 else { continue }
            let speed = abs(next.scrollTop - point.scrollTop) / (next.time - point.time) * 1000
            // If the speed was lower before, the movement has been pushed since. A fling begins where the speed is highest.
            if let after = result.last, speed < after.speed * 0.98 { break }
            result.append(((next.time + point.time) / 2, speed))
            next = point
        }
        return result
    }

    /// Returns the predicted course of a movement after its release.
    mutating func course(_ points: [ScrollHistory.Point], direction: Double, speed fallback: Double) -> Course {
        guard let now = points.last?.time else { return .rest }
        let speeds = speeds(points)
        guard let newest = speeds.first, newest.speed > 0 else {
            return Course(law: .exponential(rate: rate), direction: direction, speed: abs(fallback))
        }
        var rate = rate
        var slope = slope
        if speeds.count >= 3, let oldest = speeds.last, oldest.speed > newest.speed {
            let byLog = Line(speeds.map { ($0.time, log($0.speed)) })
            let byPower = Line(speeds.map { ($0.time, pow($0.speed, Self.power)) })
            let trust = Double(speeds.count - 2) / Double(speeds.count)
            rate += trust * ((-byLog.slope * 1000).clamped(to: rates, or: rate) - rate)
            slope += trust * ((-byPower.slope * 1000).clamped(to: 30...3000, or: slope) - slope)
            if speeds.count >= 4, now > lastTime {
                var logErrors = 1e-6
                var powerErrors = 1e-6
                for (time, speed) in speeds {
                    logErrors += square(exp(byLog.value(at: time)) / speed - 1)
                    powerErrors += square(pow(max(0, byPower.value(at: time)), 1 / Self.power) / speed - 1)
                }
                evidence = (0.9 * evidence + 0.3 * log(powerErrors / logErrors)).clamped(to: -5...5, or: 0)
                self.rate += 0.2 * (rate - self.rate)
                self.slope += 0.2 * (slope - self.slope)
                lastTime = now
            }
        }
        // The newest speed was measured a moment ago.
        let age = max(0, now - newest.time)
        if evidence >= 0 {
            return Course(
                law: .exponential(rate: rate), direction: direction, speed: newest.speed * exp(-rate * age / 1000))
        }
        let left = pow(newest.speed, Self.power) - slope * age / 1000
        guard left > 0 else { return Course(law: .rest, direction: direction, speed: 0) }
        return Course(
            law: .spline(lasting: left / slope * 1000), direction: direction, speed: pow(left, 1 / Self.power))
    }

    private func square(_ x: Double) -> Double { x * x }
}

/// The least-squares line through a few points.
struct Line {
    private(set) var slope = 0.0
    private var meanX = 0.0
    private var meanY = 0.0

    init(_ points: [(x: Double, y: Double)]) {
        let n = Double(max(1, points.count))
        for point in points {
            meanX += point.x / n
            meanY += point.y / n
        }
        var xx = 0.0
        var xy = 0.0
        for point in points {
            xx += (point.x - meanX) * (point.x - meanX)
            xy += (point.x - meanX) * (point.y - meanY)
        }
        slope = xx > 0 ? xy / xx : 0
    }

    func value(at x: Double) -> Double { meanY + slope * (x - meanX) }
}
