/// Values of `/metrics`, to be added up. The text's form is checked elsewhere.
struct SoakMetrics {
    private var lines: [(series: Substring, value: Double)] = []

    init(_ text: String) {
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
                continue
            }
            lines.append((line[..<space], value))
        }
    }

    /// The sum of the series of a name, without its prefix, that have all of these labels.
    subscript(name: String, labels: String...) -> Double {
        lines.reduce(0) { sum, line in
            let rest = line.series.hasPrefix("lookahead_\(name)") ? line.series.dropFirst(10 + name.utf8.count) : "?"
            return (rest.isEmpty || rest.hasPrefix("{")) && labels.allSatisfy { rest.contains($0) }
                ? sum + line.value : sum
        }
    }

    /// Values that should be zero once all clients have left, and are not.
    var unsettled: [String] {
        let names = [
            "sessions", "streams", "tasks_queued", "tasks_running", "tasks_resting", "downloads_in_flight",
            "carried_bytes",
        ]
        // The one request in flight is this one's.
        return names.filter { self[$0] != 0 } + (self["requests_in_flight"] > 1 ? ["requests_in_flight"] : [])
    }

    var isSettled: Bool { unsettled.isEmpty }
}
