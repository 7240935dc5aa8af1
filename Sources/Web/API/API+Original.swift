import Catalog
import Gallery
import Media
import MicroHTTP
import Thumbnails

// Downloads a picture's unchanged original file, or a part of it.
extension API {
    func original(_ request: Request) -> Reply {
        let network = gatekeeper.caller(of: request).network
        let range = ByteRange(request)
        return respond(request) { (_, _, item) async throws(Problem) in
            let original: OriginalPicture
            let kind: PictureKind
            do throws(ItemFailure) {
                original = try await thumbnails.original(of: item.originalLocator, for: network)
                // A file that is not a picture is refused, regardless of its name.
                kind = try original.kind(named: item.fileName ?? item.title)
            } catch {
                throw Problem(error)
            }
            return try download(
                original, range, type: kind.mediaType, name: Self.fileName(item.fileName ?? item.title, kind: kind),
                for: network)
        }
    }

    /// Sends remote content as a download, which a browser never shows or runs as a page of this server.
    ///
    /// - Parameter range: requested part, or `nil` for the whole file.
    /// - Throws: 429 if too many originals are being sent.
    func download(
        _ original: OriginalPicture, _ range: ByteRange?, type: String, name: String, for network: String?
    ) throws(Problem) -> Response {
        let size = original.size
        let part = range.map { $0.bytes(of: size) } ?? 0..<size
        guard let part else {
            return Self.response(Problem(416, "The file has \(size) bytes.")).adding([
                ("Content-Range", "bytes */\(size)"), ("Accept-Ranges", "bytes"),
            ])
        }
        var headers = [
            ("Content-Type", type),
            Self.disposition("attachment", name: name),
            ("Content-Security-Policy", "default-src 'none'; sandbox"),
            ("Cache-Control", "private, no-store"),
            ("Accept-Ranges", "bytes"),
        ]
        if range != nil {
            headers.append(("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"))
        }
        let status = range == nil ? 200 : 206
        switch original {
        case .file:
            let place = try originals.place(for: network)
            return Response(status: status, headers: headers, size: part.count) { [thumbnails, originals] stream in
                let sender = PieceSender(thumbnails: thumbnails, downloads: originals, stream: stream, place: place)
                originals.begin(place, on: stream) { await sender.sendBody(part, of: original) }
            }
        case .body(let bytes, let share):
            return Response(status: status, headers: headers, body: bytes[part], keeping: share)
        }
    }

    /// Returns a safe file name, with an extension of the given kind added if the name has none.
    static func fileName(_ given: String, kind: PictureKind) -> String {
        var safe = String(given.map { $0 == "/" || $0 == "\\" ? "_" : $0 })
        while let last = safe.last, last == " " || last == "." { safe.removeLast() }
        let name = safe.isEmpty || safe.hasPrefix(".") ? "picture" + safe : safe
        let endings = kind.fileEndings
        let has = endings.contains { name.lowercased().hasSuffix(".\($0)") }
        return has ? name : "\(name).\(endings[0])"
    }

    /// Returns the header with a response's file name (RFC 6266).
    ///
    /// - Parameter type: `attachment` to save the file, `inline` to show it.
    static func disposition(_ type: String, name: String) -> (String, String) {
        ("Content-Disposition", "\(type); filename*=UTF-8''\(percentEncoded(name))")
    }

    private static let plainBytes = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

    /// Percent-encodes a value (RFC 8187): all bytes except letters, digits, `-`, `.`, `_` and `~`.
    static func percentEncoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            if plainBytes.contains(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }
}

extension PictureKind {
    /// File name extensions of this kind, the usual one first.
    fileprivate var fileEndings: [String] {
        let raw = PictureName.rawEndings
        switch self {
        case .jpeg: return ["jpg", "jpeg"]
        case .heic: return ["heic", "heif", "hif"]
        // Most RAW files are TIFF files, and their first bytes may not show the difference.
        case .tiff: return ["tif", "tiff"] + raw
        case .raw: return raw + ["tif", "tiff"]
        case .video: return ["mp4", "mov", "m4v", "3gp"]
        default: return [rawValue.lowercased()]
        }
    }
}
