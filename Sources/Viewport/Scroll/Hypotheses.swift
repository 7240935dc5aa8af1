/// Which of a few laws a movement follows: each is weighed by how well it has foretold the samples so far, the latest
/// counting most. Bayes' rule with forgetting, so that a movement which changes its law is followed.
struct Hypotheses: Sendable {
    /// How much of what was known before a sample counts after it.
    private static let memory = 0.7
    /// By what share of the distance a good forecast is off, and by how many CSS pixels at least.
    private static let error = 0.2
    private static let leastError = 2.0
    /// No sample counts more than this many such errors: clocks stutter.
    private static let farthestOff = 4.0

    /// The logarithms of how likely each is, but for a constant.
    private var evidence: [Double]
    private var forecasts: [Course] = []

    /// - Parameter prior: how likely each law is taken to be before a sample was seen, as a logarithm.
    init(prior: [Double]) {
        evidence = prior
    }

    /// Takes in how far the content has moved since the last forecasts, and what each law says now; returns what the
    /// likeliest says.
    mutating func course(_ courses: [Course], moved: Double, in elapsed: Double) -> Course {
        if elapsed > 0, forecasts.count == evidence.count {
            for (index, forecast) in forecasts.enumerated() {
                let expected = forecast.distance(after: elapsed)
                let miss = abs(moved - expected) / (Self.leastError + Self.error * max(moved, expected))
                evidence[index] = Self.memory * evidence[index] - min(miss, Self.farthestOff)
            }
        }
        forecasts = courses
        var likeliest = 0
        for index in evidence.indices where evidence[index] > evidence[likeliest] { likeliest = index }
        return courses[likeliest]
    }
}

/// Where a scroll is expected to come to rest.
public struct Landing: Sendable, Hashable {
    /// How far the content will be scrolled then, in CSS pixels.
    public var scrollTop: Double
    /// How sure that is: 0 (a guess) ... 1 (it rests there already).
    public var confidence: Double

    public init(scrollTop: Double, confidence: Double) {
        self.scrollTop = scrollTop
        self.confidence = confidence
    }
}
