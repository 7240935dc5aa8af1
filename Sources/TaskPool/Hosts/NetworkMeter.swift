/// Measures an origin's costs from its fetches: time to the first byte, bandwidth of all fetches together, bytes of a picture,
/// time from the last byte to the thumbnail, and the cost of a lost connection. Starts from a guess,
/// which a few fetches outweigh.
public struct NetworkMeter: Sendable, Hashable {
    /// Mean time from request to first byte, in milliseconds.
    public private(set) var latency: Double
    /// Mean bytes of a whole picture.
    public private(set) var itemBytes: Double
    /// Mean time from the last byte to the finished thumbnail, in milliseconds. Starts at 10.
    public private(set) var renderTime = 10.0

    /// Mean rendering time of a picture, in milliseconds. 0 until a picture was rendered.
    public private(set) var renderWork = 0.0

    /// Mean waits for the first byte over open connections and over new ones, in milliseconds.
    private var waitOpen: Double?
    private var waitNew: Double?
    /// Bytes received, and the milliseconds during which at least one fetch was receiving. Both fade.
    private var bytes = 0.0
    private var busy = 0.0
    /// Bytes and busy time of the guess. They fade faster: otherwise, on a 1 Mbit/s link, the guess would still add an eighth after
    /// 12 pictures.
    private var guessedBytes: Double
    private var guessedBusy: Double
    private var receiving = 0
    private var time: Double?

    /// Share of the past that remains after each further fetch. About the last 20 fetches count.
    private static let fading = 0.95
    private static let guessFading = 0.8

    /// - Parameters:
    ///   - latency: The guess, in milliseconds. Default 80.
    ///   - bandwidth: The guess, in bytes a millisecond. Default 3,125 (25 Mbit/s).
    ///   - itemBytes: The guess, in bytes. Default 50,000.
    public init(latency: Double = 80, bandwidth: Double = 3_125, itemBytes: Double = 50_000) {
        self.latency = latency
        self.itemBytes = itemBytes
        guessedBytes = 2 * itemBytes
        guessedBusy = guessedBytes / max(1e-3, bandwidth)
    }

    /// Bytes a millisecond while at least one fetch was receiving.
    public var bandwidth: Double { (bytes + guessedBytes) / max(1e-3, busy + guessedBusy) }

    /// Records that the first byte of a fetch arrived at `now`, `waited` milliseconds after the request.
    public mutating func began(afterWaiting waited: Double, now: Double) {
        pass(to: now)
        receiving += 1
        if waited.isFinite, waited >= 0 { latency += (waited - latency) * (1 - Self.fading) }
    }

    /// How much longer the first byte takes over a new connection, in milliseconds. 0 until both kinds were seen.
    public var connectTime: Double {
        guard let waitOpen, let waitNew else { return 0 }
        return max(0, waitNew - waitOpen)
    }

    /// Records the wait of a fetch whose connection an abort would have closed, as with HTTP/1.1.
    ///
    /// - Parameters:
    ///   - isNew: Whether the connection was opened for this fetch.
    ///   - waited: Milliseconds from request to first byte.
    public mutating func connected(isNew: Bool, waited: Double) {
        guard waited.isFinite, waited >= 0 else { return }
        func mean(_ old: Double?) -> Double { old.map { $0 + (waited - $0) * (1 - Self.fading) } ?? waited }
        if isNew { waitNew = mean(waitNew) } else { waitOpen = mean(waitOpen) }
    }

    /// Records that a thumbnail was finished `duration` milliseconds after its picture's last byte.
    public mutating func rendered(in duration: Double) {
        guard duration.isFinite, duration >= 0 else { return }
        renderTime += (duration - renderTime) * (1 - Self.fading)
    }

    /// Records that rendering a picture took `duration` milliseconds.
    public mutating func worked(_ duration: Double) {
        guard duration.isFinite, duration >= 0 else { return }
        renderWork = renderWork == 0 ? duration : renderWork + (duration - renderWork) * (1 - Self.fading)
    }

    /// Counts bytes of a fetch that has begun. Bytes count as they arrive, because on a narrow link pictures are in flight for
    /// seconds and end in bursts.
    public mutating func received(_ count: Double, now: Double) {
        pass(to: now)
        if count.isFinite, count >= 0 { bytes += count }
    }

    /// Records the end of a fetch that had begun. `received` is its total number of bytes, `whole` whether the picture is complete.
    public mutating func ended(received: Double, whole: Bool, now: Double) {
        pass(to: now)
        receiving = max(0, receiving - 1)
        guard received.isFinite, received >= 0 else { return }
        bytes *= Self.fading
        busy *= Self.fading
        guessedBytes *= Self.guessFading
        guessedBusy *= Self.guessFading
        if whole { itemBytes += (received - itemBytes) * (1 - Self.fading) }
    }

    private mutating func pass(to now: Double) {
        guard now.isFinite else { return }
        if let time, now > time, receiving > 0 { busy += now - time }
        time = max(time ?? now, now)
    }
}
