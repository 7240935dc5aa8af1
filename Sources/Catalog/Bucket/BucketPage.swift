import Media

/// One page of a bucket's listing: the response to ListObjectsV2.
///
/// The parser searches for the few elements that matter. A page is 250 kB of XML without deeper nesting.
struct BucketPage: Sendable, Equatable {
    struct Object: Sendable, Equatable {
        /// Key as bytes, because a key need not be UTF-8.
        var key: [UInt8]
        /// Entity tag without quotes. Empty if the service sends none.
        var etag: String
    }

    var objects: [Object] = []
    /// Token for the next page, or `nil` after the last page.
    var next: String?

    /// - Throws: ``ListProblem`` if `xml` is not a complete listing.
    init(_ xml: [UInt8]) throws(ListProblem) {
        let page = XMLText(xml, xml.indices)
        guard page.find(Array("<ListBucketResult".utf8), from: 0) != nil,
            page.find(Array("</ListBucketResult>".utf8), from: 0) != nil
        else { throw ListProblem(reason: "the service did not return a listing") }
        let isEscaped = page.element("EncodingType").map { $0 == Array("url".utf8) } ?? false
        if let token = page.element("NextContinuationToken"), !token.isEmpty {
            next = String(decoding: token, as: UTF8.self)
        }
        let tags = (start: Array("<Contents>".utf8), end: Array("</Contents>".utf8))
        var place = 0
        while let start = page.find(tags.start, from: place) {
            guard let end = page.find(tags.end, from: start) else {
                throw ListProblem(reason: "the listing is cut off")
            }
            place = end + tags.end.count
            let entry = XMLText(xml, start + tags.start.count..<end)
            guard var key = entry.element("Key"), !key.isEmpty else { continue }
            if isEscaped { key = Self.unescaped(key) }
            let etag = String(decoding: entry.element("ETag") ?? [], as: UTF8.self)
            objects.append(
                Object(key: key, etag: String(etag.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })))
        }
    }

    /// Decodes a key escaped with `encoding-type=url`. Amazon writes a space as a plus.
    private static func unescaped(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "%"), index + 2 < text.count,
                let value = UInt8(String(decoding: text[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
            {
                result.append(value)
                index += 3
            } else {
                result.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                index += 1
            }
        }
        return result
    }
}
