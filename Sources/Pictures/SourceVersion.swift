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

/// Names the content of a picture: another one if its bytes change.
public struct ContentVersion: HashName {
    public let rawValue: UInt64

    @inlinable public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// - Parameter identity: of a file, as ``StoreKey/identity(of:)`` has it.
    public init(identity: String) { self.init(StableHash(identity)) }

    /// `nil` without validators.
    public init?(_ validators: Validators) {
        guard !validators.isEmpty else { return nil }
        self.init(identity: "\(validators.etag ?? "")\n\(validators.lastModified ?? "")")
    }
}

/// A version of a picture as its origin knows it, and when it was last heard to be the current one.
public struct SourceVersion: Sendable, Equatable {
    public var validators: Validators
    /// Seconds since 1970.
    public var confirmed: Double
    /// Seconds after ``confirmed`` for which the response is fresh, or `nil` if the origin did not say.
    public var lifetime: Double?

    public init(validators: Validators, confirmed: Double, lifetime: Double? = nil) {
        self.validators = validators
        self.confirmed = confirmed
        self.lifetime = lifetime
    }

    /// Takes the fields that a 304 response updates (RFC 9111, 3.2).
    package mutating func confirm(_ newer: SourceVersion) {
        confirmed = newer.confirmed
        lifetime = newer.lifetime ?? lifetime
        validators.etag = newer.validators.etag ?? validators.etag
        validators.lastModified = newer.validators.lastModified ?? validators.lastModified
    }

    /// Whether the origin may have another version at a time in seconds since 1970.
    ///
    /// - Parameter standard: Lifetime in seconds if the origin gave none. 0 means that no version becomes stale.
    package func isStale(at now: Double, standard: Double) -> Bool {
        let age = now - confirmed
        // A time in the future comes from a clock that was set back.
        return standard > 0 && (age > lifetime ?? standard || age < 0)
    }
}
