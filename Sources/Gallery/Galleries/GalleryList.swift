import Catalog
import Synchronization
import Thumbnails

/// The galleries being served, by id and in the order they came.
public final class GalleryList: Sendable {
    private struct State {
        var galleries: [PictureGallery] = []
        /// Contents by serial, for as long as a gallery or a session holds them.
        var contents: [Int: WeakContent] = [:]
        var watches: [String: Task<Void, Never>] = [:]
        var lastSerial = 0
        var shares: AddressShares
        var onContent: @Sendable (PictureGallery) -> Void = { _ in }
    }

    private struct WeakContent: Sendable { weak var content: GalleryContent? }

    private let state: Mutex<State>
    private let maxGalleries: Int
    /// The layouts of all galleries.
    package let layouts = LayoutCache()
    private let arranged: ArrangedGalleries
    /// Told when a gallery's items changed, of one change after the other; changes meanwhile are told of as one.
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

    /// Those that are no arrangements of others.
    public var all: [PictureGallery] { state.withLock { $0.galleries } }

    public func gallery(_ id: String) -> PictureGallery? {
        state.withLock { state in state.galleries.first { $0.id == id } } ?? arranged.gallery(id)
    }

    /// A gallery, which is kept for as long as the use.
    package func use(_ id: String) -> PictureGallery.Use? {
        let gallery = state.withLock { state in state.galleries.first { $0.id == id } }
        return gallery.map(PictureGallery.Use.init) ?? arranged.use(id)
    }

    /// An arrangement of a gallery, the same one for all who ask for the same.
    package func arrange(
        _ base: PictureGallery, _ arrangement: Arrangement
    ) async throws(Problem) -> (gallery: PictureGallery, isNew: Bool) {
        try await arranged.arrange(base, of: self, arrangement)
    }

    /// The parts of a filter that a typed text may mean in a gallery.
    package func suggestions(
        for text: String, in gallery: PictureGallery
    ) async throws(Problem) -> [FilterSuggestion] {
        try await arranged.suggestions(for: text, in: gallery.base ?? gallery)
    }

    /// The arrangement in which a page opens a gallery that is not told otherwise, where it has been made.
    package func defaultArrangement(of gallery: PictureGallery) -> PictureGallery? {
        gallery.content.defaultArrangement.flatMap { arranged.known($0, of: gallery) }
    }

    func content(serial: Int) -> GalleryContent? { state.withLock { $0.contents[serial]?.content } }

    /// Serves a source under `id`, or under the first free of `id-2`, `id-3`, … It cannot be deleted through the API.
    ///
    /// - Throws: ``Problem`` 429 where there are too many galleries.
    @discardableResult
    public func add(
        _ source: any CatalogSource, title: String? = nil, id wanted: String
    ) throws(Problem) -> PictureGallery {
        try add(source, title: title, id: wanted, madeBy: nil)
    }

    /// Serves a list that was sent through the API.
    ///
    /// - Parameter maker: who sent it; may make a quarter of all galleries. `nil` for who runs the server.
    package func add(
        _ source: any CatalogSource, title: String? = nil, id wanted: String, madeBy maker: Caller?
    ) throws(Problem) -> PictureGallery {
        // The stream first: a change between a look at the catalogue and the start of the stream would be missed.
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
                        "Too many galleries from this address: the limit is \(state.shares.most), a quarter of "
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
                    // It may have been shown already.
                    guard catalog.revision != gallery.content.catalog.revision else { continue }
                    gallery.replaceContent(self.makeContent(of: catalog))
                    self.tellContent(of: gallery)
                    self.arranged.follow(gallery, of: self)
                    await self.onChange(gallery)
                }
            }
            return .success(gallery)
        }
        let gallery = try result.get()
        gallery.describe()
        tellContent(of: gallery)
        return gallery
    }

    /// - Parameter tell: told of each gallery that is new or has another content, and now of those that are there.
    func watchContents(_ tell: @escaping @Sendable (PictureGallery) -> Void) {
        let galleries = state.withLock { state in
            state.onContent = tell
            return state.galleries
        }
        for gallery in galleries { tell(gallery) }
    }

    private func tellContent(of gallery: PictureGallery) { state.withLock { $0.onContent }(gallery) }

    /// - Returns: the gallery that was removed.
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

    /// Makes a content, listed until its last reference goes.
    func makeContent(of catalog: Catalog, isCold: Bool = false) -> GalleryContent {
        register { GalleryContent(catalog: catalog, serial: $0, layouts: layouts, isCold: isCold) }
    }

    /// An arrangement of another content's items.
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

    /// Makes no layout and no arrangement any more.
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
