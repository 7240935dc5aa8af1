import Catalog
import Gallery
import MicroHTTP
import Pictures

extension API {
    /// Items whose placeholders are sent in one answer.
    static let maxPlaceholders = 1024

    func addPlaceholderRoutes(to router: inout Router) {
        router.on(.get, "\(APIPath.galleries)/{g}/placeholders") { request in
            placeholders(request)
        }
    }

    /// The ThumbHashes of a range of items, ``ThumbHashColumn/stride`` bytes each.
    private func placeholders(_ request: Request) -> Reply {
        let gallery: PictureGallery
        let content: GalleryContent
        let range: Range<Int>
        do throws(Problem) {
            gallery = try self.gallery(request)
            content = gallery.content
            let from = try Self.query("from", of: request, in: 0...Settings.mostItems, default: 0)
            let count = try Self.query("count", of: request, in: 1...Self.maxPlaceholders, default: 256)
            range = min(from, content.itemCount)..<min(from + count, content.itemCount)
        } catch {
            return .now(Self.response(error))
        }
        return later(in: content.root) { [thumbnails, placeholders] in
            placeholders.prefer(range, in: content, of: gallery)
            return Response(
                status: 200,
                headers: [("Content-Type", "application/octet-stream"), ("Cache-Control", "no-store")],
                body: thumbnails.thumbHashes(of: range, in: content))
        }
    }
}
