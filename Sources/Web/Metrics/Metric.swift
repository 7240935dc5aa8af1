import Gallery

/// One thing that is counted or measured, with a value for each set of labels. Names and units as Prometheus advises.
package struct Metric: Sendable {
    package enum Kind: String, Sendable { case counter, gauge, histogram }

    enum Value: Sendable {
        case number(Double)
        case histogram(Histogram)
    }

    struct Sample: Sendable {
        var labels: [(name: String, value: String)]
        var value: Value
    }

    /// Without the prefix `lookahead_`.
    let name: String
    let kind: Kind
    let help: String
    var samples: [Sample] = []

    static let prefix = "lookahead_"

    package init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }

    package func with(_ value: Double, _ labels: (String, String)...) -> Metric { adding(.number(value), labels) }

    package func with(_ value: Int, _ labels: (String, String)...) -> Metric { adding(.number(Double(value)), labels) }

    package func with(_ value: Histogram, _ labels: (String, String)...) -> Metric { adding(.histogram(value), labels) }

    private func adding(_ value: Value, _ labels: [(String, String)]) -> Metric {
        var metric = self
        metric.samples.append(Sample(labels: labels.map { (name: $0.0, value: $0.1) }, value: value))
        return metric
    }
}
