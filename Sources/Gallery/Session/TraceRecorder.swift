import DequeModule
import JSON
import Viewport

/// Stores the latest samples of a viewport and writes them as the NDJSON that `lookahead replay` reads.
package struct TraceRecorder: Sendable {
    /// The recorder drops the oldest samples beyond this number.
    package let capacity: Int
    private var samples = Deque<ScrollSample>()

    package init(capacity: Int) { self.capacity = max(capacity, 1) }

    /// Adds a sample. Ignores a sample with a non-finite number, or with an earlier time than the last sample.
    package mutating func append(_ sample: ScrollSample) {
        guard sample.time.isFinite, sample.scrollTop.isFinite else { return }
        if let last = samples.last, sample.time < last.time { return }
        samples.append(sample)
        if samples.count > capacity { samples.removeFirst() }
    }

    package func trace(itemCount: Int, viewport: Size, layout: LayoutOptions) -> SessionTrace {
        SessionTrace(itemCount: itemCount, viewport: viewport, layout: layout, samples: Array(samples))
    }
}

package struct SessionTrace: Sendable {
    let itemCount: Int
    let viewport: Size
    let layout: LayoutOptions
    let samples: [ScrollSample]

    /// The trace as NDJSON: a header line, then one line for each sample. Times are milliseconds since the first sample. Times
    /// and positions have one decimal.
    package var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object {
            $0.member("version", 1)
            $0.member("itemCount", itemCount)
            $0.member("viewport") { writer in
                writer.object {
                    $0.member("width", viewport.width)
                    $0.member("height", viewport.height)
                }
            }
            $0.member("layout") { layout.write(to: &$0) }
        }
        var bytes = writer.bytes + [UInt8(ascii: "\n")]
        let start = samples.first?.time ?? 0
        for sample in samples {
            var writer = JSONWriter(capacity: 48)
            writer.object {
                $0.member("t", (sample.time - start).rounded(to: 1))
                $0.member("y", sample.scrollTop.rounded(to: 1))
                if let phase = sample.phase { $0.member("phase", phase.rawValue) }
                if let hint = sample.hint { $0.member("hint") { Self.write(hint, to: &$0) } }
            }
            bytes += writer.bytes + [UInt8(ascii: "\n")]
        }
        return bytes
    }

    private static func write(_ hint: Hint, to writer: inout JSONWriter) {
        writer.object {
            $0.member("kind", hint.kind.rawValue)
            if let scrollTop = hint.scrollTop { $0.member("scrollTop", scrollTop.rounded(to: 1)) }
            if let item = hint.item { $0.member("item", item) }
            $0.member("confidence", hint.confidence)
        }
    }
}
