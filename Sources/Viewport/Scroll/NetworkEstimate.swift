/// The cost of fetching a picture, as measured so far.
public struct NetworkEstimate: Sendable, Hashable {
    /// From the finished thumbnail to the screen, in milliseconds: half a round trip, decoding, a frame and a half. Only the
    /// page could tell, and it is the same for every picture.
    package static let showTime = 30.0

    /// From asking to the first byte, in milliseconds.
    public var latency: Double
    /// Of all downloads together, in bytes per millisecond (125 is 1 Mbit/s).
    public var bandwidth: Double
    /// How many downloads run at once.
    public var concurrency: Int
    /// The size of a picture in bytes.
    public var itemBytes: Double
    /// From a picture's last byte to the thumbnail on the screen, in milliseconds: rendering, sending, decoding.
    public var overhead: Double
    /// The extra wait of the next fetch after an abort, in milliseconds: HTTP/1.1 loses the connection.
    public var abortCost: Double
    /// From one rendered picture to the next, in milliseconds, when all that render are busy.
    public var renderInterval: Double
    /// From asking to a picture's preview on the screen, in milliseconds; nil where nothing shows before the picture.
    public var previewTime: Double?
    /// Bytes that are downloaded for a preview; 0 where it is read from a file.
    public var previewBytes: Double

    /// Until something has been measured: 80 ms, 25 Mbit/s, 8 at once, 50 kB a picture, 40 ms to the screen, aborting and
    /// rendering cost nothing, and there are no previews.
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

    /// This estimate with what is not a number, or out of all proportion, moved to the nearest sensible value.
    public var sanitized: NetworkEstimate {
        NetworkEstimate(
            latency: latency.clamped(to: 0...60_000, or: 80), bandwidth: bandwidth.clamped(to: 1...1e9, or: 3125),
            concurrency: min(max(concurrency, 1), 1024), itemBytes: itemBytes.clamped(to: 1...1e9, or: 50_000),
            overhead: overhead.clamped(to: 0...10_000, or: 40), abortCost: abortCost.clamped(to: 0...10_000, or: 0),
            renderInterval: renderInterval.clamped(to: 0...10_000, or: 0),
            previewTime: previewTime.map { $0.clamped(to: 0...60_000, or: 100) },
            previewBytes: previewBytes.clamped(to: 0...1e9, or: 0))
    }

    /// How long after one picture comes the next, in milliseconds, when every slot is busy: whichever is longest of
    /// sending its bytes, waiting for a slot and rendering.
    public var itemInterval: Double {
        max(renderInterval, itemBytes / bandwidth, (latency + itemBytes / bandwidth) / Double(max(1, concurrency)))
    }

    /// The same from one preview to the next: nothing for those in files.
    public var previewInterval: Double {
        guard previewBytes > 0 else { return 0 }
        return max(previewBytes / bandwidth, (latency + previewBytes / bandwidth) / Double(max(1, concurrency)))
    }

    /// How long a picture takes from asking to the screen when nothing else is being fetched, in milliseconds.
    public var fetchTime: Double { latency + itemBytes / bandwidth + overhead }

    /// How many pictures are between asking and the screen when they come as fast as they can: Little's law.
    public var capacity: Double { fetchTime / itemInterval }
}
