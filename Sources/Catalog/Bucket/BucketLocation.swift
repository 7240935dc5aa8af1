import Fetch
import Media

/// Location of the pictures in a bucket: `s3://bucket/prefix`, at Amazon or at another service with the same protocol.
public struct BucketLocation: Sendable, Equatable, CustomStringConvertible {
    public let bucket: String
    /// Prefix of the keys. Empty for the whole bucket.
    public let prefix: String
    /// Address of the service, `https://host[:port]`, without a trailing slash.
    public let endpoint: String
    public let region: String

    /// - Parameters:
    ///   - text: `s3://bucket` or `s3://bucket/prefix`. The prefix is a folder if it ends with a slash.
    ///   - endpoint: an `http` or `https` address without a path, or `nil` for Amazon's endpoint in `region`.
    /// - Throws: ``SourceError`` if an argument is invalid.
    public init(_ text: String, endpoint: String? = nil, region: String) throws(SourceError) {
        func problem(_ reason: String) -> SourceError { SourceError(source: text, reason: reason) }
        guard text.hasPrefix(Self.scheme) else { throw problem("is not s3://BUCKET/PREFIX") }
        let rest = text.dropFirst(Self.scheme.count)
        let bucket = rest.prefix { $0 != "/" }
        guard (3...255).contains(bucket.utf8.count), bucket.utf8.allSatisfy(Self.isBucketByte),
            !bucket.allSatisfy({ $0 == "." })
        else { throw problem("has no valid bucket name: at least 3 letters, digits, dots or hyphens") }
        let prefix = rest.dropFirst(bucket.count + 1)
        guard prefix.utf8.count <= 1_024 else { throw problem("has a prefix of more than 1,024 bytes") }
        guard !region.isEmpty, region.utf8.allSatisfy(Self.isBucketByte) else { throw problem("has no valid region") }
        var service = endpoint ?? "https://s3.\(region).amazonaws.com"
        if service.hasSuffix("/") { service.removeLast() }
        guard let url = try? WebURL(service), url.absolute.split(separator: "/").count == 2, !service.contains("?"),
            !service.contains("#")
        else {
            throw problem("cannot be read from \(service): --s3-endpoint must be http://HOST:PORT or https://HOST:PORT")
        }
        (self.bucket, self.prefix, self.region) = (String(bucket), String(prefix), region)
        self.endpoint = String(url.absolute.dropLast(url.absolute.hasSuffix("/") ? 1 : 0))
    }

    static let scheme = "s3://"

    public static func isBucketURL(_ text: String) -> Bool { text.hasPrefix(scheme) }

    public var description: String { "\(Self.scheme)\(bucket)\(prefix.isEmpty ? "" : "/\(prefix)")" }

    /// Title of the gallery: the last folder of the prefix, or the bucket.
    var title: String { prefix.split(separator: "/").last.map(String.init) ?? bucket }

    /// Returns the address of a picture. The fragment is the version: a new picture under the same key has a new address.
    package func url(ofKey key: some Collection<UInt8>, version: String) -> String {
        "\(endpoint)/\(bucket)/\(Self.escaped(key, keeping: "/"))" + (version.isEmpty ? "" : "#\(version)")
    }

    /// Returns the address of a page of the listing. Its query is sorted and fully escaped, as the signature requires.
    package func listing(after token: String?) -> String {
        let start = token.map { "continuation-token=\(Self.escaped($0.utf8))&" } ?? ""
        return "\(endpoint)/\(bucket)?\(start)encoding-type=url&list-type=2&prefix=\(Self.escaped(prefix.utf8))"
    }

    /// Returns a signature for the listing and for keys under the prefix. Other addresses of the service are not signed.
    public func signature(_ credentials: BucketCredentials) -> RequestSignature {
        RequestSignature(
            prefixes: ["\(endpoint)/\(bucket)?", "\(endpoint)/\(bucket)/\(Self.escaped(prefix.utf8, keeping: "/"))"],
            region: region, credentials: credentials)
    }

    /// Escapes all bytes except the unreserved characters of RFC 3986 (2.3), with capital hexadecimal digits. All versions of libcurl and
    /// all services compute the same signature only for this form.
    private static func escaped(_ text: some Collection<UInt8>, keeping kept: String = "") -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        for byte in text {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            case _ where kept.utf8.contains(byte): bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isBucketByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
