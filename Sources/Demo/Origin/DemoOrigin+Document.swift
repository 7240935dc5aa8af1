import Catalog
import Gallery
import JSON

/// The API of the demo's origin: shows its state, changes its conditions and opens lanes.
extension DemoOrigin: ThrottledOrigin {
    /// Maximum number of log entries in the document.
    private static let recentCount = 100

    /// Returns the origin's state as JSON.
    ///
    /// `{"address","isChangeable","conditions":{"latency","jitter","bandwidth","failureRate","concurrency"},"counts":{…},
    /// "recent":[…]}`. Latency is in milliseconds. Bandwidth is in Mbit/s, `null` for no limit.
    ///
    /// - Parameters:
    ///   - concurrency: The gallery server's limit of simultaneous downloads.
    ///   - isChangeable: Whether the client may change the conditions.
    package func document(concurrency: Int, isChangeable: Bool) -> [UInt8] {
        let log = log
        let conditions = conditions
        var writer = JSONWriter(capacity: 4096)
        writer.object {
            if let url { $0.member("address", url) }
            $0.member("isChangeable", isChangeable)
            $0.member("conditions") {
                $0.object {
                    $0.member("latency", conditions.latency)
                    $0.member("jitter", conditions.jitter)
                    $0.member("bandwidth") {
                        if let bandwidth = conditions.bandwidth { $0.value(bandwidth) } else { $0.null() }
                    }
                    $0.member("failureRate", conditions.failureRate)
                    $0.member("concurrency", concurrency)
                }
            }
            $0.member("counts") {
                $0.object {
                    $0.member("requests", log.requests)
                    $0.member("open", log.open)
                    $0.member("completed", log.completed)
                    $0.member("aborted", log.aborted)
                    $0.member("failed", log.failed)
                    $0.member("bytes", log.bytes)
                    $0.member("wastedBytes", log.wastedBytes)
                    $0.member("peak", log.peak)
                }
            }
            $0.member("recent") {
                $0.array { for entry in log.entries.suffix(Self.recentCount) { entry.write(to: &$0) } }
            }
        }
        return writer.bytes
    }

    /// Changes the conditions that the request names.
    ///
    /// - Throws: 422 with the name of the invalid field.
    package func change(_ reader: FieldReader) throws(Problem) {
        conditions = conditions.changed(by: try Conditions.Changes(reader))
    }

    package func openLane(to catalog: Catalog, share: Double, network: FieldReader?) throws(Problem)
        -> (any OriginLane)?
    {
        let arranged = catalog.items as? ArrangedItems
        guard let pictures = (arranged?.base ?? catalog).items as? DemoCatalog else { return nil }
        var overrides = Conditions.Changes()
        if let network { overrides = try Conditions.Changes(network) }
        let lane = openLane(share: share, overrides: overrides)
        let seen = pictures.through(lane).catalog
        return DemoLane(origin: self, lane: lane, catalog: arranged?.over(seen).catalog ?? seen)
    }
}

extension DemoOrigin.Conditions.Changes {
    /// - Throws: 422 with the name of the invalid field.
    fileprivate init(_ reader: FieldReader) throws(Problem) {
        self.init(
            latency: try reader.number("latency", in: DemoOrigin.Conditions.latencyBounds),
            jitter: try reader.number("jitter", in: DemoOrigin.Conditions.jitterBounds),
            bandwidth: try reader.number("bandwidth", in: DemoOrigin.Conditions.bandwidthBounds),
            failureRate: try reader.number("failureRate", in: DemoOrigin.Conditions.failureRateBounds))
    }
}

/// A lane, and the demo's gallery with pictures that load through the lane.
private struct DemoLane: OriginLane {
    let origin: DemoOrigin
    let lane: DemoOrigin.Lane
    let catalog: Catalog

    var share: Double { lane.share }
    func change(_ network: FieldReader) throws(Problem) {
        lane.override(with: try DemoOrigin.Conditions.Changes(network), on: origin.conditions)
    }
    func close() { lane.close() }
}

extension DemoOrigin.LogEntry {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("number", number)
            $0.member("target", target)
            if let item { $0.member("item", item) }
            $0.member("began", began)
            $0.member("ended", ended)
            $0.member("outcome", outcome.rawValue)
            $0.member("bytes", bytes)
            $0.member("totalBytes", totalBytes)
        }
    }
}
