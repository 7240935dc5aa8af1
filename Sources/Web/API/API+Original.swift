import Catalog
import Gallery
import MicroHTTP
import PhotoFacts
import Thumbnails

// Downloads a picture's original file, unchanged.
extension API {
    func addOriginalRoute(to router: inout Router) {
        router.on(.get, "\(APIPath.galleries)/{g}/items/{i}/original") { request in
            let item: Item
            do throws(Problem) {
                guard let index = request.number("i"), let found = try gallery(request).content.item(index) else {
                    throw .unknown("item", request.parameter("i") ?? "")
                }
                item = found
            } catch {
                return .now(Self.response(error))
            }
            let network = gatekeeper.caller(of: request).network
            return .later { [thumbnails] in
                do throws(ItemFailure) {
                    return Self.download(
                        try await thumbnails.original(of: item.locator, for: network),
                        name: item.fileName ?? item.title)
                } catch {
                    return Self.response(Problem(error))
                }
            }
        }
    }

    /// Remote content is sent as a download, never shown or run as a page of this server.
    /// A file that is no picture is refused, whatever its name.
    private static func download(_ original: OriginalPicture, name given: String) -> Response {
        let kind: PictureKind
        do throws(ItemFailure) {
            kind = try original.kind
        } catch {
            return response(Problem(error))
        }
        let name = fileName(given, kind: kind)
        let headers = [
            ("Content-Type", kind.mediaType),
            ("Content-Disposition", "attachment; filename*=UTF-8''\(percentEncoded(name))"),
            ("Content-Security-Policy", "default-src 'none'; sandbox"),
            ("X-Content-Type-Options", "nosniff"),
            ("Cache-Control", "private, no-store"),
        ]
        switch original {
        case .file(let file): return Response(status: 200, headers: headers, file: file.take(), size: file.size)
        case .body(let bytes, let share): return Response(status: 200, headers: headers, body: bytes, keeping: share)
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
