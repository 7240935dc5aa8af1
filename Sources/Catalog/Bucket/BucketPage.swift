import PhotoFacts

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
        let page = xml[...]
        guard Self.range(of: "<ListBucketResult", in: page) != nil,
            Self.range(of: "</ListBucketResult>", in: page) != nil
        else { throw ListProblem(reason: "the service did not return a listing") }
        let isEscaped = Self.text(of: "EncodingType", in: page).map { $0 == Array("url".utf8) } ?? false
        if let token = Self.text(of: "NextContinuationToken", in: page), !token.isEmpty {
            next = String(decoding: token, as: UTF8.self)
        }
        var rest = page
        while let start = Self.range(of: "<Contents>", in: rest) {
            rest = rest[start.upperBound...]
            guard let end = Self.range(of: "</Contents>", in: rest) else {
                throw ListProblem(reason: "the listing is cut off")
            }
            let entry = rest[..<end.lowerBound]
            rest = rest[end.upperBound...]
            guard var key = Self.text(of: "Key", in: entry), !key.isEmpty else { continue }
            if isEscaped { key = Self.unescaped(key) }
            let etag = String(decoding: Self.text(of: "ETag", in: entry) ?? [], as: UTF8.self)
            objects.append(
                Object(key: key, etag: String(etag.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })))
        }
    }

    /// Returns the text of the first element with a name, with entities resolved.
    private static func text(of name: String, in xml: ArraySlice<UInt8>) -> [UInt8]? {
        guard let start = range(of: "<\(name)>", in: xml),
            let end = range(of: "</\(name)>", in: xml[start.upperBound...])
        else { return nil }
        return resolved(xml[start.upperBound..<end.lowerBound])
    }

    private static func range(of tag: String, in bytes: ArraySlice<UInt8>) -> Range<Int>? {
        var rest = bytes
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            if rest[start...].starts(with: tag.utf8) { return start..<start + tag.utf8.count }
            rest = rest[(start + 1)...]
        }
        return nil
    }

    private static func resolved(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard text.contains(UInt8(ascii: "&")) else { return Array(text) }
        var result: [UInt8] = []
        var rest = text
        while let byte = rest.first {
            if byte == UInt8(ascii: "&"), let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")),
                let character = XMLEntity.character(
                    String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)[...])
            {
                result += Array(String(character).utf8)
                rest = rest[(end + 1)...]
            } else {
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return result
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
