/// Measured cost of fetching a picture.
public struct NetworkEstimate: Sendable, Hashable {
    /// Time from the finished thumbnail to the screen, in milliseconds: half a round trip, decoding, a frame and a half. It is
    /// the same for every picture, and only the page could measure it.
    package static let showTime = 30.0

    /// Time from a request to its first byte, in milliseconds.
    public var latency: Double
    /// Bandwidth of all downloads together, in bytes per millisecond (125 is 1 Mbit/s).
    public var bandwidth: Double
    /// Number of parallel downloads.
    public var concurrency: Int
    /// Size of a picture in bytes.
    public var itemBytes: Double
    /// Time from a picture's last byte to the thumbnail on the screen, in milliseconds: rendering, sending, decoding.
    public var overhead: Double
    /// Additional wait of the next fetch after an abort, in milliseconds. HTTP/1.1 loses the connection.
    public var abortCost: Double
    /// Time between two rendered pictures, in milliseconds, if all renderers are busy.
    public var renderInterval: Double
    /// Time from a request to the picture's preview on the screen, in milliseconds. `nil` if nothing is shown before the
    /// picture.
    public var previewTime: Double?
    /// Bytes downloaded for a preview. 0 if previews are read from files.
    public var previewBytes: Double

    /// Creates an estimate. The defaults apply until something has been measured: 80 ms, 25 Mbit/s, 8 parallel downloads, 50 kB
    /// a picture, 40 ms to the screen, no cost of aborts and rendering, no previews.
    public init(
        latency: Double = 80, bandwidth: Double = 3125, concurrency: Int = 8, itemBytes: Double = 50_000,
        overhead: Double = 40, abortCost: Double = 0, renderInterval: Double = 0, previewTime: Double? = nil,
        previewBytes: Double = 0
    ) {
        self.latency = latency
        self.bandwidth = bandwidth
        self.concurrency = concurrency
        self.itemBytes = itemBytes
        self.overhead = overhead
        self.abortCost = abortCost
        self.renderInterval = renderInterval
        self.previewTime = previewTime
        self.previewBytes = previewBytes
    }

    /// This estimate with NaN replaced by its default, except 100 ms for `previewTime`, and extreme values moved to the nearest
    /// sensible one.
    public var sanitized: NetworkEstimate {
        NetworkEstimate(
            latency: latency.clamped(to: 0...60_000, or: 80), bandwidth: bandwidth.clamped(to: 1...1e9, or: 3125),
            concurrency: min(max(concurrency, 1), 1024), itemBytes: itemBytes.clamped(to: 1...1e9, or: 50_000),
            overhead: overhead.clamped(to: 0...10_000, or: 40), abortCost: abortCost.clamped(to: 0...10_000, or: 0),
            renderInterval: renderInterval.clamped(to: 0...10_000, or: 0),
            previewTime: previewTime.map { $0.clamped(to: 0...60_000, or: 100) },
            previewBytes: previewBytes.clamped(to: 0...1e9, or: 0))
    }

    /// Time between two pictures, in milliseconds, if every slot is busy: the longest of sending the bytes, waiting for a slot
    /// and rendering.
    public var itemInterval: Double {
        max(renderInterval, itemBytes / bandwidth, (latency + itemBytes / bandwidth) / Double(max(1, concurrency)))
    }

    /// Time between two previews, in milliseconds, if every slot is busy. 0 for previews read from files.
    public var previewInterval: Double {
        guard previewBytes > 0 else { return 0 }
        return max(previewBytes / bandwidth, (latency + previewBytes / bandwidth) / Double(max(1, concurrency)))
    }

    /// Time from the request of a picture to the screen, in milliseconds, if nothing else is being fetched.
    public var fetchTime: Double { latency + itemBytes / bandwidth + overhead }

    /// Number of pictures between request and screen at full speed (Little's law).
    public var capacity: Double { fetchTime / itemInterval }
}
