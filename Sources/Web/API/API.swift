import Catalog
import Gallery
import JSON
import Media
import MicroHTTP
import Threads
import Thumbnails

/// The handlers of ``routes``, for one server's galleries, sessions and thumbnails.
struct API: Sendable {
    let galleries: GalleryList
    let sessions: SessionList
    let thumbnails: ThumbnailService
    let archives: Downloads
    let offers: ArchiveOffers
    /// Originals and videos from folders that are being sent.
    let originals: Downloads
    /// Bytes of all lists that are being uploaded.
    let uploads: ByteBudget
    let placeholders: PlaceholderMaker
    let firstScreens: FirstScreens
    let galleryEvents: GalleryEvents
    let settings: Settings
    let statistics: ServerStatistics
    /// Identifies the caller of a request.
    let gatekeeper: Gatekeeper
    /// Shares galleries with other servers, or `nil` if there are none.
    let sharing: GallerySharing?
    /// Origin that this server runs itself, if any.
    let origin: (any ThrottledOrigin)?
    /// Serves the page's files.
    let page: Page
}

extension API {
    static let jsonType = "application/json"

    static func json(_ body: [UInt8], status: Int = 200, headers: [(name: String, value: String)] = []) -> Response {
        Response(
            status: status, headers: [("Content-Type", jsonType), ("Cache-Control", "no-store")] + headers, body: body)
    }

    /// Returns an error as an RFC 9457 document.
    static func response(_ problem: Problem) -> Response {
        var headers = [("Content-Type", "application/problem+json"), ("Cache-Control", "no-store")]
        if let seconds = problem.retryAfter { headers.append(("Retry-After", String(seconds))) }
        return Response(status: problem.status, headers: headers, body: problem.body)
    }

    /// Responds immediately. For handlers that take microseconds. A thrown problem becomes the response.
    static func respond(_ handler: () throws(Problem) -> Response) -> Reply { .now(result(of: handler)) }

    /// Runs a handler that may block or take long on a separate thread: for files, the database, or thousands of sessions.
    ///
    /// - Parameter root: folder whose files the handler reads, if any.
    func later(
        in root: FolderRoot? = nil, _ work: @escaping @Sendable () throws(Problem) -> Response
    ) -> Reply {
        .later { await respondLater(in: root, work) }
    }

    func respondLater(
        in root: FolderRoot? = nil, _ work: @escaping @Sendable () throws(Problem) -> Response
    ) async -> Response {
        do throws(BlockingThreads.Refusal) {
            return try await thumbnails.queries.threads(for: root).run { Self.result(of: work) }
        } catch {
            return Self.response(Problem(error, in: root))
        }
    }

    /// Returns the handler's response. All errors become documents here.
    static func result(of handler: () throws(Problem) -> Response) -> Response {
        do { return try handler() } catch { return response(error) }
    }

    /// - Throws: 415 if the body is not declared as JSON.
    static func requireJSON(_ request: Request) throws(Problem) {
        guard let type = request.header("Content-Type") else {
            throw Problem(415, "Send the body as Content-Type: application/json.")
        }
        guard type == jsonType || mediaType(type) == jsonType else {
            throw Problem(415, "Send the body as application/json, not \(type.prefix(bytes: 80)).")
        }
    }

    /// Returns the media type in lower case without its parameters.
    static func mediaType(_ header: String) -> String {
        let type = header.prefix { $0 != ";" }
        return type.filter { !$0.isWhitespace }.lowercased()
    }

    static func body(_ request: Request) throws(Problem) -> FieldReader {
        try requireJSON(request)
        return try FieldReader(body: request.body)
    }

    /// Returns an id or version in the query, or `nil` if there is none.
    static func query<Name: HashName>(_ name: String, of request: Request, as _: Name.Type) throws(Problem) -> Name? {
        guard let text = request.query(name) else { return nil }
        guard let value = Name(text) else {
            throw Problem(422, "The query's \(name) must have 11 characters of base64url.", field: "/\(name)")
        }
        return value
    }

    func gallery(_ request: Request) throws(Problem) -> PictureGallery {
        let id = request.parameter("g") ?? ""
        guard let gallery = galleries.gallery(id) else { throw .unknownGallery(id) }
        return gallery
    }

    /// The item that a request names: by number, or by id with the number as a hint.
    struct NamedItem: Sendable {
        let content: GalleryContent
        let number: Int
        let id: ItemID?
    }

    /// Reads the item's number and id. Without an id, the number must exist.
    func named(_ request: Request) throws(Problem) -> NamedItem {
        let content = try gallery(request).content
        let id = try Self.query("id", of: request, as: ItemID.self)
        guard let number = request.number("i"), id != nil || 0..<content.itemCount ~= number else {
            throw .unknown("item", request.parameter("i") ?? "")
        }
        return NamedItem(content: content, number: number, id: id)
    }

    /// Returns the item with the id at its present number. The search may check all items, on a separate thread.
    func found(_ named: NamedItem) async throws(Problem) -> (index: Int, item: Item) {
        let (content, id) = (named.content, named.id)
        var index: Int? = named.number
        if let id, content.catalog.id(named.number) != id { index = try await search(for: id, near: named) }
        guard let index, let item = content.item(index) else { throw .gone(named) }
        return (index, item)
    }

    private func search(for id: ItemID, near named: NamedItem) async throws(Problem) -> Int? {
        do throws(BlockingThreads.Refusal) {
            return try await thumbnails.queries.common.run { named.content.catalog.index(of: id, near: named.number) }
        } catch {
            throw Problem(error)
        }
    }

    /// Finds the item and responds with the result of `body`.
    func respond(
        _ request: Request, _ body: @escaping @Sendable (NamedItem, Int, Item) async throws(Problem) -> Response
    ) -> Reply {
        let named: NamedItem
        do throws(Problem) { named = try self.named(request) } catch { return .now(Self.response(error)) }
        return .later {
            do throws(Problem) {
                let (index, item) = try await found(named)
                return try await body(named, index, item)
            } catch {
                return Self.response(error)
            }
        }
    }

    func session(_ request: Request) throws(Problem) -> Session {
        let id = request.parameter("s") ?? ""
        guard let session = sessions.session(id) else { throw .unknown("session", id) }
        return session
    }
}

extension Problem {
    /// The item is no longer in the gallery.
    static func gone(_ named: API.NamedItem) -> Problem {
        let name = named.id.map { "\($0)" } ?? "\(named.number)"
        return Problem(404, "The picture \"\(name)\" is no longer in this gallery.")
    }

    /// The item number now belongs to another picture than the request expects.
    static func moved(_ item: Int, _ id: ItemID, field: String) -> Problem {
        Problem(412, "Item \(item) is not the picture \"\(id)\" any more: reload the gallery.", field: field)
    }
}
