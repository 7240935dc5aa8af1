import JSON
import TestSupport

/// The server's figures from `/api/v1/stats`.
struct ServerFigures {
    let document: JSON

    init(port: UInt16) throws { document = try TestClient(port).call("GET", "stats").json }

    /// Returns the value of one series, or the sum of the series that have these labels. The name of a histogram ends in `_count`.
    func sum(_ name: String, _ labels: [String: String] = [:]) -> Double {
        let isHistogram = name.hasSuffix("_count")
        let series = document[isHistogram ? String(name.dropLast(6)) : name]?.array ?? []
        return series.filter { one in labels.allSatisfy { one["labels"]?[$0.key]?.string == $0.value } }
            .reduce(0) { $0 + ($1[isHistogram ? "count" : "value"]?.number ?? 0) }
    }
}
