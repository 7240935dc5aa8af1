import Media

/// A received body, or a 304: the caller's version is still current.
public struct FetchResponse: Sendable {
    /// 200...299 or 304. 206 if `body` was joined from a stored part and the rest.
    public var status: Int
    /// Names in lower case. Repeated values are joined by ", ".
    public var headers: [String: String]
    /// The whole body, or its beginning if `stoppedEarly` or `isBeginning`. Empty for 304.
    public var body: [UInt8]
    /// The URL of the last hop.
    public var url: String
    /// Remote address of the last hop's connection.
    public var remote: IPAddress?
    /// Whether the last hop reused a connection.
    public var reusedConnection: Bool
    public var isHTTP2: Bool
    public var redirects: Int
    /// Number of bytes of `body` from an earlier attempt.
    public var resumedAt: Int
    /// Whether `FetchRequest.isEnough` ended the transfer before the body's end.
    public var stoppedEarly: Bool
    /// Whether `body` is only the requested ``FetchRequest/beginning``.
    public var isBeginning = false
    /// Bytes of the whole body, or `nil` if the origin did not announce them.
    public var announced: Int?
    /// Bytes of bodies and headers that crossed the wire for this request, over all hops.
    public var wireBytes: Int
    /// Milliseconds from the start of the last hop to its first byte. `total` is the time to its end.
    public var firstByte: Double
    public var total: Double

    package init(
        status: Int, headers: [String: String], body: [UInt8], url: String, remote: IPAddress? = nil,
        reusedConnection: Bool, isHTTP2: Bool, redirects: Int, resumedAt: Int, stoppedEarly: Bool,
        isBeginning: Bool = false, announced: Int? = nil, wireBytes: Int, firstByte: Double, total: Double
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
        self.remote = remote
        self.reusedConnection = reusedConnection
        self.isHTTP2 = isHTTP2
        self.redirects = redirects
        self.resumedAt = resumedAt
        self.stoppedEarly = stoppedEarly
        self.isBeginning = isBeginning
        self.announced = announced
        self.wireBytes = wireBytes
        self.firstByte = firstByte
        self.total = total
    }

    public var isNotModified: Bool { status == 304 }

    /// Seconds for which the response is fresh, 1 second to 1 year, or `nil` if its headers give no lifetime (RFC 9111, 4.2).
    public var lifetime: Double? {
        func seconds(_ text: Substring) -> Double? {
            let digits = text.trimmingPrefix("\"").prefix { $0 != "\"" }
            guard !digits.isEmpty, digits.utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
            // Larger numbers would become infinite, and their differences NaN.
            return Double(digits).map { min($0, 1e9) }
        }
        func clamped(_ lifetime: Double) -> Double { min(max(lifetime, 1), 31_536_000) }
        var ages: [Substring: Double] = [:]
        for directive in (headers["cache-control"] ?? "").lowercased().split(separator: ",").prefix(64) {
            let parts = directive.split(separator: "=", maxSplits: 1).map { part in
                part.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            }
            // At least 1 second, so that a grid does not request every picture each time it is shown.
            if parts == ["no-cache"] || parts == ["no-store"] { return 1 }
            if parts.count == 2, let age = seconds(parts[1]) { ages[parts[0]] = min(age, ages[parts[0]] ?? age) }
        }
        // Several people share this cache, so `s-maxage` comes first.
        if let age = ages["s-maxage"] ?? ages["max-age"] {
            return clamped(age - (headers["age"].flatMap { seconds($0[...]) } ?? 0))
        }
        guard let expires = headers["expires"], let sent = headers["date"].flatMap(httpDate) else { return nil }
        // A text that is no date, such as "0", counts as in the past.
        return clamped(Double(httpDate(expires) ?? 0) - Double(sent))
    }

    /// Validators for the next `FetchRequest.revalidate`.
    public var validators: Validators {
        Validators(etag: headers["etag"], lastModified: headers["last-modified"])
    }
}
