import Media
import Synchronization

/// A URL to fetch, and how much of it to accept.
public struct FetchRequest: Sendable {
    public var url: String
    /// Further request headers. A name or value that could break the header format fails with `.invalidHeader`.
    /// `Authorization` and `Cookie` are not sent after a redirect to another origin.
    public var headers: [(name: String, value: String)] = []
    /// Validators of the caller's version of this URL. An origin without a newer version responds with 304.
    public var revalidate: Validators?
    /// The beginning of this body, from an earlier attempt. The fetcher continues from there if the origin still has the same body.
    /// If `nil`, the fetcher looks for a part that it stored itself.
    public var resume: PartialBody?
    /// If set, only the beginning of a long body is downloaded now.
    public var beginning: Beginning?
    /// Maximum bytes of the decoded body. If `nil`, `FetchConfiguration.bodyLimit` applies.
    public var bodyLimit: Int?
    /// Decides when the body so far is enough, to end the download early. Called as bytes arrive, on the fetcher's thread.
    public var isEnough: StopRule?

    /// How much of a long body to download first. The fetcher stores the bytes, so that the next request for the URL continues there.
    public struct Beginning: Sendable, Hashable {
        /// Length of the beginning, in bytes.
        public var length: Int
        /// Size of the shortest body that is cut, in bytes. Shorter bodies are downloaded whole.
        public var minimumBody: Int
        /// Whether to request only the beginning, by `Range`. Otherwise the whole body is requested, and the transfer ends early if
        /// the response says that the body is long and can be resumed.
        public var requestsRange: Bool

        public init(length: Int, minimumBody: Int, requestsRange: Bool) {
            (self.length, self.minimumBody, self.requestsRange) = (max(1, length), minimumBody, requestsRange)
        }
    }

    /// - Parameters:
    ///   - body: All bytes so far.
    ///   - expected: Length of the whole body, or `nil` if the origin did not announce it.
    public typealias StopRule = @Sendable (_ body: Span<UInt8>, _ expected: Int?) -> Bool

    public init(url: String) {
        self.url = url
    }
}

/// The beginning of a body whose transfer ended early.
public struct PartialBody: Sendable {
    public var bytes: [UInt8]
    /// A strong validator for If-Range: a strong ETag or a date.
    public var validator: String

    public init(bytes: [UInt8], validator: String) {
        self.bytes = bytes
        self.validator = validator
    }
}

extension FetchRequest {
    /// Returns a rule for `isEnough` that ends the download of a progressive JPEG early. The download ends once the thumbnail can be
    /// made (see ``ProgressiveStop``) and at minimum `saving` bytes are missing. Ending an HTTP/1.1 transfer closes its connection,
    /// and a short rest is not worth a new connection. Downloads of other files never end early.
    ///
    /// The received bytes render with ``RenderOptions/acceptsPartial``.
    ///
    /// - Parameters:
    ///   - size: The box to cover, as passed to the renderer.
    ///   - saving: Minimum bytes to save. Default 64 KiB. If the length was not announced, the rest counts as long enough.
    public static func stop(
        rendering size: ThumbnailSize, limits: RenderLimits = RenderLimits(), saving: Int = 64 << 10
    ) -> StopRule {
        // Only one thread calls the rule of a fetch, so the lock never waits. It makes the closure sendable.
        let reader = Mutex((stop: ProgressiveStop(size: size, limits: limits), count: 0))
        return { body, expected in
            reader.withLock { reader in
                // A shorter body than before belongs to a new attempt of the same request.
                if body.count < reader.count { reader = (ProgressiveStop(size: size, limits: limits), 0) }
                body.withUnsafeBufferPointer { _ = reader.stop.append($0[reader.count...]) }
                reader.count = body.count
                if let expected, expected - body.count < saving { return false }
                return reader.stop.isEnough
            }
        }
    }
}
