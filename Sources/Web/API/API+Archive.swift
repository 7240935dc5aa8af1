import Catalog
import Fetch
import Gallery
import JSON
import MicroHTTP

// Downloads the originals of many items as one ZIP file. The response to the request that lists the items contains the file, or a browser
// loads it from an address created for that, so that the browser writes the file to disk.
extension API {
    /// Maximum number of items or ranges in a body whose response is the archive.
    static let maxNamed = 2_000
    /// Maximum number of items or ranges in a body that creates an address.
    static let maxNamedLater = 20_000
    /// Maximum sizes of these two bodies in bytes.
    private static let maxArchiveBody = 64 << 10
    private static let maxDownloadBody = 1 << 20

    var archiveBodyLimit: Int { min(Self.maxArchiveBody, settings.maxBody) }
    var downloadBodyLimit: Int { min(Self.maxDownloadBody, settings.maxBody) }

    func sendArchive(_ request: Request) -> Reply {
        do throws(Problem) {
            let contents = try archived(request, maxNamed: Self.maxNamed)
            return send(contents, try archives.place(for: gatekeeper.caller(of: request).network), to: request)
        } catch {
            return .now(Self.response(error))
        }
    }

    func createDownload(_ request: Request) -> Reply {
        // Parsing a long body takes milliseconds.
        later { () throws(Problem) in try offer(request) }
    }

    func sendDownload(_ request: Request) -> Reply {
        do throws(Problem) {
            return try download(request)
        } catch {
            return .now(Self.response(error))
        }
    }

    /// Creates an address for a single download.
    private func offer(_ request: Request) throws(Problem) -> Response {
        let contents = try archived(request, maxNamed: Self.maxNamedLater)
        let place = try archives.place(for: gatekeeper.caller(of: request).network)
        let id = offers.add(contents, place, node: settings.node)
        let address = "\(APIPath.galleries)/\(Self.percentEncoded(contents.use.gallery.id))/downloads/\(id)"
        var writer = JSONWriter()
        writer.object {
            $0.member("id", id)
            $0.member("archive", address)
            $0.member("itemCount", contents.itemCount)
            $0.member("seconds", Int(ArchiveOffers.lifetime.components.seconds))
        }
        return Self.json(writer.bytes, status: 201, headers: [("Location", address)])
    }

    private func download(_ request: Request) throws(Problem) -> Reply {
        let gallery = try gallery(request)
        let id = request.parameter("d") ?? ""
        let isHead = request.method == .head
        guard let offer = isHead ? offers.look(id, of: gallery) : offers.take(id, of: gallery) else {
            var problem = Problem.unknown("download", id)
            problem.detail +=
                " Its address works once, for \(ArchiveOffers.lifetime.components.seconds) seconds: start the download again."
            throw problem
        }
        if isHead { return .now(Response(headers: Self.archiveHeaders(offer.contents))) }
        return send(offer.contents, offer.place, to: request)
    }

    private func send(_ contents: ArchiveContents, _ place: Downloads.Place, to request: Request) -> Reply {
        let headers = Self.archiveHeaders(contents) + gatekeeper.headers(for: request)
        let head = """
            HTTP/1.1 200 OK\r
            \(headers.map { "\($0.name): \($0.value)\r\n" }.joined())\
            \(request.takesChunks ? "Transfer-Encoding: chunked\r\n" : "")Connection: close\r
            \r

            """
        return .stream(
            .bytes { [thumbnails, archives] stream in
                archives.begin(place, on: stream) {
                    var download = ArchiveDownload(
                        contents,
                        by: PieceSender(thumbnails: thumbnails, downloads: archives, stream: stream, place: place),
                        isChunked: request.takesChunks)
                    return await download.run(head: Array(head.utf8))
                }
            })
    }

    private static func archiveHeaders(_ contents: ArchiveContents) -> [(name: String, value: String)] {
        let gallery = contents.use.gallery
        let name = "\(gallery.title.isEmpty ? gallery.id : gallery.title).zip"
        return [
            ("Content-Type", "application/zip"),
            disposition("attachment", name: name),
            ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "private, no-store"),
            ("Referrer-Policy", "no-referrer"),
        ]
    }

    /// - Throws: 422 with the name of the invalid field, 412 if the gallery has changed, or 404 for an unknown gallery.
    private func archived(_ request: Request, maxNamed: Int) throws(Problem) -> ArchiveContents {
        let id = request.parameter("g") ?? ""
        guard let use = galleries.use(id) else { throw .unknownGallery(id) }
        let content = use.gallery.content
        let reader = try Self.body(request)
        let all = 0..<content.itemCount
        if let revision = try reader.integer("revision", in: 0...Int.max), revision != content.catalog.revision {
            throw Problem(
                412, "The gallery has changed since its revision \(revision): reload it.",
                field: reader.path("revision"))
        }
        let items = try reader.integers("items", in: all, maxCount: maxNamed)
        let ranges = try reader.ranges("ranges", within: all, maxCount: maxNamed)
        guard (items == nil) != (ranges == nil) else {
            throw Problem(422, "Give either items or ranges.", field: reader.path("items"))
        }
        if let ids = try reader.names("ids", ItemID.self, maxCount: maxNamed) {
            guard let items, ids.count == items.count else {
                throw .outOfRange(reader.path("ids"), "as long as items")
            }
            for (place, (item, id)) in zip(items, ids).enumerated() where content.catalog.id(item) != id {
                throw .moved(item, id, field: "\(reader.path("ids"))/\(place)")
            }
        }
        let contents = ArchiveContents(use, content, ranges: ranges ?? items?.map { $0..<$0 + 1 } ?? [])
        guard !contents.ranges.isEmpty else {
            throw .outOfRange(reader.path(items == nil ? "ranges" : "items"), "one item or more in total")
        }
        return contents
    }
}
