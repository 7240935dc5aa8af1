/// Identifies one version of a body: its origin's validators.
public struct Validators: Sendable, Hashable {
    /// As sent, quotes and `W/` included.
    public var etag: String?
    /// As sent, an HTTP date.
    public var lastModified: String?

    public init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }

    public var isEmpty: Bool { etag == nil && lastModified == nil }
}

/// A version of a picture as its origin knows it, and when it was last heard to be the current one.
public struct SourceVersion: Sendable, Equatable {
    public var validators: Validators
    /// Seconds since 1970.
    public var confirmed: Double

    public init(validators: Validators, confirmed: Double) {
        self.validators = validators
        self.confirmed = confirmed
    }
}
