import Catalog
import Synchronization

/// A gallery being served: a source under an id and a title.
public final class PictureGallery: Sendable {
    public let id: String
    public let title: String
    /// Where its contents come from; `nil` for an arrangement, whose contents are made of those of its ``base``.
    package let source: (any CatalogSource)?

    /// The caller that made it through the API; `nil` for one of the server's own, which stays.
    package let maker: Caller?
    /// The gallery it arranges; `nil` where it is no arrangement.
    package let base: PictureGallery?

    private struct State {
        var content: GalleryContent
        var document: [UInt8]?
    }

    private let state: Mutex<State>
    private let uses = Atomic(0)

    /// Whether anyone shows it or is about to: an arrangement is kept for them.
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

    /// The items as they are now.
    package var content: GalleryContent { state.withLock { $0.content } }

    /// The Gallery document of the API. Written once for each content: ten thousand sections take milliseconds.
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

    /// Someone who shows a gallery or is about to. Ends with the last reference.
    package final class Use: Sendable {
        package let gallery: PictureGallery

        package init(_ gallery: PictureGallery) {
            self.gallery = gallery
            gallery.uses.add(1, ordering: .acquiringAndReleasing)
        }

        deinit { gallery.uses.subtract(1, ordering: .acquiringAndReleasing) }
    }
}
