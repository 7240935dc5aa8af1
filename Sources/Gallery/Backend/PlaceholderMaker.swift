import Catalog
import Media
import Synchronization
import Thumbnails

/// Computes missing ThumbHashes of pictures in indexed folders in idle time and stores them in the index, so that a cell shows
/// something of its picture before anybody has viewed the picture.
///
/// Each folder has its own task, so that a folder that does not respond holds up no other. A hash from an embedded preview
/// takes a millisecond, so pictures with previews go first. Other pictures are decoded, which takes 10 to 60 ms. They are
/// decoded one at a time, while no viewer waits for a picture.
package final class PlaceholderMaker: Sendable {
    /// Number of pictures in one turn. Items wanted during a turn go first in the next turn.
    private static let turn = 32
    /// Maximum number of lists of wanted items. The oldest list is dropped.
    private static let maximumWanted = 64
    private static let maximumFolders = 8
    /// Interval between checks whether the pool is idle.
    private static let pause = Duration.milliseconds(100)
    private static let size = ThumbnailSize(width: 32, height: 32)

    private struct Turn {
        var items: [Int]
        /// Whether pictures without a preview are decoded.
        var decodes: Bool
    }

    /// The progress through the pictures of a folder's content.
    private struct Place {
        var content: Int
        /// The next item. All earlier items are done.
        var item = 0
    }

    private struct State {
        /// Wanted items of base contents, by the contents' serials. The last list is processed first.
        var wanted: [(content: Int, items: ArraySlice<Int>)] = []
        var places: [String: Place] = [:]
        /// Galleries whose previews have all been checked.
        var arePreviewed: Set<String> = []
        /// Galleries that may lack hashes, in the order of arrival.
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
            guard busy.count < PlaceholderMaker.maximumFolders,
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
    /// Signals that a gallery is waiting or a task has ended.
    private let news = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    package init(galleries: GalleryList, service: ThumbnailService, renderer: Renderer) {
        self.galleries = galleries
        self.service = service
        self.renderer = renderer
        galleries.watchContents { [weak self] in self?.look(at: $0) }
    }

    /// Prefers the hashes of these items over others. Never waits.
    package func prefer(_ items: Range<Int>, in content: GalleryContent, of gallery: PictureGallery) {
        let base = content.base
        guard base.catalog.items is FolderListing, !items.isEmpty else { return }
        let items = items.map(content.original)
        state.withLock { state in
            state.wanted.removeAll { $0.content == base.serial && $0.items.elementsEqual(items) }
            state.wanted.append((base.serial, items[...]))
            if state.wanted.count > Self.maximumWanted { state.wanted.removeFirst() }
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
        // The facts go first, because they are read from the same files.
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
                // Starts again from the beginning, for pictures without a preview.
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
            // Skips a file without a known size: it has no preview, or its metadata ended the process that reads metadata.
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

    /// Returns the hash of a decoded picture. Empty if no hash can be computed, `nil` if a retry may succeed.
    private func whole(_ path: String, in root: FolderRoot) async -> [UInt8]? {
        // While the pool is busy, files are not read either.
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

    /// Waits until no viewer waits for a picture and no picture is decoded for another folder.
    ///
    /// - Returns: `false` if the server stops.
    private func beginDecoding() async -> Bool {
        while !Task.isCancelled {
            // Reads the pool's counts outside the lock, because the pool may notify sessions of finished tasks.
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
