import JSON

extension [Metric] {
    /// Prometheus text exposition format 0.0.4.
    package var prometheusText: [UInt8] {
        var text = ""
        for metric in self where !metric.samples.isEmpty {
            let name = Metric.prefix + metric.name
            text += "# HELP \(name) \(metric.help)\n# TYPE \(name) \(metric.kind.rawValue)\n"
            for sample in metric.samples { sample.write(name, to: &text) }
        }
        return Array<UInt8>(text.utf8)
    }

    /// `{"sessions":[{"labels":{…},"value":n}],"request_seconds":[{"labels":{…},"count":n,"sum":s,"buckets":[…]}],…}`
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
