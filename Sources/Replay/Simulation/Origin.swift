import Numbers
import Viewport

#if canImport(Glibc)
    import Glibc
#else
    import Foundation
#endif

/// A simulated origin and the way between page and server. What an item weighs and how long its first byte takes are
/// drawn from a generator seeded by the item alone, so every policy meets the same origin.
public struct Origin: Sendable, Hashable {
    /// In milliseconds.
    public static let latencyBounds = 0.0...60_000.0
    /// A sigma.
    public static let jitterBounds = 0.0...3.0
    /// In Mbit/s.
    public static let bandwidthBounds = 0.01...100_000.0
    /// Fetches at once.
    public static let concurrencyBounds = 1...1_024

    /// Median time from asking to the first byte, in milliseconds. Default 80, 0 to 60,000.
    public var latency: Double
    /// Sigma of the log-normal factor on the latency. Default 0.35, 0 to 3.
    public var jitter: Double
    /// Shared equally by the transfers that have begun, in Mbit/s. Default 25, 0.01 to 100,000.
    public var bandwidth: Double
    /// Fetches at once. Default 8, 1 to 1,024.
    public var concurrency: Int
    /// From page to server and back, in milliseconds. Default 20, 0 to 10,000.
    public var roundTrip: Double
    /// The model hears a sample at most this often, in milliseconds. Default 33, 1 to 10,000.
    public var sampleInterval: Double
    /// The kind of items. Default ``Pictures/small``.
    public var pictures: Pictures
    /// The server and the page at work; nil, the default: both cost nothing.
    public var serving: Serving?

    public enum Pictures: Sendable, Hashable {
        /// A web page's: 50 kB at the median.
        case small
        /// A camera's files: 80 times as heavy, with a preview in the beginning of each, which counts as half the picture.
        case photographs
    }

    /// Bytes of the beginning of a file that its preview is in.
    private static let headBytes = 69_632.0
    /// How much heavier a camera's files are.
    private static let photographWeight = 80.0

    /// Bytes that show an item's preview; `nil` where it has none.
    package var previewBytes: Double? { pictures == .photographs ? Self.headBytes : nil }

    /// Values out of range are moved to the nearest bound; what is not a number becomes the default.
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

    /// The three that policies are scored on, the server and the page at work: middling, far but wide, near but narrow.
    public static let reference = [
        Origin(latency: 80, bandwidth: 25, concurrency: 8, serving: Serving()),
        Origin(latency: 150, bandwidth: 100, concurrency: 16, serving: Serving()),
        Origin(latency: 30, bandwidth: 10, concurrency: 6, serving: Serving()),
    ]

    /// Fetches under way at once, at most.
    package var slots: Int { min(concurrency, downloads) }

    /// Fetches at once that the client allows itself: what the origin serves where it knows that.
    var downloads: Int { serving?.downloads ?? concurrency }

    /// How far apart the page's posts are at least: 33 ms, and as far as one in flight (three where the round trip is
    /// longer than 40 ms) makes them.
    package var postInterval: Double {
        guard serving != nil else { return sampleInterval }
        return max(sampleInterval, roundTrip > 40 ? roundTrip / 3 : roundTrip)
    }

    /// The first post is heard then at the earliest.
    package var opening: Double { (serving?.opening ?? 0) + postDelay }

    /// How late the server hears of a movement.
    package var postDelay: Double { roundTrip / 2 + (serving?.postTime ?? 0) }

    /// From a picture's rendering, or its last byte where nobody renders, until the page shows it.
    package var showDelay: Double { roundTrip / 2 + (serving.map { $0.pushTime + $0.paintTime } ?? 0) }

    /// Bytes a millisecond.
    package var bytesPerMillisecond: Double { bandwidth * 125 }

    /// The size and delay of item `i` here.
    package func picture(_ item: Int) -> Picture {
        var random = SeededRandom(seed: UInt64(bitPattern: Int64(item)))
        let (size, wait) = random.normals()
        let bytes = min(max(50_000 * exp(0.5 * size), 8_000), 400_000)
        return Picture(
            bytes: pictures == .photographs ? bytes * Self.photographWeight : bytes,
            delay: latency * exp(jitter * wait))
    }

    package struct Picture {
        /// Its weight.
        package var bytes: Double
        /// Milliseconds before its first byte.
        package var delay: Double
    }
}
