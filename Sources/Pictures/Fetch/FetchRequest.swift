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
