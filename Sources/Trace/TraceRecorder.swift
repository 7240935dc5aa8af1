import DequeModule
import Viewport

/// Keeps the latest samples of a live viewport, to be had as a trace.
public struct TraceRecorder: Sendable {
    /// Samples kept; the oldest are let go. Default 36,000, ten minutes at 60 a second.
    public let capacity: Int
    private var samples = Deque<ScrollSample>()

    /// - Parameter capacity: 1 to 1,000,000; anything else is moved to the nearest bound.
    public init(capacity: Int = 36_000) { self.capacity = min(max(capacity, 1), 1_000_000) }

    /// Adds a sample. One that is not finite, or earlier than the one before, is left out.
    public mutating func append(_ sample: ScrollSample) {
        guard sample.time.isFinite, sample.scrollTop.isFinite else { return }
        if let last = samples.last, sample.time < last.time { return }
        samples.append(sample)
        if samples.count > capacity { samples.removeFirst() }
    }

    /// The recorded trace, time counted from its first sample.
    public func trace(name: String, itemCount: Int, viewport: Size, layout: LayoutOptions) -> Trace {
        let start = samples.first?.time ?? 0
        return Trace(
            name: name, itemCount: itemCount, viewport: viewport, layout: layout,
            samples: samples.map { sample in
                var sample = sample
                sample.time -= start
                return sample
            })
    }
}
