import CCurl

/// The value of a Retry-After header (RFC 9110, 10.2.3): seconds, or an HTTP date.
package enum RetryAfter {
    /// - Parameter now: seconds since 1970.
    /// - Returns: seconds to wait, 0...86,400; nil when the value is malformed.
    package static func seconds(_ value: String, now: Int) -> Double? {
        if !value.isEmpty, value.utf8.allSatisfy({ 48...57 ~= $0 }) {
            return Double(min(Int(value) ?? .max, 86_400))
        }
        guard let date = httpDate(value) else { return nil }
        return Double(min(max(date - now, 0), 86_400))
    }
}

/// Seconds since 1970 of a date as HTTP writes it; `nil` where a text is none.
func httpDate(_ text: String) -> Int? {
    let seconds = ccurl_date(text)
    return seconds < 0 ? nil : Int(seconds)
}
