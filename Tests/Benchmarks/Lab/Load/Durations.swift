import Numbers

/// How long things took, all of them, in nanoseconds.
struct Durations {
    private var values: [Int64] = []
    init() {}

    var count: Int { values.count }

    mutating func add(_ nanoseconds: Int64) { values.append(nanoseconds) }

    /// The quantile at a share of them, 0...1, in milliseconds; NaN where there are none.
    func milliseconds(at share: Double) -> Double {
        guard !values.isEmpty else { return .nan }
        let sorted = values.sorted()
        return Double(sorted[min(sorted.count - 1, Int(clamping: share * Double(sorted.count)))]) / 1e6
    }

    static func += (all: inout Durations, more: Durations) { all.values += more.values }
}

extension [Double] {
    /// The one in the middle, NaN counting as more than any; NaN where there are none.
    var median: Double {
        isEmpty ? .nan : sorted { !$0.isNaN && ($0 < $1 || $1.isNaN) }[count / 2]
    }
}
