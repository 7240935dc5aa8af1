/// What fetching a picture costs, as measured so far.
public struct NetworkEstimate: Sendable, Hashable {
    /// From asking to the first byte, in milliseconds.
    public var latency: Double
    /// Of all downloads together, in bytes per millisecond (125 is 1 Mbit/s).
    public var bandwidth: Double
    /// How many downloads run at once.
    public var concurrency: Int
    /// What a picture weighs, in bytes.
    public var itemBytes: Double

    /// Until something has been measured: 80 ms, 25 Mbit/s, 8 at once, 50 kB a picture.
    public init(
        latency: Double = 80, bandwidth: Double = 3125, concurrency: Int = 8, itemBytes: Double = 50_000
    ) {
        self.latency = latency
        self.bandwidth = bandwidth
        self.concurrency = concurrency
        self.itemBytes = itemBytes
    }

    /// This estimate with what is not a number, or out of all proportion, moved to the nearest sensible value.
    public var sanitized: NetworkEstimate {
        NetworkEstimate(
            latency: latency.clamped(to: 0...60_000, or: 80), bandwidth: bandwidth.clamped(to: 1...1e9, or: 3125),
            concurrency: min(max(concurrency, 1), 1024), itemBytes: itemBytes.clamped(to: 1...1e9, or: 50_000))
    }

    /// How long after one picture comes the next, in milliseconds, when every slot is busy: whichever is longer of
    /// sending its bytes and waiting for a slot.
    public var itemInterval: Double {
        max(itemBytes / bandwidth, (latency + itemBytes / bandwidth) / Double(max(1, concurrency)))
    }

    /// How long a picture takes when nothing else is being fetched, in milliseconds.
    public var fetchTime: Double { latency + itemBytes / bandwidth }
}
