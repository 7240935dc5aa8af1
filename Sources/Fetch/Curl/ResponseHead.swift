import CCurl
import Glibc
import Media

/// How to use the body that follows a response's headers.
enum BodyUse: Equatable {
    /// There is no body, or its headers have not arrived yet.
    case none
    /// The body is the picture. The bytes before `offset` are already held.
    case keep(offset: Int)
    /// The body belongs to an error status.
    case discard
    /// The body belongs to a redirect to this Location.
    case redirect(String)
    /// The origin cannot send a part, so request the whole again.
    case restart
}

/// Status and headers of one hop, parsed line by line.
struct ResponseHead {
    private(set) var status = 0
    /// Names in lower case. Repeated values are joined by ", ".
    private(set) var fields: [String: String] = [:]
    private(set) var expected: Int?
    /// Bytes of the part that follows, from Content-Range, if only the beginning was requested.
    private(set) var part: Int?
    private var locations = 0

    /// Parses one line. Returns `true` if the line ends the headers of a final (not 1xx) response.
    mutating func add(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        var line = line[...]
        while let last = line.last, last == 10 || last == 13 { line = line.dropLast() }
        guard !line.isEmpty else { return status >= 200 }
        if line.starts(with: "HTTP/".utf8) {
            // "HTTP/1.1 200 OK", "HTTP/2 200". After a 1xx response the next status line starts a new head.
            let words = line.split(separator: 32, maxSplits: 2)
            status = words.count > 1 ? Int(String(decoding: words[1], as: UTF8.self)) ?? 0 : 0
            (fields, locations) = ([:], 0)
        } else if let colon = line.firstIndex(of: 58) {
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            let value = String(decoding: trimmed(line[(colon + 1)...]), as: UTF8.self)
            if name == "location" { locations += 1 }
            fields[name] = fields[name].map { "\($0), \(value)" } ?? value
        }
        return false
    }

    /// Decides how to use the body, and reads its expected length.
    ///
    /// - Parameters:
    ///   - resume: The part of the body that is already held.
    ///   - range: Number of requested bytes of the beginning, or `nil` if the whole was requested.
    mutating func use(for request: FetchRequest, resume: PartialBody?, range: Int? = nil) -> BodyUse {
        switch status {
        case 301, 302, 303, 307, 308:
            // With several locations, the right one is unknown.
            return locations == 1 ? fields["location"].map(BodyUse.redirect) ?? .discard : .discard
        case 304:
            let isConditional =
                !(request.revalidate?.isEmpty ?? true)
                || request.headers.contains { ["if-none-match", "if-modified-since"].contains($0.name.lowercased()) }
            return isConditional ? .none : .discard
        case 206:
            if RequestHeaders.requestsRange(request) {
                expected = length
                return .keep(offset: 0)
            }
            if range != nil { return useOfBeginning() }
            guard let resume else { return .discard }
            guard isIdentity, isStill(resume.validator), let range = contentRange, range.start == resume.bytes.count
            else { return .restart }
            expected = range.whole
            return .keep(offset: range.start)
        case 416 where resume != nil || range != nil:
            return .restart
        case 200..<300:
            expected = isIdentity ? length : nil
            return .keep(offset: 0)
        default:
            return .discard
        }
    }

    private mutating func useOfBeginning() -> BodyUse {
        guard isIdentity, let range = contentRange, range.start == 0, let whole = range.whole else { return .restart }
        expected = whole
        part = range.end + 1
        return .keep(offset: 0)
    }

    /// Whether the response's validator is the same or missing. Checked even though the request had If-Range.
    private func isStill(_ validator: String) -> Bool {
        validator.hasPrefix("\"")
            ? fields["etag"] ?? validator == validator : fields["last-modified"] ?? validator == validator
    }

    var retryAfter: Double? {
        fields["retry-after"].flatMap { RetryAfter.seconds($0, now: time(nil)) }
    }

    /// A validator to resume this body with (RFC 9110, 13.1.5): a strong ETag, or a date that was at
    /// least a minute old when the body was sent. `nil` if the origin does not accept ranges.
    var resumable: String? {
        guard status == 206 || fields["accept-ranges"]?.lowercased() == "bytes", isIdentity else { return nil }
        if let etag = fields["etag"] { return etag.hasPrefix("\"") ? etag : nil }
        guard let modified = fields["last-modified"], let then = httpDate(modified),
            let sent = fields["date"].flatMap(httpDate), sent - then >= 60
        else { return nil }
        return modified
    }

    private var isIdentity: Bool { (fields["content-encoding"] ?? "identity").lowercased() == "identity" }

    private var length: Int? {
        // Repeated lengths are joined by a comma and therefore ignored.
        fields["content-length"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Parses "bytes 100-199/1000": the start of the part, its last byte, and the total length if known. `nil` unless
    /// 0 <= start <= end < whole.
    private var contentRange: (start: Int, end: Int, whole: Int?)? {
        guard let value = fields["content-range"]?.lowercased(), value.hasPrefix("bytes ") else { return nil }
        let parts = value.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, ends.count == 2, let start = Int(ends[0]), let end = Int(ends[1]),
            start >= 0, end >= start
        else { return nil }
        if parts[1] == "*" { return (start, end, nil) }
        guard let whole = Int(parts[1]), whole > end else { return nil }
        return (start, end, whole)
    }

    private func trimmed(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>> {
        var bytes = bytes.drop { $0 == 32 || $0 == 9 }
        while let last = bytes.last, last == 32 || last == 9 { bytes = bytes.dropLast() }
        return bytes
    }
}

/// Parses a Retry-After header (RFC 9110, 10.2.3): seconds, or an HTTP date.
package enum RetryAfter {
    /// - Parameter now: The present, in seconds since 1970.
    /// - Returns: seconds to wait, 0...86,400, or `nil` if the value is malformed.
    package static func seconds(_ value: String, now: Int) -> Double? {
        if !value.isEmpty, value.utf8.allSatisfy({ 48...57 ~= $0 }) {
            return Double(min(Int(value) ?? .max, 86_400))
        }
        guard let date = httpDate(value) else { return nil }
        return Double(min(max(date - now, 0), 86_400))
    }
}

/// Returns the seconds since 1970 of an HTTP date, or `nil` if the text is no date.
func httpDate(_ text: String) -> Int? {
    let seconds = ccurl_date(text)
    return seconds < 0 ? nil : Int(seconds)
}
