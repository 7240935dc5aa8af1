import Pictures
import Synchronization

/// A URL to fetch, and how much of it to accept.
public struct FetchRequest: Sendable {
    public var url: String
    /// Further request headers. A name or value that could break the header apart fails with `.invalidHeader`.
    /// `Authorization` and `Cookie` do not follow a redirect to another origin.
    public var headers: [(name: String, value: String)] = []
    /// The version the caller holds of this URL; an origin that has nothing newer answers 304.
    public var revalidate: Validators?
    /// The beginning of this body, from an earlier attempt; asked on from there when the origin still has the same one.
    /// Nil: the fetcher looks among the bodies it kept itself.
    public var resume: PartialBody?
    /// Where it is set, no more than the beginning of a long body comes now.
    public var beginning: Beginning?
    /// The most bytes of body, decoded. Nil: `FetchConfiguration.bodyLimit`.
    public var bodyLimit: Int?
    /// Says when the body so far is enough: the rest is not downloaded. Called as bytes come, on the fetcher's thread.
    public var isEnough: StopRule?

    /// How much of a long body comes first. It is kept, so that the next request for the URL goes on where it ends.
    public struct Beginning: Sendable, Hashable {
        /// Bytes.
        public var length: Int
        /// Bytes of the shortest body that is cut; a shorter one comes whole.
        public var leastBody: Int
        /// Whether the beginning alone is asked for, by `Range`. Otherwise the whole body is, and the transfer ends early where
        /// the answer says that the body is long and can be gone on with.
        public var asksForRange: Bool

        public init(length: Int, leastBody: Int, asksForRange: Bool) {
            (self.length, self.leastBody, self.asksForRange) = (max(1, length), leastBody, asksForRange)
        }
    }

    /// - Parameters:
    ///   - body: all bytes so far.
    ///   - expected: the whole body's length, where the origin announced it.
    public typealias StopRule = @Sendable (_ body: Span<UInt8>, _ expected: Int?) -> Bool

    public init(url: String) {
        self.url = url
    }
}

/// The beginning of a body whose transfer ended early.
public struct PartialBody: Sendable {
    public var bytes: [UInt8]
    /// A strong validator, for If-Range: a strong ETag or a date.
    public var validator: String

    public init(bytes: [UInt8], validator: String) {
        self.bytes = bytes
        self.validator = validator
    }
}

extension FetchRequest {
    /// A rule for `isEnough` that ends the download of a progressive JPEG once its thumbnail can be made (see
    /// ``ProgressiveStop``) and at least `saving` bytes are still to come: ending an HTTP/1.1 transfer costs its
    /// connection, which a short rest does not repay. Of any other file nothing is saved.
    ///
    /// The received bytes render with ``RenderOptions/acceptsPartial``.
    ///
    /// - Parameters:
    ///   - size: the box to cover, as it will be asked of the renderer.
    ///   - saving: bytes. Default 64 KiB. Where the length was not announced, the rest is taken for long.
    public static func stop(
        rendering size: ThumbnailSize, limits: RenderLimits = RenderLimits(), saving: Int = 64 << 10
    ) -> StopRule {
        // One fetch calls its rule from one thread; the lock lets the type system know.
        let reader = Mutex((stop: ProgressiveStop(size: size, limits: limits), count: 0))
        return { body, expected in
            reader.withLock { reader in
                // A body shorter than the last is another attempt with the same request.
                if body.count < reader.count { reader = (ProgressiveStop(size: size, limits: limits), 0) }
                body.withUnsafeBufferPointer { _ = reader.stop.append($0[reader.count...]) }
                reader.count = body.count
                if let expected, expected - body.count < saving { return false }
                return reader.stop.isEnough
            }
        }
    }
}
