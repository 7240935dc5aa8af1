/// Chooses which of a few laws a movement follows. Each law is weighed by how well it has predicted the samples so far, the
/// latest sample counting most. This is Bayes' rule with forgetting, so that a movement may change its law.
struct Hypotheses: Sendable {
    /// Weight of earlier evidence after each new sample.
    private static let memory = 0.7
    /// Error of a good forecast: a share of the distance, plus a number of CSS pixels.
    private static let error = 0.2
    private static let minimumError = 2.0
    /// Maximum error of a sample, in multiples of the error of a good forecast, because clocks stutter.
    private static let farthestOff = 4.0

    /// Logarithms of the likelihood of each law, up to a constant.
    private var evidence: [Double]
    private var forecasts: [Course] = []

    /// - Parameter prior: logarithm of the likelihood of each law before the first sample.
    init(prior: [Double]) {
        evidence = prior
    }

    /// Compares the last forecasts with the distance moved since then, and records the new forecast of each law. Returns the
    /// forecast of the most likely law.
    mutating func course(_ courses: [Course], moved: Double, in elapsed: Double) -> Course {
        if elapsed > 0, forecasts.count == evidence.count {
            for (index, forecast) in forecasts.enumerated() {
                let expected = forecast.distance(after: elapsed)
                let miss = abs(moved - expected) / (Self.minimumError + Self.error * max(moved, expected))
                evidence[index] = Self.memory * evidence[index] - min(miss, Self.farthestOff)
            }
        }
        forecasts = courses
        var likeliest = 0
        for index in evidence.indices where evidence[index] > evidence[likeliest] { likeliest = index }
        return courses[likeliest]
    }
}

/// Expected place where a scroll comes to rest.
public struct Landing: Sendable, Hashable {
    /// Scroll position at that time, in CSS pixels.
    public var scrollTop: Double
    /// Confidence: 0 (a guess) ... 1 (the content rests there).
    public var confidence: Double

    public init(scrollTop: Double, confidence: Double) {
        self.scrollTop = scrollTop
        self.confidence = confidence
    }
}
