import Glibc

/// HTTP dates such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
package enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    package static var now: String { text(Int(time(nil))) }

    /// - Parameter seconds: time since 1970.
    package static func text(_ seconds: Int) -> String {
        var time = time_t(seconds)
        var parts = tm()
        guard gmtime_r(&time, &parts) != nil, days.indices.contains(Int(parts.tm_wday)),
            months.indices.contains(Int(parts.tm_mon))
        else { return "Thu, 01 Jan 1970 00:00:00 GMT" }
        func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return
            "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(Int(parts.tm_year) + 1900) "
            + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }

    /// Returns seconds since 1970, or `nil` if the text is not a date or the date is before 1970. Also reads two formats of old programs:
    /// RFC 850 (`Sunday, 06-Nov-94 08:49:37 GMT`) and C's `asctime` (`Sun Nov  6 08:49:37 1994`).
    package static func seconds(_ text: String) -> Int? {
        var words = text.split { " ,-:".contains($0) }[...]
        guard words.popFirst() != nil else { return nil }
        if words.count == 7, words.last == "GMT" {
            words.removeLast()
        } else if words.count == 6 {
            words = [words[2], words[1], words[6], words[3], words[4], words[5]]
        } else {
            return nil
        }
        guard words.count == 6, let month = months.firstIndex(of: String(words.remove(at: words.startIndex + 1))) else {
            return nil
        }
        let numbers = words.compactMap { Int32($0) }
        guard numbers.count == 5, (1...31).contains(numbers[0]), (0...9999).contains(numbers[1]),
            (0...23).contains(numbers[2]), (0...59).contains(numbers[3]), (0...60).contains(numbers[4])
        else { return nil }
        let year = numbers[1] < 70 ? numbers[1] + 2000 : numbers[1] < 100 ? numbers[1] + 1900 : numbers[1]
        var parts = tm()
        (parts.tm_mday, parts.tm_mon, parts.tm_year) = (numbers[0], Int32(month), year - 1900)
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[2], numbers[3], numbers[4])
        let seconds = timegm(&parts)
        return seconds < 0 ? nil : seconds
    }
}
