import JSON
import Replay
import Trace
import Viewport

/// Compares a scroll with and without prefetching: it is played twice in the simulator, with prefetching and without, over
/// the network as it was measured. Takes a tenth of a second of a processor.
package struct PrefetchComparison: Sendable {
    /// The longest part of a scroll that is played, from its end, in milliseconds.
    static let longest = 30_000.0
    /// Cells in view, at most.
    static let maxVisible = 1000

    /// Of the scroll that was played, in milliseconds.
    let duration: Double
    let network: NetworkEstimate
    let with: Score
    let without: Score

    /// - Parameter visible: cells in view.
    /// - Throws: 422 where nothing was scrolled, or more is visible than can be played.
    init(_ trace: Trace, policy: PolicyName, network: NetworkEstimate, visible: Int) throws(Problem) {
        var trace = trace
        let end = trace.samples.last?.time ?? 0
        trace.samples.removeAll { $0.time < end - Self.longest }
        guard let first = trace.samples.first, trace.samples.contains(where: { $0.scrollTop != first.scrollTop }) else {
            throw Problem(422, "Nothing was scrolled in the last two minutes; scroll first.")
        }
        guard visible <= Self.maxVisible else {
            throw Problem(422, "\(visible) cells are visible; a comparison takes at most \(Self.maxVisible).")
        }
        let network = network.sanitized
        // The simulator's pictures weigh 50 kB on average: a network for heavier ones is as much narrower.
        let origin = Origin(
            latency: network.latency,
            bandwidth: network.bandwidth / 125 * NetworkEstimate().itemBytes / network.itemBytes,
            concurrency: network.concurrency)
        func play(prefetching: Bool) -> Score {
            Replay.run(trace, origin) {
                ViewportModel(layout: $0, viewport: $1, policy: policy, prefetching: prefetching)
            }
        }
        duration = trace.duration
        self.network = network
        with = play(prefetching: true)
        without = play(prefetching: false)
    }

    /// `{"duration","network":{"latency","bandwidth","concurrency"},"with":{"blankShare","waste"},"without":{…}}`
    package var document: [UInt8] {
        var writer = JSONWriter(capacity: 256)
        writer.object {
            $0.member("duration", duration.rounded())
            $0.member("network") {
                $0.object {
                    $0.member("latency", network.latency.rounded())
                    $0.member("bandwidth", (network.bandwidth / 125 * 100).rounded() / 100)
                    $0.member("concurrency", network.concurrency)
                }
            }
            for (name, score) in [("with", with), ("without", without)] {
                $0.member(name) {
                    $0.object {
                        $0.member("blankShare", (score.blankShare * 1e4).rounded() / 1e4)
                        $0.member("waste", (score.waste * 1e4).rounded() / 1e4)
                    }
                }
            }
        }
        return writer.bytes
    }
}
