/// The origin's validators, which identify one version of a body.
public struct Validators: Sendable, Hashable {
    /// As sent by the origin, including quotes and `W/`.
    public var etag: String?
    /// As sent by the origin, an HTTP date.
    public var lastModified: String?

    public init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }

    public var isEmpty: Bool { etag == nil && lastModified == nil }
}

/// Identifies the content of a picture. Changes if the picture's bytes change.
public struct ContentVersion: HashName {
    public let rawValue: UInt64

    @inlinable public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// - Parameter identity: identity of a file, as returned by ``StoreKey/identity(of:)``.
    public init(identity: String) { self.init(StableHash(identity)) }

    /// Returns `nil` if there are no validators.
    public init?(_ validators: Validators) {
        guard !validators.isEmpty else { return nil }
        self.init(identity: "\(validators.etag ?? "")\n\(validators.lastModified ?? "")")
    }
}

/// A version of a picture at its origin, and the time when the origin last confirmed it.
public struct SourceVersion: Sendable, Equatable {
    public var validators: Validators
    /// Time of the last confirmation, in seconds since 1970.
    public var confirmed: Double
    /// Seconds after ``confirmed`` for which the response is fresh, or `nil` if the origin did not say.
    public var lifetime: Double?

    public init(validators: Validators, confirmed: Double, lifetime: Double? = nil) {
        self.validators = validators
        self.confirmed = confirmed
        self.lifetime = lifetime
    }

    /// Copies the fields that a 304 response updates (RFC 9111, 3.2).
    package mutating func confirm(_ newer: SourceVersion) {
        confirmed = newer.confirmed
        lifetime = newer.lifetime ?? lifetime
        validators.etag = newer.validators.etag ?? validators.etag
        validators.lastModified = newer.validators.lastModified ?? validators.lastModified
    }

    /// Whether the origin may have another version.
    ///
    /// - Parameters:
    ///   - now: time in seconds since 1970.
    ///   - standard: lifetime in seconds if the origin gave none. 0 means that no version becomes stale.
    package func isStale(at now: Double, standard: Double) -> Bool {
        let age = now - confirmed
        // A time in the future means that the clock was set back.
        return standard > 0 && (age > lifetime ?? standard || age < 0)
    }
}
