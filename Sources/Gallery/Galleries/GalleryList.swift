import Catalog
import Synchronization
import Thumbnails

/// The served galleries, by id and in the order of their addition.
public final class GalleryList: Sendable {
    private struct State {
        var galleries: [PictureGallery] = []
        /// Contents by serial, as long as a gallery or a session holds them.
        var contents: [Int: WeakContent] = [:]
        var watches: [String: Task<Void, Never>] = [:]
        var lastSerial = 0
        var shares: AddressShares
        var onContent: @Sendable (PictureGallery) -> Void = { _ in }
    }

    private struct WeakContent: Sendable { weak var content: GalleryContent? }

    private let state: Mutex<State>
    private let maxGalleries: Int
    package let layouts = LayoutCache()
    private let arranged: ArrangedGalleries
    /// Called when a gallery's items changed, for one change after the other. Changes during a call are merged into one.
    private let onChange: @Sendable (PictureGallery) async -> Void

    public init(
        maxGalleries: Int = Settings.standard.maxGalleries,
        onChange: @escaping @Sendable (PictureGallery) async -> Void = { _ in }
    ) {
        self.maxGalleries = maxGalleries
        arranged = ArrangedGalleries(onChange: onChange)
        state = Mutex(State(shares: AddressShares(of: maxGalleries)))
        self.onChange = onChange
    }

    /// All galleries except arrangements of others.
    public var all: [PictureGallery] { state.withLock { $0.galleries } }

    public func gallery(_ id: String) -> PictureGallery? {
        state.withLock { state in state.galleries.first { $0.id == id } } ?? arranged.gallery(id)
    }

    /// Returns a use of a gallery. An arrangement is not dropped before its use ends.
    package func use(_ id: String) -> PictureGallery.Use? {
        let gallery = state.withLock { state in state.galleries.first { $0.id == id } }
        return gallery.map(PictureGallery.Use.init) ?? arranged.use(id)
    }

    /// Returns an arrangement of a gallery. Equal requests share one arrangement.
    package func arrange(
        _ base: PictureGallery, _ arrangement: Arrangement
    ) async throws(Problem) -> (gallery: PictureGallery, isNew: Bool) {
        try await arranged.arrange(base, of: self, arrangement)
    }

    package func suggestions(
        for text: String, in gallery: PictureGallery
    ) async throws(Problem) -> [FilterSuggestion] {
        try await arranged.suggestions(for: text, in: gallery.base ?? gallery)
    }

    /// Returns the arrangement in which a page opens a gallery by default, if it is already built.
    package func defaultArrangement(of gallery: PictureGallery) -> PictureGallery? {
        gallery.content.defaultArrangement.flatMap { arranged.known($0, of: gallery) }
    }

    func content(serial: Int) -> GalleryContent? { state.withLock { $0.contents[serial]?.content } }

    /// Serves a source under `id`, or under the first free name of `id-2`, `id-3`, … The gallery cannot be deleted through the
    /// API.
    ///
    /// - Throws: ``Problem`` 429 if there are too many galleries.
    @discardableResult
    public func add(
        _ source: any CatalogSource, title: String? = nil, id wanted: String
    ) throws(Problem) -> PictureGallery {
        try add(source, title: title, id: wanted, madeBy: nil)
    }

