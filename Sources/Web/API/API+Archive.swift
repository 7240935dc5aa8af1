import Catalog
import Gallery
import MicroHTTP

// Downloads the originals of many items as one ZIP file.
extension API {
    /// Items of one archive.
    static let maxArchived = 10_000
    /// Items, or ranges, that a body names.
    private static let maxNamed = 2_000
    /// Bytes of a body.
    private static let maxArchiveBody = 64 << 10

    func addArchiveRoute(to router: inout Router) {
        router.on(
            .post, "\(APIPath.galleries)/{g}/archive", bodyLimit: min(Self.maxArchiveBody, settings.maxBody)
        ) { request in archive(request) }
    }

    private func archive(_ request: Request) -> Reply {
        let gallery: PictureGallery
        let content: GalleryContent
        let items: [Int]
        let place: Archives.Place
        do throws(Problem) {
            gallery = try self.gallery(request)
            content = gallery.content
            items = try Self.archived(try Self.body(request), itemCount: content.itemCount)
            place = try archives.place(for: gatekeeper.caller(of: request).network)
        } catch {
            return .now(Self.response(error))
        }
        let shared = gatekeeper.headers(for: request).map { "\($0.name): \($0.value)\r\n" }.joined()
        let name = "\(gallery.title.isEmpty ? gallery.id : gallery.title).zip"
        let head = """
            HTTP/1.1 200 OK\r
            Content-Type: application/zip\r
            Content-Disposition: attachment; filename*=UTF-8''\(Self.percentEncoded(name))\r
            X-Content-Type-Options: nosniff\r
            Cache-Control: private, no-store\r
            \(shared)\(request.takesChunks ? "Transfer-Encoding: chunked\r\n" : "")Connection: close\r
            \r

            """
        return .stream(
            .bytes { [thumbnails, archives] stream in
                let download = ArchiveDownload(
                    items: items, content: content, thumbnails: thumbnails, archives: archives, stream: stream,
                    place: place,
                    isChunked: request.takesChunks)
                archives.begin(place, on: stream) { await download.run(head: Array(head.utf8)) }
            })
    }

    /// The items that are named, each once.
    ///
    /// - Throws: 422 that names the field.
    private static func archived(_ reader: FieldReader, itemCount: Int) throws(Problem) -> [Int] {
        let items = try reader.integers("items", in: 0..<itemCount, maxCount: maxNamed)
        let ranges = try reader.ranges("ranges", within: 0..<itemCount, maxCount: maxNamed)
        guard (items == nil) != (ranges == nil) else {
            throw Problem(422, "Give either items or ranges.", field: reader.path("items"))
        }
        let count = items?.count ?? ranges?.reduce(0) { $0 + $1.count } ?? 0
        let field = reader.path(items == nil ? "ranges" : "items")
        guard 1...maxArchived ~= count else {
            throw .outOfRange(field, "1 to \(maxArchived) items in total")
        }
        var named: Set<Int> = []
        return (items ?? ranges?.flatMap(Array.init) ?? []).filter { named.insert($0).inserted }
    }
}
