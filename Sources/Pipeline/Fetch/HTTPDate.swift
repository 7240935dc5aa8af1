import CCurl

/// Dates as HTTP writes them (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    /// Seconds since 1970; nil when malformed.
    static func seconds(_ text: String) -> Int? {
        let seconds = text.hasSuffix(" GMT") ? ccurl_date(text) : -1
        return seconds < 0 ? nil : Int(seconds)
    }
}
