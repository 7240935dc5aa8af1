import MicroHTTP

/// The requested picture or file.
enum OriginSubject: Sendable {
    case picture(DemoPicture, isKnown: Bool)
    case file(OriginFile)

    /// Index of the item in the gallery, from 0.
    var item: Int? {
        switch self {
        case .picture(let picture, _): picture.number.map { $0 - 1 }
        case .file(let file): file.number
        }
    }

    /// Whether painting takes more than a tenth of a second.
    var isLarge: Bool {
        if case .picture(let picture, _) = self { picture.width * picture.height > 2_000_000 } else { false }
    }

    var seed: UInt64 {
        switch self {
        case .picture(let picture, _): picture.seed
        case .file(let file): UInt64(file.number)
        }
    }
}

/// A file to send unchanged, whole or in part.
struct OriginFile: Sendable {
    let number: Int
    private let bytes: [UInt8]
    private let sendsRanges: Bool
    /// Requested range of bytes, or `nil` for the whole file.
    private let range: Range<Int>?

    init?(_ request: Request, _ configuration: DemoOrigin.Configuration) {
        guard let number = request.parameter("number").flatMap({ Int($0) }), number >= 0, !configuration.files.isEmpty
        else { return nil }
        self.number = number
        bytes = configuration.files[number % configuration.files.count]
        sendsRanges = configuration.sendsRanges
        let isSame = request.header("if-range").map { $0 == Self.tag(number) } ?? true
        range = sendsRanges && isSame ? Self.range(request.header("range"), of: bytes.count) : nil
    }

    private static func tag(_ number: Int) -> String { "\"file-\(number)\"" }

    /// Parses `bytes=0-99` or `bytes=100-`. `nil` for any other text.
    private static func range(_ text: String?, of count: Int) -> Range<Int>? {
        guard let text, text.hasPrefix("bytes=") else { return nil }
        let ends = text.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2, let start = Int(ends[0]), start >= 0, start < count else { return nil }
        guard !ends[1].isEmpty else { return start..<count }
        guard let end = Int(ends[1]), end >= start else { return nil }
        return start..<min(end + 1, count)
    }

    /// Bytes of the response, including its header.
    var response: [UInt8] {
        var lines = [range == nil ? "HTTP/1.1 200 OK" : "HTTP/1.1 206 Partial Content", "Content-Type: image/jpeg"]
        let part = range ?? 0..<bytes.count
        lines.append("Content-Length: \(part.count)")
        if let range { lines.append("Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)") }
        lines.append("ETag: \(Self.tag(number))")
        if sendsRanges { lines.append("Accept-Ranges: bytes") }
        return Array((lines + ["", ""]).joined(separator: "\r\n").utf8) + bytes[part]
    }
}
