import Viewport

/// The delays between an origin and a person beside the network: the server at work, and the page. An origin without it
/// is ideal: its fetches at once are fixed, what has come is rendered and painted in no time.
///
/// With it the pool learns how many fetches at once the host is good for, as the server's does (`AdaptiveLimit`, from 8
/// upwards); pictures are rendered by workers, pushed, decoded and painted; the page is silent while nothing changes, and
/// has one post in flight up to 40 ms of round trip and three above, 33 ms apart.
public struct Serving: Sendable, Hashable {
    /// Milliseconds without movement after which the page posts that it rests.
    static let restDelay = 150.0

    /// Milliseconds from the beginning of the trace to the first post of the viewport; negative where a page asks for its
    /// first screen before it can be scrolled. -60,000 to 60,000.
    public var opening: Double
    /// Milliseconds from a movement until the server has decided, the way between them left out: the page posts with the
    /// next frame. 0 to 10,000.
    public var postTime: Double
    /// Milliseconds that a worker renders and encodes a picture of the usual size. 0 to 10,000.
    public var renderTime: Double
    /// Pictures rendered at once. 1 to 64.
    public var renderWorkers: Int
    /// Milliseconds from there until the page has the picture, the way between them left out. 0 to 10,000.
    public var pushTime: Double
    /// Milliseconds from there until a cell in view shows it: decoding, a frame, and what the page's other work leaves.
    /// The same once a cell is put into view that was nowhere near it. 0 to 10,000.
    public var paintTime: Double
    /// Fetches at once from one host, at most, however many the origin serves. 1 to 1,024.
    public var downloads: Int
    /// Latencies that a new connection costs before its first request: 0 where the origin is next door, 2 over TLS 1.3
    /// (RFC 8446: one for TCP, one for the handshake), 3 over TLS 1.2. HTTP/1.1 loses a connection with each fetch
    /// aborted, and uses the others again. 0 to 10.
    public var connecting: Double

    /// Values out of range are moved to the nearest bound; what is not a number becomes the default.
    ///
    /// The defaults are what tours of real input in Chromium came to on two cores (`Tests/Benchmarks/live.sh`): a
    /// session asked for some 60 ms after the page could first be scrolled, `postTime` included, which is a frame and the
    /// server's share; 7 ms from the origin's last byte to the page at the median, 38 at the 90th percentile when many
    /// come at once, for two workers; painted 44 ms after that. The server's own limit is that of
    /// `--max-downloads-per-host`.
    public init(
        opening: Double = 40, postTime: Double = 20, renderTime: Double = 5, renderWorkers: Int = 2,
        pushTime: Double = 2,
        paintTime: Double = 44, downloads: Int = 16, connecting: Double = 0
    ) {
        self.opening = opening.clamped(to: -60_000...60_000, or: 40)
        self.postTime = postTime.clamped(to: 0...10_000, or: 20)
        self.renderTime = renderTime.clamped(to: 0...10_000, or: 5)
        self.renderWorkers = min(max(renderWorkers, 1), 64)
        self.pushTime = pushTime.clamped(to: 0...10_000, or: 2)
        self.paintTime = paintTime.clamped(to: 0...10_000, or: 44)
        self.downloads = min(max(downloads, 1), 1_024)
        self.connecting = connecting.clamped(to: 0...10, or: 0)
    }
}

/// The connections to an HTTP/1.1 origin: one for each fetch under way, kept for the next unless the fetch was aborted.
package struct Connections {
    private var idle = 0
    private var used: Set<Int> = []

    package init() {}

    /// - Returns: whether a new one has to be opened.
    package mutating func take(for item: Int) -> Bool {
        used.insert(item)
        guard idle > 0 else { return true }
        idle -= 1
        return false
    }

    package mutating func end(_ item: Int, isWhole: Bool) {
        guard used.remove(item) != nil, isWhole else { return }
        idle += 1
    }
}
