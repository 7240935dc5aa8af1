import Media

/// Credentials to sign requests to an origin: AWS Signature Version 4, as libcurl computes it.
public struct BucketCredentials: Sendable, Equatable, CustomStringConvertible {
    public var accessKey: String
    public var secretKey: String
    /// Only for temporary credentials.
    public var sessionToken: String?

    public init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
    }

    /// Never contains the secret, because descriptions end up in logs.
    public var description: String { "credentials of \(accessKey)" }
}

/// Which requests of a fetcher are signed, and with which credentials. A redirect to a URL without such a prefix is not signed.
public struct RequestSignature: Sendable, Equatable {
    /// Prefixes of signed URLs, absolute and escaped as in ``WebURL``.
    public var prefixes: [String]
    /// Region of the bucket, such as `eu-central-1`.
    public var region: String
    public var credentials: BucketCredentials

    public init(prefixes: [String], region: String, credentials: BucketCredentials) {
        self.prefixes = prefixes
        self.region = region
        self.credentials = credentials
    }

    func covers(_ url: WebURL) -> Bool { prefixes.contains { url.absolute.hasPrefix($0) } }

    /// Headers that libcurl does not add: the digest of an empty body, which the service requires, and the session token.
    var headers: [(name: String, value: String)] {
        [("x-amz-content-sha256", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")]
            + (credentials.sessionToken.map { [("x-amz-security-token", $0)] } ?? [])
    }
}
