import Pictures

/// Signs requests to an origin that wants it: AWS Signature Version 4, as libcurl computes it.
public struct BucketCredentials: Sendable, Equatable, CustomStringConvertible {
    public var accessKey: String
    public var secretKey: String
    /// Of credentials that last for a while only.
    public var sessionToken: String?

    public init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
    }

    /// Never the secret: descriptions end in logs.
    public var description: String { "credentials of \(accessKey)" }
}

/// Which requests of a fetcher are signed, and by whom. A redirect that leads elsewhere is not.
public struct RequestSignature: Sendable, Equatable {
    /// The prefix of signed URLs, absolute and escaped as ``WebURL`` has it.
    public var prefixes: [String]
    /// Of the bucket, such as `eu-central-1`.
    public var region: String
    public var credentials: BucketCredentials

    public init(prefixes: [String], region: String, credentials: BucketCredentials) {
        self.prefixes = prefixes
        self.region = region
        self.credentials = credentials
    }

    func covers(_ url: WebURL) -> Bool { prefixes.contains { url.absolute.hasPrefix($0) } }

    /// Headers that libcurl does not add: the digest of no body, which the service wants named, and the session's token.
    var headers: [(name: String, value: String)] {
        [("x-amz-content-sha256", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")]
            + (credentials.sessionToken.map { [("x-amz-security-token", $0)] } ?? [])
    }
}
