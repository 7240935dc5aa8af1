import Media

enum RequestHeaders {
    /// Whether a header can be sent unchanged: its name is a token, and its value has no control character that could
    /// end the line (RFC 9110, 5.1 and 5.5).
    static func isSound(_ name: String, _ value: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(isToken)
            && value.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7f) || $0 == 9 }
    }

    static func requestsRange(_ request: FetchRequest) -> Bool {
        request.headers.contains { $0.name.lowercased() == "range" }
    }

    static func lines(
        _ request: FetchRequest, of hop: Int, to url: WebURL, resume: PartialBody?, range: Int?, accept: String,
        adding originHeaders: [OriginHeader]
    ) -> [String] {
        var headers = request.headers
        let first = hop > 0 ? (try? WebURL(request.url)) : url
        if first?.origin != url.origin {
            headers.removeAll { ["authorization", "cookie", "proxy-authorization"].contains($0.name.lowercased()) }
        }
        for header in originHeaders where header.covers(url, askedFor: first) {
            headers.append((header.name, header.value))
        }
        if !headers.contains(where: { $0.name.lowercased() == "accept" }) { headers.append(("Accept", accept)) }
        if let etag = request.revalidate?.etag { headers.append(("If-None-Match", etag)) }
        if let date = request.revalidate?.lastModified { headers.append(("If-Modified-Since", date)) }
        if let resume {
            headers.append(("Range", "bytes=\(resume.bytes.count)-"))
            headers.append(("If-Range", resume.validator))
        }
        if let range { headers.append(("Range", "bytes=0-\(range - 1)")) }
        // Validators are sent by origins and may be invalid header values. Such headers are left out. libcurl expects a header
        // without a value as "Name;".
        return headers.filter { isSound($0.name, $0.value) }.map { name, value in
            value.isEmpty ? "\(name);" : "\(name): \(value)"
        }
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
