import Catalog
import Gallery
import JSON
import MicroHTTP
import Pictures
import Thumbnails

extension API {
    /// Items of one page of the list.
    static let maxItemsPerPage = 1000
    /// Widths a picture may be asked for in, pixels.
    static let pictureWidths = 16...4096

    func addItemRoutes(to router: inout Router) {
        router.on(.get, "\(APIPath.galleries)/{g}/items") { request in
            items(request)
        }
        router.on(.get, "\(APIPath.galleries)/{g}/items/{i}") { request in
            facts(request)
        }
        router.on(.get, "\(APIPath.galleries)/{g}/items/{i}/thumbnail") { request in
            picture(request, defaultWidth: 256)
        }
        router.on(.get, "\(APIPath.galleries)/{g}/items/{i}/image") { request in
            picture(request, defaultWidth: 1600)
        }
    }

    private func items(_ request: Request) -> Reply {
        let content: GalleryContent
        let range: Range<Int>
        do throws(Problem) {
            content = try gallery(request).content
            let from = try Self.query("from", of: request, in: 0...Settings.mostItems, default: 0)
            let count = try Self.query("count", of: request, in: 0...Self.maxItemsPerPage, default: 100)
            range = min(from, content.itemCount)..<min(from + count, content.itemCount)
        } catch {
            return .now(Self.response(error))
        }
        // Looks at every file of a folder, and into the store.
        return later(in: content.root) { [self, content, range] in items(range, of: content) }
    }

    private func items(_ range: Range<Int>, of content: GalleryContent) -> Response {
        let states = states(of: range, in: content)
        let stored = thumbnails.storedPlaceholders(
            of: range.filter { thumbnails.outcome(of: $0, in: content) == nil }, in: content)
        var writer = JSONWriter(capacity: 128 * range.count)
        writer.object {
            $0.member("from", range.lowerBound)
            $0.member("items") {
                $0.array {
                    for index in range {
                        guard let item = content.item(index), let section = content.section(of: index) else { continue }
                        $0.object {
                            $0.member("item", index)
                            if content.isArranged { $0.member("original", content.original(index)) }
                            $0.member("title", item.title)
                            if let file = item.fileName { $0.member("file", file) }
                            $0.member("section", section)
                            if content.catalog.isFavorite(index) { $0.member("favorite", true) }
                            if let duration = content.catalog.duration(index) { $0.member("duration", duration) }
                            if let motion = content.catalog.motion(index) { $0.member("kind", motion.kind) }
                            if let size = content.size(of: index) {
                                $0.member("width", size.width)
                                $0.member("height", size.height)
                            }
                            var placeholder = stored[index]
                            if case .ready(let made) = thumbnails.outcome(of: index, in: content) { placeholder = made }
                            if let placeholder {
                                $0.member("thumbHash", Base64.string(placeholder.thumbHash))
                                if placeholder.isDamaged { $0.member("damaged", true) }
                            }
                            if let color = item.color { $0.member("color", PictureColor.text(color)) }
                            $0.member("state", states[index - range.lowerBound].rawValue)
                        }
                    }
                }
            }
        }
        return Self.json(writer.bytes)
    }

    /// The state of an item's picture: not requested, waiting, in progress, ready, or failed.
    enum ItemState: String { case absent, queued, loading, ready, failed }

    private func states(of range: Range<Int>, in content: GalleryContent) -> [ItemState] {
        var states = range.map { item -> ItemState in
            switch thumbnails.outcome(of: item, in: content) {
            case nil: .absent
            case .ready: .ready
            case .failed: .failed
            }
        }
        for session in sessions.all where session.content === content {
            for (item, isLoading) in session.pending(in: range) {
                states[item - range.lowerBound] = isLoading ? .loading : .queued
            }
        }
        return states
    }

    /// One item's thumbnail, with the urgency of a visible cell; answers when it is ready.
    private func picture(_ request: Request, defaultWidth: Int) -> Reply {
        let content: GalleryContent
        let key: ThumbnailKey
        let host: Int
        do throws(Problem) {
            let (index, item): (Int, Item)
            (content, index, item) = try self.item(request)
            let width = try Self.query("width", of: request, in: Self.pictureWidths, default: defaultWidth)
            key = content.thumbnailKey(index, size: ThumbnailSize(width: width, height: 0))
            host = thumbnails.host(of: item.locator)
        } catch {
            return .now(Self.response(error))
        }
        let ifNoneMatch = request.header("If-None-Match")
        return .later { [thumbnails] in
            // The key names its item for as long as the content is held: the gallery may change or go meanwhile.
            defer { withExtendedLifetime(content) {} }
            do throws(ItemFailure) {
                let thumbnail = try await thumbnails.thumbnail(key, host: host)
                return Self.picture(thumbnail, ifNoneMatch: ifNoneMatch)
            } catch {
                return Self.response(Problem(error))
            }
        }
    }

    private static func picture(_ thumbnail: Thumbnail, ifNoneMatch: String?) -> Response {
        let tag = EntityTag.of(thumbnail.bytes)
        // The picture behind a URL may change, so a browser asks again; a day without asking suits the same item.
        let headers = [("ETag", tag), ("Cache-Control", "private, max-age=86400")]
        if let ifNoneMatch, EntityTag.matches(ifNoneMatch, tag) { return Response(status: 304, headers: headers) }
        return Response(status: 200, headers: headers + [("Content-Type", thumbnail.mediaType)], body: thumbnail.bytes)
    }
}
