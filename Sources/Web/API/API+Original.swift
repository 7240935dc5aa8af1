import Catalog
import Gallery
import MicroHTTP
import PhotoFacts
import Thumbnails

// Downloads a picture's original file, unchanged, or a part of it.
extension API {
    func addOriginalRoutes(to router: inout Router) {
        router.on(.get, "\(APIPath.galleries)/{g}/items/{i}/original") { request in
            let network = gatekeeper.caller(of: request).network
            let range = ByteRange(request)
            return answer(request) { (_, _, item) async throws(Problem) in
                do throws(ItemFailure) {
                    let original = try await thumbnails.original(
                        of: item.originalLocator, for: network, OriginalOptions(range: range))
                    // A file that is no picture is refused, whatever its name.
                    let kind = try original.kind
                    return Self.download(
                        original, range, type: kind.mediaType,
                        name: Self.fileName(item.fileName ?? item.title, kind: kind))
                } catch {
                    throw Problem(error)
                }
            }
        }
        addVideoRoute(to: &router)
    }

    /// Remote content is sent as a download, never shown or run as a page of this server.
    ///
    /// - Parameter range: the part that is asked for; all where there is none.
    static func download(_ original: OriginalPicture, _ range: ByteRange?, type: String, name: String) -> Response {
        let size = original.size
        let part = range.map { $0.bytes(of: size) } ?? 0..<size
        guard let part else {
            return response(Problem(416, "The file has \(size) bytes.")).adding([
                ("Content-Range", "bytes */\(size)"), ("Accept-Ranges", "bytes"),
            ])
        }
        var headers = [
            ("Content-Type", type),
            ("Content-Disposition", "attachment; filename*=UTF-8''\(percentEncoded(name))"),
            ("Content-Security-Policy", "default-src 'none'; sandbox"),
            ("Cache-Control", "private, no-store"),
            ("Accept-Ranges", "bytes"),
        ]
        if range != nil {
            headers.append(("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"))
        }
        let status = range == nil ? 200 : 206
        switch original {
        case .file(let file):
            return Response(
                status: status, headers: headers, file: file.take(), offset: file.offset + part.lowerBound,
                size: part.count)
        case .body(let bytes, let share):
            return Response(status: status, headers: headers, body: bytes[part], keeping: share)
        }
    }

    /// A name as that of a file to be saved, with the ending of what it is where it has none.
    static func fileName(_ given: String, kind: PictureKind) -> String {
        let safe = String(given.map { $0 == "/" || $0 == "\\" ? "_" : $0 })
        let name = safe.isEmpty || safe.hasPrefix(".") ? "picture" + safe : safe
        let endings = kind.fileEndings
        let has = endings.contains { name.lowercased().hasSuffix(".\($0)") }
        return has ? name : "\(name).\(endings[0])"
    }

    /// As RFC 8187 writes a value: what is no letter, digit, `-`, `.`, `_` or `~` by its bytes.
    static func percentEncoded(_ text: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        var result = ""
        for byte in text.utf8 {
            if plain.contains(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }
}

extension OriginalOptions {
    /// Bytes of a part that are read before it is sent.
    private static let mostReadThrough = 8 << 20

    /// - Parameter range: the part of the file that is sent; all where there is none.
    init(range: ByteRange?) {
        self.init()
        guard let range else { return }
        readThrough = { size in range.bytes(of: size)?.prefix(Self.mostReadThrough) ?? 0..<0 }
    }
}

extension PictureKind {
    /// How its files' names end, the usual ending first.
    fileprivate var fileEndings: [String] {
        let raw = ["dng", "cr2", "cr3", "nef", "arw", "raf", "rw2", "orf"]
        switch self {
        case .jpeg: return ["jpg", "jpeg"]
        case .heic: return ["heic", "heif", "hif"]
        // Most RAW files are TIFF, and their first bytes may not tell more.
        case .tiff: return ["tif", "tiff"] + raw
        case .raw: return raw + ["tif", "tiff"]
        case .video: return ["mp4", "mov", "m4v", "3gp"]
        default: return [rawValue.lowercased()]
        }
    }
}