    /// Serves a list that was uploaded through the API.
    ///
    /// - Parameter maker: the uploader, who may create a quarter of all galleries. `nil` for the server's operator.
    package func add(
        _ source: any CatalogSource, title: String? = nil, id wanted: String, madeBy maker: Caller?
    ) throws(Problem) -> PictureGallery {
        // Gets the stream first. Otherwise a change between reading the catalogue and the start of the stream would be missed.
        let changes = source.changes
        let content = makeContent(of: source.catalog)
        let result: Result<PictureGallery, Problem> = state.withLock { state in
            guard state.galleries.count < maxGalleries else {
                return .failure(
                    Problem(
                        429, "Too many galleries: the limit is \(maxGalleries) (--max-galleries). Delete one first.",
                        retryAfter: 60))
            }
            guard state.shares.take(maker?.network) else {
                return .failure(
                    Problem(
                        429,
                        "Too many galleries from this address: the limit is \(state.shares.maximum), a quarter of "
                            + "--max-galleries. Delete one first.", retryAfter: 60))
            }
            var id = wanted
            var number = 1
            while state.galleries.contains(where: { $0.id == id }) {
                number += 1
                id = "\(wanted)-\(number)"
            }
            let gallery = PictureGallery(
                id: id, title: title ?? content.catalog.title, source: source, content: content, maker: maker)
            state.galleries.append(gallery)
            state.watches[id] = Task { [weak self, weak gallery] in
                for await _ in changes {
                    guard let self, let gallery else { return }
                    let catalog = source.catalog
                    // The revision may already be the current one.
                    guard catalog.revision != gallery.content.catalog.revision else { continue }
                    gallery.replaceContent(self.makeContent(of: catalog))
                    self.notifyContent(of: gallery)
                    self.arranged.follow(gallery, of: self)
                    await self.onChange(gallery)
                }
            }
            return .success(gallery)
        }
        let gallery = try result.get()
        gallery.describe()
        notifyContent(of: gallery)
        return gallery
    }

    /// Watches the contents of galleries.
    ///
    /// - Parameter notify: called now for each existing gallery, and later for each gallery that is new or has a new content.
    func watchContents(_ notify: @escaping @Sendable (PictureGallery) -> Void) {
        let galleries = state.withLock { state in
            state.onContent = notify
            return state.galleries
        }
        for gallery in galleries { notify(gallery) }
    }

    private func notifyContent(of gallery: PictureGallery) { state.withLock { $0.onContent }(gallery) }

    /// Removes a gallery and its arrangements.
    ///
    /// - Returns: the removed gallery, or `nil` if there is none with this id.
    @discardableResult
    public func remove(_ id: String) -> PictureGallery? {
        let removed: PictureGallery? = state.withLock { state in
            guard let index = state.galleries.firstIndex(where: { $0.id == id }) else { return nil }
            state.watches.removeValue(forKey: id)?.cancel()
            state.shares.giveBack(state.galleries[index].maker?.network)
            return state.galleries.remove(at: index)
        }
        if let removed { arranged.forget(of: removed) }
        return removed
    }

    /// Creates a content, which is listed until its last reference is released.
    func makeContent(of catalog: Catalog, isCold: Bool = false) -> GalleryContent {
        register { GalleryContent(catalog: catalog, serial: $0, layouts: layouts, isCold: isCold) }
    }

    func makeContent(_ arranged: ArrangedItems, of base: GalleryContent) -> GalleryContent {
        register { GalleryContent(arranged, of: base, serial: $0, layouts: layouts) }
    }

    private func register(_ make: (_ serial: Int) -> GalleryContent) -> GalleryContent {
        let serial = state.withLock { state in
            state.lastSerial += 1
            return state.lastSerial
        }
        let content = make(serial)
        state.withLock { state in
            state.contents = state.contents.filter { $0.value.content != nil }
            state.contents[serial] = WeakContent(content: content)
        }
        return content
    }

    package func shutdown() {
        layouts.shutdown()
        arranged.shutdown()
    }
}

extension GalleryList: ThumbnailItems {
    package func item(of key: ThumbnailKey) -> (item: Item, isCold: Bool)? {
        guard let content = content(serial: key.content), let item = content.item(key.item) else { return nil }
        return (item.source(for: key.size), content.isCold)
    }

    package func id(of key: ThumbnailKey) -> ItemID? { content(serial: key.content)?.catalog.id(key.item) }

    package func learn(_ key: ThumbnailKey, of item: Item, width: Int, height: Int) {
        content(serial: key.content)?.learn(key.item, of: item, width: width, height: height)
    }
}
