import Viewport

/// The delays in the server and the page, in addition to the network. Without this, the number of concurrent fetches is fixed, and
/// rendering and painting take no time.
///
/// With this, the pool learns how many concurrent fetches the host can serve, as in the server (`AdaptiveLimit`, starting at 8).
/// Workers render pictures, then the server pushes them, and the page decodes and paints them. The page sends no post while nothing
/// changes. It has one post in flight for round trips up to 40 ms and three above, 33 ms apart.
public struct Serving: Sendable, Hashable {
    /// Milliseconds without movement after which the page posts that it is idle.
    static let restDelay = 150.0

    /// Milliseconds from the beginning of the trace to the first post of the viewport. Negative if a page requests its
    /// first screen before it can be scrolled. -60,000 to 60,000.
    public var opening: Double
    /// Milliseconds from a movement until the server has decided, without the network delay. The page posts with the
    /// next frame. 0 to 10,000.
    public var postTime: Double
    /// Milliseconds to render and encode a picture of the usual size. 0 to 10,000.
    public var renderTime: Double
    /// Number of concurrent renders. 1 to 64.
    public var renderWorkers: Int
    /// Milliseconds from the end of rendering until the page has the picture, without the network delay. 0 to 10,000.
    public var pushTime: Double
    /// Milliseconds from then until a cell in view shows the picture: decoding, a frame, and delays by the page's other work.
    /// Also applies to a cell that jumps into view from far away. 0 to 10,000.
    public var paintTime: Double
    /// Maximum number of concurrent fetches from one host, however many the origin serves. 1 to 1,024.
    public var downloads: Int
    /// Latencies that a new connection costs before its first request. 0 if the origin is close, 2 over TLS 1.3
    /// (RFC 8446: one for TCP, one for the handshake), 3 over TLS 1.2. With HTTP/1.1, each aborted fetch loses a connection, and
    /// other connections are reused. 0 to 10.
    public var connecting: Double

    /// Clamps values to their ranges. Replaces NaN by the default.
    ///
    /// The defaults are measurements of tours with real input in Chromium on two cores (`Tests/Benchmarks/live.sh`). A
    /// session requested pictures about 60 ms after the page could first be scrolled, including `postTime`, which is a frame and the
    /// server's share. From the origin's last byte to the page the median was 7 ms, and the 90th percentile 38 ms if many pictures
    /// arrived together for two workers. Pictures were painted 44 ms later. `downloads` is the server's limit, `--max-downloads-per-host`.
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

/// The connections to an HTTP/1.1 origin: one for each fetch in flight. The next fetch reuses it unless the fetch was aborted.
package struct Connections {
    private var idle = 0
    private var used: Set<Int> = []

    package init() {}

    /// - Returns: whether a new connection has to be opened.
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
