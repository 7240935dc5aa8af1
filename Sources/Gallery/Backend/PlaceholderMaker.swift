import Catalog
import PhotoFacts
import Pictures
import Synchronization
import Thumbnails

/// Makes the ThumbHashes that pictures of indexed folders lack, in idle time, and keeps them in the index: a cell shows something of
/// its picture before anybody has seen it.
///
/// Each folder has a task of its own, so that one that does not answer holds up no other. Of the preview in a picture's file a hash
/// takes a millisecond: these go first. Of the others the picture itself is decoded, 10 to 60 ms, one at a time, while nobody waits
/// for one.
package final class PlaceholderMaker: Sendable {
    /// Pictures of one turn; what is wanted meanwhile comes first in the next.
    private static let turn = 32
    /// Lists of items that are wanted, at most; the oldest is dropped.
    private static let mostWanted = 64
    /// Folders whose hashes are made at once.
    private static let mostFolders = 8
    /// How long it waits while others are busy.
    private static let pause = Duration.milliseconds(100)
    private static let size = ThumbnailSize(width: 32, height: 32)

    /// Pictures of a folder, and what is made of them.
    private struct Turn {
        var items: [Int]
        /// Whether those without a preview are decoded.
        var decodes: Bool
    }

    /// How far the pictures of a folder's content have been looked at.
    private struct Place {
        var content: Int
        /// All before it have.
        var item = 0
    }

    private struct State {
        /// Of base contents, by their serials; the last is the next.
        var wanted: [(content: Int, items: ArraySlice<Int>)] = []
        /// By the gallery's id.
        var places: [String: Place] = [:]
        /// Galleries whose previews have all been looked for.
        var arePreviewed: Set<String> = []
        /// Galleries of which something may be to be made, in the order they came; and those that have a task.
        var waiting: [String] = []
        var busy: Set<String> = []
        var isDecoding = false

        mutating func takeWanted(of content: Int, atMost count: Int) -> ArraySlice<Int>? {
            guard let last = wanted.lastIndex(where: { $0.content == content }) else { return nil }
            let items = wanted[last].items.prefix(count)
            wanted[last].items = wanted[last].items.dropFirst(count)
            if wanted[last].items.isEmpty { wanted.remove(at: last) }
            return items
        }

        mutating func takeWaiting() -> String? {
            guard busy.count < PlaceholderMaker.mostFolders,
                let index = waiting.firstIndex(where: { !busy.contains($0) })
            else { return nil }
            let id = waiting.remove(at: index)
            busy.insert(id)
            return id
        }
    }

    private let galleries: GalleryList
    private let service: ThumbnailService
    private let renderer: Renderer
    private let state = Mutex(State())
    /// Something is waiting, or a task has ended.
    private let news = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    package init(galleries: GalleryList, service: ThumbnailService, renderer: Renderer) {
        self.galleries = galleries
        self.service = service
        self.renderer = renderer
        galleries.watchContents { [weak self] in self?.look(at: $0) }
    }

    /// Has the hashes of these items made before others. Never waits.
    package func prefer(_ items: Range<Int>, in content: GalleryContent, of gallery: PictureGallery) {
        let pictures = content.pictures
        guard pictures.catalog.items is FolderListing, !items.isEmpty else { return }
        let items = items.map(content.original)
        state.withLock { state in
            state.wanted.removeAll { $0.content == pictures.serial && $0.items.elementsEqual(items) }
            state.wanted.append((pictures.serial, items[...]))
            if state.wanted.count > Self.mostWanted { state.wanted.removeFirst() }
        }
        look(at: gallery.base ?? gallery)
    }

    private func look(at gallery: PictureGallery) {
        guard gallery.content.catalog.items is FolderListing else { return }
        state.withLock { if !$0.waiting.contains(gallery.id) { $0.waiting.append(gallery.id) } }
        news.continuation.yield()
    }

    package func run() async {
        await withDiscardingTaskGroup { group in
            for await _ in news.stream {
                while let id = state.withLock({ $0.takeWaiting() }) {
                    group.addTask { await self.fill(id) }
                }
            }
        }
    }

    /// Makes what a gallery lacks.
    private func fill(_ id: String) async {
        while !Task.isCancelled, let content = galleries.gallery(id)?.content,
            let listing = content.catalog.items as? FolderListing, let turn = next(in: listing, content, of: id)
        {
            await make(turn, listing, content)
        }
        let isGone = galleries.gallery(id) == nil
        state.withLock { state in
            state.busy.remove(id)
            if isGone {
                state.places[id] = nil
                state.arePreviewed.remove(id)
            }
        }
        news.continuation.yield()
    }

    private func next(in listing: FolderListing, _ content: GalleryContent, of gallery: String) -> Turn? {
        let (catalog, serial) = (content.catalog, content.serial)
        while let wanted = state.withLock({ $0.takeWanted(of: serial, atMost: Self.turn) }) {
            let items = wanted.filter { !listing.itemsLackingThumbHash(in: $0..<$0 + 1, limit: 1).isEmpty }
            if !items.isEmpty { return Turn(items: items, decodes: true) }
        }
        // The facts go first: they are read from the same files.
        guard catalog.isComplete, catalog.factsKnown >= catalog.itemCount else { return nil }
        while true {
            let (place, decodes) = state.withLock { state in
                let known = state.places[gallery].flatMap { $0.content == serial ? $0 : nil }
                return (known ?? Place(content: serial), state.arePreviewed.contains(gallery))
            }
            let items = listing.itemsLackingThumbHash(in: place.item..<listing.itemCount, limit: Self.turn)
            let isLast = items.count < Self.turn
            state.withLock { state in
                let next = isLast ? listing.itemCount : (items.last ?? place.item) + 1
                state.places[gallery] = Place(content: serial, item: next)
                guard isLast, !decodes else { return }
                // From the beginning again, for those without a preview.
                state.arePreviewed.insert(gallery)
                state.places[gallery] = Place(content: serial)
            }
            if !items.isEmpty { return Turn(items: items, decodes: decodes) }
            if decodes { return nil }
        }
    }

    private func make(_ turn: Turn, _ listing: FolderListing, _ content: GalleryContent) async {
        var hashes: [Int: [UInt8]?] = [:]
        let threads = service.queries.threads(for: content.root)
        let stored = try? await threads.run { [service] in service.storedPlaceholders(of: turn.items, in: content) }
        for (item, placeholder) in stored ?? [:] { hashes[item] = .some(placeholder.thumbHash) }
        for item in turn.items where hashes[item] == nil {
            // If its size is not known, the file has no preview, or its metadata has ended its reader. It is not read here.
            guard !Task.isCancelled, let picture = listing.item(item), picture.width != nil,
                case .file(let path, let root) = picture.locator,
                let preview = await service.maker.previews?.preview(in: path, of: root), !preview.thumbHash.isEmpty
            else { continue }
            hashes[item] = .some(preview.thumbHash)
        }
        if turn.decodes {
            for item in turn.items where hashes[item] == nil {
                guard !Task.isCancelled, case .file(let path, let root) = listing.item(item)?.locator,
                    let hash = await whole(path, in: root)
                else { continue }
                hashes[item] = .some(hash.isEmpty ? nil : hash)
            }
        }
        let made = hashes
        if !made.isEmpty { _ = try? await threads.run { listing.keep(made) } }
    }

    /// The hash of a picture that is decoded for it; empty where none can be made, `nil` where it may be tried again.
    private func whole(_ path: String, in root: FolderRoot) async -> [UInt8]? {
        // Nothing is read, either, while others are busy.
        while service.pool.counts.running.total > 0, !Task.isCancelled { try? await Task.sleep(for: Self.pause) }
        do throws(ItemFailure) {
            let bytes = try await service.maker.contents(of: path, in: root, for: Self.size)
            guard await beginDecoding() else { return nil }
            defer { state.withLock { $0.isDecoding = false } }
            do throws(RenderError) {
                return try await renderer.render(bytes, size: Self.size).thumbHash
            } catch {
                return error.retryable ? nil : []
            }
        } catch {
            return error.retryable ? nil : []
        }
    }

    /// Waits until nobody waits for a picture, and none is decoded for another folder.
    ///
    /// - Returns: `false` where the server stops.
    private func beginDecoding() async -> Bool {
        while !Task.isCancelled {
            // Asked outside the lock: the pool may tell sessions of what has finished.
            let isIdle = service.pool.counts.running.total == 0
            let begins = state.withLock { state in
                guard isIdle, !state.isDecoding else { return false }
                state.isDecoding = true
                return true
            }
            if begins { return true }
            try? await Task.sleep(for: Self.pause)
        }
        return false
    }
}
