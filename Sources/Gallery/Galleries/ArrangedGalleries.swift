import Catalog
import Synchronization
import Threads

/// The galleries that are arrangements of others. Built on request, shared by all equal requests, and dropped if room is needed
/// for others and no session shows them.
package final class ArrangedGalleries: Sendable {
    package struct Limits: Sendable {
        package var galleries = 64
        /// Maximum number of items of all arrangements: 16 bytes each.
        var items = 24_000_000
        /// Maximum number of items of a gallery that can be arranged.
        package var baseItems = ArrangementSource.maxItems
        /// Minimum interval between updates of the arrangements of a gallery that keeps changing.
        var pause = Duration.seconds(1)
        /// Time without a session after which an arrangement is dropped instead of updated when its gallery changes.
        var patience = Duration.seconds(60)

        package init() {}
    }

    private struct Entry: Sendable {
        let gallery: PictureGallery
        let base: PictureGallery
        let arrangement: Arrangement
        var used: ContinuousClock.Instant

        var items: Int { max(1, gallery.content.itemCount) }
    }

    private struct State {
        var entries: [Entry] = []
        /// Names, facts and orders of the contents that were arranged last.
        var sources: [(serial: Int, source: ArrangementSource)] = []
        /// The galleries whose arrangements are outdated, by id. `false` while the arrangements are being built.
        var behind: [String: Bool] = [:]
    }

    private let limits: Limits
    private let state = Mutex(State())
    private let builds = SingleFlight<String, Result<PictureGallery, Problem>>()
    /// Threads that build arrangements. A million items take up to 0.3 s of a thread.
    private let threads = BlockingThreads("arrange", count: 2, limit: 256, niceness: 5)
    private let onChange: @Sendable (PictureGallery) async -> Void
    private static let keptSources = 4
    private static let full = Problem(
        503, "Too many arrangements are in use; try again.", retryAfter: 5)

    /// - Parameter onChange: called for each arrangement that was rebuilt.
    package init(limits: Limits = Limits(), onChange: @escaping @Sendable (PictureGallery) async -> Void) {
        self.limits = limits
        self.onChange = onChange
    }

    package var count: Int { state.withLock { $0.entries.count } }

    package func gallery(_ id: String) -> PictureGallery? {
        state.withLock { Self.gallery(&$0) { $0.gallery.id == id } }
    }

    /// Returns a use of an arrangement. The arrangement is not dropped before the use ends.
    package func use(_ id: String) -> PictureGallery.Use? {
        state.withLock { state in Self.gallery(&state) { $0.gallery.id == id }.map(PictureGallery.Use.init) }
    }

    /// Returns the arrangement of a gallery if it is already built.
    func known(_ arrangement: Arrangement, of base: PictureGallery) -> PictureGallery? {
        state.withLock { Self.gallery(&$0) { $0.base === base && $0.arrangement == arrangement } }
    }

    private static func gallery(_ state: inout State, where isMeant: (Entry) -> Bool) -> PictureGallery? {
        guard let index = state.entries.firstIndex(where: isMeant) else { return nil }
        state.entries[index].used = .now
        return state.entries[index].gallery
    }

    package func arrange(
        _ base: PictureGallery, of galleries: GalleryList, _ arrangement: Arrangement
    ) async throws(Problem) -> (gallery: PictureGallery, isNew: Bool) {
        guard base.content.itemCount <= limits.baseItems else {
            throw Problem(422, tooManyItems(base, for: "an arrangement"), field: "/of")
        }
        let id = "\(base.id)~\(arrangement.fingerprint)"
        if let known = known(arrangement, of: base) { return (known, false) }
        let made: Result<PictureGallery, Problem>
        do throws(CancellationError) {
            made = try await builds.value(for: id) { [self] in await make(base, of: galleries, arrangement, id: id) }
        } catch {
            throw .stopping
        }
        return (try made.get(), true)
    }

    /// Returns filters that a typed text may mean in a gallery that is no arrangement.
    package func suggestions(
        for text: String, in base: PictureGallery
    ) async throws(Problem) -> [FilterSuggestion] {
        let content = base.content
        guard content.itemCount <= limits.baseItems else {
            throw Problem(409, tooManyItems(base, for: "suggestions"))
        }
        do throws(BlockingThreads.Refusal) {
            return try await threads.run { [self] in source(of: content).suggestions(for: text) }
        } catch {
            throw error == .busy ? .busy("arranging galleries") : .stopping
        }
    }

    private func tooManyItems(_ base: PictureGallery, for use: String) -> String {
        "The gallery \"\(base.id)\" has \(base.content.itemCount) items; the limit for \(use) is \(limits.baseItems)."
    }

    func forget(of base: PictureGallery) { state.withLock { $0.entries.removeAll { $0.base === base } } }

    package func shutdown() { threads.shutdown() }

    // MARK: Building

    /// - Returns: `nil` if the task was cancelled before the build began.
    private func make(
        _ base: PictureGallery, of galleries: GalleryList, _ arrangement: Arrangement, id: String
    ) async -> Result<PictureGallery, Problem>? {
        // An earlier build may have ended after this request looked for its gallery.
        if let known = known(arrangement, of: base) { return .success(known) }
        let content = base.content
        let made: GalleryContent
        do throws(BlockingThreads.Refusal) {
            made = try await threads.run { [self] in arranged(content, arrangement, galleries) }
            // A viewer who sorts or groups may search next.
            threads.start { [self] in source(of: content).prepareSearch() }
        } catch {
            return error == .cancelled ? nil : .failure(error == .busy ? .busy("arranging galleries") : .stopping)
        }
        let gallery = PictureGallery(
            id: id, title: base.title, source: nil, content: made, maker: nil, base: base)
        gallery.describe()
        // The gallery may have been deleted during the build.
        guard galleries.gallery(base.id) === base else { return .failure(.unknown("gallery", base.id)) }
        let isKept = state.withLock { state in
            let entry = Entry(gallery: gallery, base: base, arrangement: arrangement, used: .now)
            guard makeRoom(for: entry, &state) else { return false }
            state.entries.append(entry)
            return true
        }
        guard isKept else { return .failure(Self.full) }
        // The gallery may have changed during the build.
        if base.content !== content { follow(base, of: galleries) }
        return .success(gallery)
    }

    /// Builds the content of an arrangement. Called on one of the threads for it.
    private func arranged(
        _ content: GalleryContent, _ arrangement: Arrangement, _ galleries: GalleryList
    ) -> GalleryContent {
        galleries.makeContent(source(of: content).arranged(arrangement), of: content)
    }

    private func source(of content: GalleryContent) -> ArrangementSource {
        state.withLock { state in
            let place = state.sources.firstIndex { $0.serial == content.serial }
            let source = place.map { state.sources.remove(at: $0).source } ?? ArrangementSource(content.catalog)
            state.sources.append((content.serial, source))
            if state.sources.count > Self.keptSources { state.sources.removeFirst() }
            return source
        }
    }

    /// Drops the least recently used arrangements that no session shows.
    ///
    /// - Returns: whether there is room for the entry now.
    private func makeRoom(for entry: Entry, _ state: inout State) -> Bool {
        var items = state.entries.reduce(entry.items) { $0 + $1.items }
        state.entries.sort { $0.used < $1.used }
        var index = 0
        while state.entries.count >= limits.galleries || items > limits.items, index < state.entries.count {
            if state.entries[index].gallery.isUsed {
                index += 1
            } else {
                items -= state.entries.remove(at: index).items
            }
        }
        return state.entries.count < limits.galleries && items <= limits.items
    }

    // MARK: Following

    /// Rebuilds the arrangements of a changed gallery, one after the other. If changes follow quickly, only the last one counts.
    func follow(_ base: PictureGallery, of galleries: GalleryList) {
        let begins = state.withLock { state in
            guard state.entries.contains(where: { $0.base === base }) else { return false }
            return state.behind.updateValue(true, forKey: base.id) == nil
        }
        guard begins else { return }
        Task { [weak galleries] in
            while let galleries, let pause = await catchUp(base, galleries) { try? await Task.sleep(for: pause) }
        }
    }

    /// - Returns: the time to wait before the next call, or `nil` if no arrangement is outdated.
    private func catchUp(_ base: PictureGallery, _ galleries: GalleryList) async -> Duration? {
        let due: [Entry]? = state.withLock { state in
            guard state.behind[base.id] == true else {
                state.behind[base.id] = nil
                return nil
            }
            state.behind[base.id] = false
            let now = ContinuousClock.now
            var due: [Entry] = []
            for index in state.entries.indices.reversed() where state.entries[index].base === base {
                if !state.entries[index].gallery.isUsed, now - state.entries[index].used > limits.patience {
                    state.entries.remove(at: index)
                } else {
                    due.append(state.entries[index])
                }
            }
            return due
        }
        guard let due else { return nil }
        let began = ContinuousClock.now
        let content = base.content
        guard content.itemCount <= limits.baseItems else { return limits.pause }
        for entry in due {
            let made = try? await threads.run { [self] in arranged(content, entry.arrangement, galleries) }
            guard let made else {
                state.withLock { $0.behind[base.id] = nil }
                return nil
            }
            entry.gallery.replaceContent(made)
            await onChange(entry.gallery)
        }
        // Building uses at most a tenth of a thread's time.
        return max(limits.pause, (ContinuousClock.now - began) * 9)
    }
}
