import Catalog
import Pipeline
import Synchronization

/// Makes the ThumbHashes that pictures of indexed folders lack, in idle time, and keeps them in the index: a cell shows something of
/// its picture before anybody has seen it.
///
/// Of the preview in a picture's file where there is one: a millisecond. Of the others the picture itself is decoded, 10 to 60 ms,
/// while nobody waits for one.
package final class PlaceholderMaker: Sendable {
    /// Pictures of one turn; what is wanted meanwhile comes first in the next.
    private static let turn = 32
    /// Lists of items that are wanted, at most; the oldest is dropped.
    private static let mostWanted = 64
    /// How long it waits while others are busy, and while nothing is to be made.
    private static let pause = (busy: Duration.milliseconds(100), idle: Duration.seconds(1))
    private static let size = ThumbnailSize(width: 32, height: 32)

    private struct State {
        /// Of base contents, by their serials; the last is the next.
        var wanted: [(content: Int, items: ArraySlice<Int>)] = []
        /// The item of each gallery's content before which all have been looked at, by its id.
        var places: [String: (content: Int, item: Int)] = [:]

        mutating func takeWanted(of content: Int, atMost count: Int) -> ArraySlice<Int>? {
            guard let last = wanted.lastIndex(where: { $0.content == content }) else { return nil }
            let items = wanted[last].items.prefix(count)
            wanted[last].items = wanted[last].items.dropFirst(count)
            if wanted[last].items.isEmpty { wanted.remove(at: last) }
            return items
        }
    }

    private let galleries: GalleryList
    private let service: ThumbnailService
    private let renderer: Renderer
    private let state = Mutex(State())

    init(galleries: GalleryList, service: ThumbnailService, renderer: Renderer) {
        self.galleries = galleries
        self.service = service
        self.renderer = renderer
    }

    /// Has the hashes of these items made before others. Never waits.
    func prefer(_ items: Range<Int>, in content: GalleryContent) {
        let pictures = content.pictures
        guard pictures.catalog is FolderListing, !items.isEmpty else { return }
        let items = items.map(content.original)
        state.withLock { state in
            state.wanted.removeAll { $0.content == pictures.serial && $0.items.elementsEqual(items) }
            state.wanted.append((pictures.serial, items[...]))
            if state.wanted.count > Self.mostWanted { state.wanted.removeFirst() }
        }
    }

    func run() async {
        while !Task.isCancelled {
            var isIdle = true
            for gallery in galleries.all {
                let content = gallery.content
                guard let listing = content.catalog as? FolderListing, !content.isCold else { continue }
                let items = next(in: listing, content.serial, of: gallery.id)
                guard !items.isEmpty else { continue }
                isIdle = false
                await make(items, listing, content)
            }
            if isIdle { try? await Task.sleep(for: Self.pause.idle) }
        }
    }

    private func next(in listing: FolderListing, _ serial: Int, of gallery: String) -> [Int] {
        while let wanted = state.withLock({ $0.takeWanted(of: serial, atMost: Self.turn) }) {
            let items = wanted.filter { !listing.itemsLackingThumbHash(in: $0..<$0 + 1, limit: 1).isEmpty }
            if !items.isEmpty { return items }
        }
        // The facts go first: they are read from the same files.
        guard listing.isComplete, listing.factsKnown >= listing.itemCount else { return [] }
        let from = state.withLock { $0.places[gallery] }.flatMap { $0.content == serial ? $0.item : nil } ?? 0
        let items = listing.itemsLackingThumbHash(in: from..<listing.itemCount, limit: Self.turn)
        let next = items.count < Self.turn ? listing.itemCount : (items.last ?? from) + 1
        state.withLock { $0.places[gallery] = (serial, next) }
        return items
    }

    private func make(_ items: [Int], _ listing: FolderListing, _ content: GalleryContent) async {
        var hashes: [Int: [UInt8]?] = [:]
        let stored = try? await service.queries.threads(for: content.root).run { [service] in
            service.storedPlaceholders(of: items, in: content)
        }
        for (item, placeholder) in stored ?? [:] { hashes[item] = .some(placeholder.thumbHash) }
        for item in items where hashes[item] == nil {
            if Task.isCancelled { break }
            guard case .file(let path, let root) = listing.item(item)?.locator else { continue }
            if let preview = await service.runner.previews?.preview(in: path, of: root), !preview.thumbHash.isEmpty {
                hashes[item] = .some(preview.thumbHash)
            } else if let hash = await whole(path, in: root) {
                hashes[item] = .some(hash.isEmpty ? nil : hash)
            }
        }
        let made = hashes
        _ = try? await service.queries.threads(for: content.root).run { listing.keep(made) }
    }

    /// The hash of a picture that is decoded for it; empty where none can be made, `nil` where it may be tried again.
    private func whole(_ path: String, in root: FolderRoot) async -> [UInt8]? {
        while service.pool.counts.running.total > 0, !Task.isCancelled { try? await Task.sleep(for: Self.pause.busy) }
        do throws(ItemFailure) {
            let bytes = try await service.runner.contents(of: path, in: root, for: Self.size)
            do throws(RenderError) {
                return try await renderer.render(bytes, size: Self.size).thumbHash
            } catch {
                return error.retryable ? nil : []
            }
        } catch {
            return error.retryable ? nil : []
        }
    }
}
