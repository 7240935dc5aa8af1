import Catalog
import Synchronization

/// A gallery being served: a catalogue under an id and a title.
public final class PictureGallery: Sendable {
    public let id: String
    public let title: String
    public let catalog: any Catalog

    /// Who made it through the API; `nil` for one that came with the server, which stays.
    let maker: Caller?

    private let state: Mutex<GalleryContent>

    init(id: String, title: String, catalog: any Catalog, content: GalleryContent, maker: Caller?) {
        self.maker = maker
        self.id = id
        self.title = title
        self.catalog = catalog
        state = Mutex(content)
    }

    /// The items as they are now.
    var content: GalleryContent { state.withLock { $0 } }

    func replaceContent(_ content: GalleryContent) { state.withLock { $0 = content } }
}
