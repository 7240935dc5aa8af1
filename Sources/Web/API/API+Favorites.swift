import Catalog
import Gallery
import MicroHTTP

// Which pictures of a folder are favourites: kept beside them, where the operator allows it.
extension API {
    func addFavoriteRoutes(to router: inout Router) {
        router.on(.put, "\(APIPath.galleries)/{g}/items/{i}/favorite") { favorite($0, true) }
        router.on(.delete, "\(APIPath.galleries)/{g}/items/{i}/favorite") { favorite($0, false) }
    }

    private func favorite(_ request: Request, _ isFavorite: Bool) -> Reply {
        let folder: FolderCatalog
        let content: GalleryContent
        let item: Item
        do throws(Problem) {
            let gallery = try gallery(request)
            let named = try self.named(request)
            content = named.content
            if let id = named.id, content.catalog.id(named.number) != id {
                throw .moved(named.number, id, field: "/id")
            }
            guard let found = content.item(named.number) else { throw .gone(named) }
            item = found
            guard settings.writesSidecars else {
                throw Problem(
                    403,
                    "Favourites are turned off. To save them in XMP files beside the pictures, start the server with "
                        + "--write-sidecars.")
            }
            guard let source = (gallery.base ?? gallery).source as? FolderCatalog else {
                throw Problem(
                    409,
                    "Favourites are saved in files beside the pictures, and \"\(gallery.title)\" is not a folder."
                )
            }
            folder = source
        } catch {
            return .now(Self.response(error))
        }
        // Reads and writes files.
        return later(in: content.root) { [item, folder] () throws(Problem) in
            do throws(SidecarFailure) {
                try folder.setFavorite(isFavorite, of: item.locator)
            } catch {
                throw Problem(409, "The favourite was not saved: \(error).")
            }
            return Response(status: 204)
        }
    }
}
