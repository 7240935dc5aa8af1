import JSON

extension Sequence<Replay.Result> {
    /// A table for people, one line for each result.
    public var text: String {
        let heads = [
            "trace", "policy", "latency", "Mbit/s", "slots", "blank", "slow", "waste", "settle50", "settle95",
            "requests", "cancelled", "MB",
        ]
        var table = TextTable(heads, namesInFront: 2)
        for result in self {
            let score = result.score
            table.add([
                result.trace, result.player.description, result.origin.latency.text(0), result.origin.bandwidth.text(0),
                "\(result.origin.concurrency)", score.blankShare.text(3), score.slowBlankShare.text(3),
                score.waste.text(3), score.settleP50.text(0), score.settleP95.text(0),
                "\(score.requests)",
                "\(score.cancelled)", (score.bytes / 1e6).text(1),
            ])
        }
        return table.text + "\n" + (contains { $0.origin.previewBytes != nil } ? Origin.onPreviews : "")
    }

    /// `{"results":[…]}`. Shares are rounded to a millionth, times to a tenth of a millisecond.
    public var json: [UInt8] {
        var writer = JSONWriter(capacity: 4_096)
        writer.object {
            $0.member("results") { writer in
                writer.array { writer in
                    for result in self { writer.object { result.write(&$0) } }
                }
            }
        }
        return writer.bytes
    }
}

extension Replay.Result {
    func write(_ writer: inout JSONWriter) {
        writer.member("trace", trace)
        writer.member("policy", player.description)
        writer.member("origin") { writer in
            writer.object {
                $0.member("latency", origin.latency)
                $0.member("jitter", origin.jitter)
                $0.member("bandwidth", origin.bandwidth)
                $0.member("concurrency", origin.concurrency)
                if origin.pictures == .photographs { $0.member("pictures", "photographs") }
            }
        }
        writer.member("blankShare", score.blankShare.rounded(to: 6))
        writer.member("slowBlankShare", score.slowBlankShare.rounded(to: 6))
        writer.member("waste", score.waste.rounded(to: 6))
        writer.member("settleP50", score.settleP50.rounded(to: 1))
        writer.member("settleP95", score.settleP95.rounded(to: 1))
        writer.member("requests", score.requests)
        writer.member("cancelled", score.cancelled)
        writer.member("bytes", score.bytes.rounded())
        guard !score.byKind.isEmpty else { return }
        writer.member("byKind") { writer in
            writer.object {
                for kind in score.byKind {
                    $0.member(kind.kind) { writer in
                        writer.object {
                            $0.member("blank", kind.blankShare.rounded(to: 6))
                            $0.member("slowBlank", kind.slowBlankShare.rounded(to: 6))
                        }
                    }
                }
            }
        }
    }
}

extension Origin: CustomStringConvertible {
    public var description: String {
        "\(latency.text(0)) ms, \(bandwidth.text(0)) Mbit/s, \(concurrency) at once"
            + (pictures == .photographs ? ", photographs" : "")
    }

    /// Note below tables.
    package static let onPreviews = "A cell that shows a preview counts as half blank.\n"
}
