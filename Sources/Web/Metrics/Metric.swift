import Gallery
import JSON

/// A count or measurement with a value for each set of labels. Names and units follow the recommendations of Prometheus.
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

    /// Name without the prefix `lookahead_`.
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

extension [Metric] {
    /// The metrics in Prometheus text exposition format 0.0.4.
    package var prometheusText: [UInt8] {
        var text = ""
        for metric in self where !metric.samples.isEmpty {
            let name = Metric.prefix + metric.name
            text += "# HELP \(name) \(metric.help)\n# TYPE \(name) \(metric.kind.rawValue)\n"
            for sample in metric.samples { sample.write(name, to: &text) }
        }
        return Array<UInt8>(text.utf8)
    }

    /// The metrics as JSON: `{"sessions":[{"labels":{…},"value":n}],"request_seconds":[{"labels":{…},"count":n,"sum":s,"buckets":[…]}],…}`
    var document: [UInt8] {
        var writer = JSONWriter(capacity: 8192)
        writer.object { writer in
            for metric in self where !metric.samples.isEmpty {
                writer.member(metric.name) { $0.array { for sample in metric.samples { sample.write(to: &$0) } } }
            }
        }
        return writer.bytes
    }
}

extension Metric.Sample {
    fileprivate func write(_ name: String, to text: inout String) {
        switch value {
        case .number(let number):
            text += "\(name)\(labelText()) \(number)\n"
        case .histogram(let histogram):
            for (bound, count) in histogram.cumulative {
                text += "\(name)_bucket\(labelText(("le", "\(bound)"))) \(count)\n"
            }
            text += "\(name)_bucket\(labelText(("le", "+Inf"))) \(histogram.count)\n"
            text += "\(name)_sum\(labelText()) \(histogram.sum)\n"
            text += "\(name)_count\(labelText()) \(histogram.count)\n"
        }
    }

    private func labelText(_ more: (name: String, value: String)...) -> String {
        let pairs = (labels + more).map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
        return pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}"
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("labels") { writer in
                writer.object { for label in labels { $0.member(label.name, label.value) } }
            }
            switch value {
            case .number(let number): $0.member("value", number)
            case .histogram(let histogram):
                $0.member("count", histogram.count)
                $0.member("sum", histogram.sum)
                $0.member("buckets") {
                    $0.array {
                        for (bound, count) in histogram.cumulative {
                            $0.object {
                                $0.member("le", bound)
                                $0.member("count", count)
                            }
                        }
                    }
                }
            }
        }
    }
}
