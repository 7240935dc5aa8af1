import Numbers
import Viewport

#if canImport(Glibc)
    import Glibc
#else
    import Foundation
#endif

/// A simulated origin and the network between page and server. A generator seeded only by the item draws the size and delay of each
/// item, so every policy sees the same origin.
public struct Origin: Sendable, Hashable {
    public static let latencyBounds = 0.0...60_000.0
    public static let jitterBounds = 0.0...3.0
    public static let bandwidthBounds = 0.01...100_000.0
    public static let concurrencyBounds = 1...1_024

    /// Median time from request to first byte, in milliseconds. Default 80, 0 to 60,000.
    public var latency: Double
    /// Sigma of the log-normal factor on the latency. Default 0.35, 0 to 3.
    public var jitter: Double
    /// Bandwidth in Mbit/s, shared equally by the transfers that have begun. Default 25, 0.01 to 100,000.
    public var bandwidth: Double
    /// Number of concurrent fetches. Default 8, 1 to 1,024.
    public var concurrency: Int
    /// Round trip from page to server and back, in milliseconds. Default 20, 0 to 10,000.
    public var roundTrip: Double
    /// Minimum time between two samples for the model, in milliseconds. Default 33, 1 to 10,000.
    public var sampleInterval: Double
    /// The kind of items. Default ``Pictures/small``.
    public var pictures: Pictures
    /// Delays in the server and the page. `nil`, the default, means no such delays.
    public var serving: Serving?

    public enum Pictures: Sendable, Hashable {
        /// Pictures of a web page: 50 kB at the median.
        case small
        /// A camera's files: 80 times as large. Each has a preview in its beginning, which counts as half the picture.
        case photographs
    }

    /// Bytes of a file's beginning that contains the preview.
    private static let headBytes = 69_632.0
    /// Size of a camera's files relative to a web page's pictures.
    private static let photographWeight = 80.0

    /// Bytes needed to show an item's preview, or `nil` if items have none.
    package var previewBytes: Double? { pictures == .photographs ? Self.headBytes : nil }

    /// Clamps values to their ranges. Replaces NaN by the default.
    public init(
        latency: Double = 80, jitter: Double = 0.35, bandwidth: Double = 25, concurrency: Int = 8,
        roundTrip: Double = 20, sampleInterval: Double = 33, pictures: Pictures = .small,
        serving: Serving? = nil
    ) {
        self.latency = latency.clamped(to: Self.latencyBounds, or: 80)
        self.jitter = jitter.clamped(to: Self.jitterBounds, or: 0.35)
        self.bandwidth = bandwidth.clamped(to: Self.bandwidthBounds, or: 25)
        self.concurrency = min(max(concurrency, Self.concurrencyBounds.lowerBound), Self.concurrencyBounds.upperBound)
        self.roundTrip = roundTrip.clamped(to: 0...10_000, or: 20)
        self.sampleInterval = sampleInterval.clamped(to: 1...10_000, or: 33)
        self.pictures = pictures
        self.serving = serving
    }

    /// The three origins on which policies are scored, with server and page delays: middling, far but wide, near but narrow.
    public static let reference = [
        Origin(latency: 80, bandwidth: 25, concurrency: 8, serving: Serving()),
        Origin(latency: 150, bandwidth: 100, concurrency: 16, serving: Serving()),
        Origin(latency: 30, bandwidth: 10, concurrency: 6, serving: Serving()),
    ]

    /// Maximum number of fetches in flight.
    package var slots: Int { min(concurrency, downloads) }

    /// Number of concurrent fetches that the client allows: without `serving`, as many as the origin serves.
    var downloads: Int { serving?.downloads ?? concurrency }

    /// Minimum time between the page's posts: 33 ms, and long enough that one post is in flight (three if the round trip is
    /// longer than 40 ms).
    package var postInterval: Double {
        guard serving != nil else { return sampleInterval }
        return max(sampleInterval, roundTrip > 40 ? roundTrip / 3 : roundTrip)
    }

    /// Earliest time at which the server receives the first post.
    package var opening: Double { (serving?.opening ?? 0) + postDelay }

    /// Delay from a movement until the server has decided.
    package var postDelay: Double { roundTrip / 2 + (serving?.postTime ?? 0) }

    /// Delay from the end of a picture's rendering, or from its last byte without `serving`, until the page shows it.
    package var showDelay: Double { roundTrip / 2 + (serving.map { $0.pushTime + $0.paintTime } ?? 0) }

    package var bytesPerMillisecond: Double { bandwidth * 125 }

    package func picture(_ item: Int) -> Picture {
        var random = SeededRandom(seed: UInt64(bitPattern: Int64(item)))
        let (size, wait) = random.normals()
        let bytes = min(max(50_000 * exp(0.5 * size), 8_000), 400_000)
        return Picture(
            bytes: pictures == .photographs ? bytes * Self.photographWeight : bytes,
            delay: latency * exp(jitter * wait))
    }

    package struct Picture {
        package var bytes: Double
        /// Milliseconds before its first byte.
        package var delay: Double
    }
}
