/// The `Retry-After` header (RFC 9110, section 10.2.3).
public enum RetryAfter {
    /// Milliseconds from now; nil when it is neither a number of seconds nor a date. A date that has passed is 0.
    ///
    /// - Parameters:
    ///   - text: The value of the header field.
    ///   - unixTime: The present, in seconds since 1970.
    public static func parse(_ text: String, unixTime: Double) -> Double? {
        let text = text.utf8.drop { $0 == 0x20 }
        var digits = text
        while digits.last == 0x20 { digits.removeLast() }
        if !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) {
            guard digits.count <= 9, let seconds = Int(String(Substring(digits))) else { return 1e12 }
            return Double(seconds) * 1e3
        }
        guard let date = date(String(Substring(digits))) else { return nil }
        return max(0, (date - unixTime) * 1e3)
    }

    /// An IMF-fixdate, "Sun, 06 Nov 1994 08:49:37 GMT", in seconds since 1970. The two obsolete forms are not read.
    static func date(_ text: String) -> Double? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[0].hasSuffix(","), parts[5] == "GMT" else { return nil }
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let clock = parts[4].split(separator: ":").compactMap { Int($0) }
        guard let day = Int(parts[1]), (1...31).contains(day), let month = months.firstIndex(of: String(parts[2])),
            let year = Int(parts[3]), (1970...9999).contains(year), clock.count == 3,
            (0..<24).contains(clock[0]), (0..<60).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        let days = days(year, month + 1, day)
        return Double(((days * 24 + clock[0]) * 60 + clock[1]) * 60 + clock[2])
    }

    /// Days since 1970 of a date in the Gregorian calendar (Hinnant, "chrono-compatible low-level date algorithms").
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
