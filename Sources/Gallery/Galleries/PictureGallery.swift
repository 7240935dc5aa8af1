import Catalog
import Synchronization

/// A served gallery: a source with an id and a title.
public final class PictureGallery: Sendable {
    public let id: String
    public let title: String
    /// Source of the contents. `nil` for an arrangement, whose contents are built from those of its ``base``.
    package let source: (any CatalogSource)?

    /// The caller that created the gallery through the API. `nil` for the server's own galleries, which cannot be deleted.
    package let maker: Caller?
    /// The gallery that this gallery arranges. `nil` if it is no arrangement.
    package let base: PictureGallery?

    private struct State {
        var content: GalleryContent
        var document: [UInt8]?
    }

    private let state: Mutex<State>
    private let uses = Atomic(0)

    /// Whether any session shows the gallery or is about to. A used arrangement is not dropped.
    package var isUsed: Bool { uses.load(ordering: .acquiring) > 0 }

    init(
        id: String, title: String, source: (any CatalogSource)?, content: GalleryContent, maker: Caller?,
        base: PictureGallery? = nil
    ) {
        self.maker = maker
        self.base = base
        self.id = id
        self.title = title
        self.source = source
        state = Mutex(State(content: content))
    }

    package var content: GalleryContent { state.withLock { $0.content } }

    /// The Gallery document of the API. Encoded once per content, because ten thousand sections take milliseconds.
    package var document: [UInt8] {
        if let document = state.withLock({ $0.document }) { return document }
        return describe()
    }

    func replaceContent(_ content: GalleryContent) {
        let document = written(content)
        state.withLock { $0 = State(content: content, document: document) }
    }

    @discardableResult
    func describe() -> [UInt8] {
        let content = content
        let document = written(content)
        state.withLock { if $0.content === content { $0.document = document } }
        return document
    }

    /// A use of a gallery by a session that shows it or is about to. Ends with the last reference.
    package final class Use: Sendable {
        package let gallery: PictureGallery

        package init(_ gallery: PictureGallery) {
            self.gallery = gallery
            gallery.uses.add(1, ordering: .acquiringAndReleasing)
        }

        deinit { gallery.uses.subtract(1, ordering: .acquiringAndReleasing) }
    }
}
