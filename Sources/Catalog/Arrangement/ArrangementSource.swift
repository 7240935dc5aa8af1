import BoundedCache
import Media
import Synchronization

/// The data of one catalogue that arrangements need: names, facts of its pictures, and earlier orders and searches for reuse.
///
/// Creating an arrangement takes up to 0.3 s for a million items. Do not create one on a thread that must not wait.
public final class ArrangementSource: Sendable {
    /// Largest number of items that can be arranged. Two million items need up to 90 MB, and 24 MB more for each arrangement.
    public static let maxItems = 2_000_000
    /// Total number of items in all cached search results.
    private static let rememberedItems = 8_000_000

    public let catalog: Catalog
    private let state: Mutex<State>

    private struct State {
        var names: TextColumn?
        /// All columns except those needed only once, for sorting.
        var columns: FactColumns?
        /// The section of each item.
        var folders: [UInt32]?
        var orders: [Arrangement.Sort: SortedItems] = [:]
        /// Whether each item has the terms of a text, keyed by the text.
        var searches = BoundedCache<String, [Bool]>(limit: ArrangementSource.rememberedItems)
        var tally: FilterTally?
    }

    /// - Parameter catalog: must have at most ``maxItems`` items.
    public init(_ catalog: Catalog) {
        self.catalog = catalog
        state = Mutex(State())
    }

    public func arranged(_ arrangement: Arrangement) -> ArrangedItems {
        state.withLock { state in
            let taken = columns(&state).taken
            let sorted = order(by: arrangement.sort, &state)
            var items = arrangement.order == .ascending ? sorted.ascending : sorted.descending
            if let isShown = shown(by: arrangement.filter, &state) { items = items.filter { isShown[Int($0)] } }
            let grouping = Grouping(arrangement, of: catalog, taken: taken) { folders(&state) }
            let sections = grouping.group(&items)
            return ArrangedItems(
                arrangement, of: catalog, taken: taken, permutation: Permutation(items, of: catalog.itemCount),
                sections: sections)
        }
    }

    /// Reads the names, so that the first letter of a search does not have to. Takes 40 ms for a million items.
    public func prepareSearch() { state.withLock { _ = names(&$0) } }

    /// Returns the years, months, cameras and lenses that a typed text may mean, at most three of each. The first call counts all items,
    /// which takes 27 ms for a million.
    public func suggestions(for text: String) -> [FilterSuggestion] {
        let tally = state.withLock { state in
            if let tally = state.tally { return tally }
            let tally = FilterTally(columns(&state))
            state.tally = tally
            return tally
        }
        return tally.suggestions(for: text)
    }

    // MARK: Cached columns

    private func columns(_ state: inout State) -> FactColumns {
        if let columns = state.columns { return columns }
        var columns = catalog.factColumns ?? FactColumns()
        (columns.added, columns.bytes) = ([], [])
        state.columns = columns
        return columns
    }

    private func names(_ state: inout State) -> TextColumn {
        if let names = state.names { return names }
        let names = SearchText.column(of: catalog.itemCount, catalog.forEachName)
        state.names = names
        return names
    }

    private func folders(_ state: inout State) -> [UInt32] {
        if let folders = state.folders { return folders }
        var folders: [UInt32] = []
        folders.reserveCapacity(catalog.itemCount)
        for (number, section) in catalog.sections.enumerated() {
            folders.append(contentsOf: repeatElement(UInt32(number), count: section.count))
        }
        state.folders = folders
        return folders
    }

    // MARK: Orders

    /// Items sorted by one key: items with a known key in ascending order, then the other items in their original order.
    private struct SortedItems {
        var ascending: [UInt32]
        var known: Int

        var descending: [UInt32] { Array(ascending[..<known].reversed()) + ascending[known...] }
    }

    private func order(by sort: Arrangement.Sort, _ state: inout State) -> SortedItems {
        if let order = state.orders[sort] { return order }
        let order = sorted(by: sort, &state)
        state.orders[sort] = order
        return order
    }

    private func sorted(by sort: Arrangement.Sort, _ state: inout State) -> SortedItems {
        switch sort {
        case .taken:
            let columns = columns(&state)
            // The sorted order is cached, so the milliseconds are not needed again.
            state.columns?.millisecond = []
            return sorted(by: columns.taken, unknown: FactColumns.undated, then: columns.millisecond)
        case .added: return sorted(by: catalog.factColumns?.added ?? [], unknown: FactColumns.undated)
        case .size: return sorted(by: catalog.factColumns?.bytes ?? [], unknown: -1)
        case .name:
            let items = NaturalOrder.sorted(names(&state))
            return SortedItems(ascending: items, known: items.count)
        case .path:
            let items = catalog.kind == .list ? NaturalOrder.sorted(addresses) : Array(0..<UInt32(catalog.itemCount))
            return SortedItems(ascending: items, known: items.count)
        }
    }

    /// - Parameter fractions: orders items that have the same key. Empty if there are no fractions.
    private func sorted(by column: [Int64], unknown: Int64, then fractions: [UInt16] = []) -> SortedItems {
        let all = 0..<UInt32(catalog.itemCount)
        guard column.count == all.count else { return SortedItems(ascending: Array(all), known: 0) }
        var known = all.filter { column[Int($0)] != unknown }
        if fractions.count == all.count { known = StableSort.sorted(known, by: known.map { fractions[Int($0)] }) }
        let keys = known.map { UInt64(bitPattern: column[Int($0)]) ^ 1 << 63 }
        let rest = known.count == all.count ? [] : all.filter { column[Int($0)] == unknown }
        return SortedItems(ascending: StableSort.sorted(known, by: keys) + rest, known: known.count)
    }

    private var addresses: TextColumn {
        var addresses = TextColumn()
        for index in 0..<catalog.itemCount {
            if case .url(let url)? = catalog.item(index)?.locator, addresses.append(url.utf8) { continue }
            _ = addresses.append([])
        }
        return addresses
    }

    // MARK: Filters

    /// Returns whether each item is shown, or `nil` if all are.
    private func shown(by filter: ItemFilter, _ state: inout State) -> [Bool]? {
        var shown: [Bool]?
        func narrow(_ isMeant: (Int) -> Bool) {
            var narrowed = shown ?? [Bool](repeating: true, count: catalog.itemCount)
            shown = nil
            for item in narrowed.indices where narrowed[item] { narrowed[item] = isMeant(item) }
            shown = narrowed
        }
        if let text = filter.text { shown = found(text, &state) }
        let columns = columns(&state)
        if filter.takenFrom != nil || filter.takenTo != nil {
            let first = filter.takenFrom?.seconds.lowerBound ?? FactColumns.undated + 1
            let last = filter.takenTo?.seconds.upperBound ?? .max
            let taken = columns.taken
            narrow { taken.indices.contains($0) && first <= taken[$0] && taken[$0] <= last }
        }
        if let folder = filter.folder {
            let isMeant = catalog.sections.map { $0.title == folder || $0.title.hasPrefix("\(folder)/") }
            let folders = folders(&state)
            narrow { isMeant[Int(folders[$0])] }
        }
        for (part, column, names) in [
            (filter.camera, columns.camera, columns.cameras), (filter.lens, columns.lens, columns.lenses),
        ] {
            guard let part else { continue }
            let word = SearchWord(SearchText.folded(part))
            let isMeant = names.map { !$0.isEmpty && word.isIn(SearchText.folded($0)) }
            narrow { column.indices.contains($0) && isMeant[Int(column[$0])] }
        }
        if filter.hasFiveStars {
            narrow { columns.rating.indices.contains($0) && columns.rating[$0] == 5 }
        }
        if !filter.kinds.isEmpty {
            let names = names(&state)
            names.bytes.withUnsafeBufferPointer { bytes in
                narrow { item in
                    let name = UnsafeBufferPointer(rebasing: bytes[names.range(item)])
                    return PictureName.Extension(of: name)?.kind.map(filter.kinds.contains) ?? false
                }
            }
        }
        return shown
    }

    /// Returns whether each item has the terms of a text. An item that does not match a text without dates cannot match a longer text.
    /// While a text is typed, each new letter therefore searches only the results of the letters before it. This does not hold for dates:
    /// `12` is in a name, but `12 july` may be a day.
    private func found(_ text: String, _ state: inout State) -> [Bool] {
        let folded = SearchText.folded(text)
        let key = String(decoding: folded, as: UTF8.self)
        if let known = state.searches.use(key) { return known }
        var terms = SearchTerm.terms(text)
        var former: [Bool]?
        if terms.allSatisfy(\.dates.isEmpty) {
            for length in (1..<max(1, folded.count)).reversed() where former == nil {
                let start = folded[..<length]
                guard let text = String(validating: start, as: UTF8.self), let known = state.searches[text] else {
                    continue
                }
                let before = SearchTerm.terms(text)
                guard before.allSatisfy(\.dates.isEmpty) else { continue }
                former = known
                // `former` already matches the terms of the shorter text, except the last, which may have been typed only in part.
                terms.removeFirst(max(0, before.count - (start.last == UInt8(ascii: " ") ? 0 : 1)))
            }
        }
        let found = found(terms, within: former, &state)
        state.searches.insert(found, for: key, cost: max(1, found.count))
        return found
    }

    /// A word of a search, and whether each camera and each lens contains the word.
    private struct SoughtWord {
        let word: SearchWord
        let isInCamera: [Bool]
        let isInLens: [Bool]

        init(_ word: [UInt8], cameras: [[UInt8]], lenses: [[UInt8]]) {
            let word = SearchWord(word)
            self.word = word
            isInCamera = cameras.map { word.isIn($0) }
            isInLens = lenses.map { word.isIn($0) }
        }
    }

    private func found(_ terms: [SearchTerm], within former: [Bool]?, _ state: inout State) -> [Bool] {
        let names = names(&state)
        let columns = columns(&state)
        let (cameras, lenses) = (columns.cameras.map(SearchText.folded), columns.lenses.map(SearchText.folded))
        let sought: [(dates: [PartialDate], words: [SoughtWord])] = terms.map { term in
            (term.dates, term.words.map { SoughtWord($0, cameras: cameras, lenses: lenses) })
        }
        var found = former ?? [Bool](repeating: true, count: catalog.itemCount)
        names.bytes.withUnsafeBufferPointer { bytes in
            for section in catalog.sections {
                let title = SearchText.folded(section.title)
                var missing: [(dates: [PartialDate], words: [SoughtWord])] = []
                for (dates, words) in sought {
                    let words = words.filter { !$0.word.isIn(title) }
                    if !words.isEmpty { missing.append((dates, words)) }
                }
                if missing.isEmpty { continue }
                let hasDates = missing.contains { !$0.dates.isEmpty }
                for item in section.range where found[item] {
                    let name = UnsafeBufferPointer(rebasing: bytes[names.range(item)])
                    let seconds = hasDates && item < columns.taken.count ? columns.taken[item] : FactColumns.undated
                    let date = seconds == FactColumns.undated ? nil : DateTaken(wallSeconds: seconds)
                    let camera = item < columns.camera.count ? Int(columns.camera[item]) : nil
                    let lens = item < columns.lens.count ? Int(columns.lens[item]) : nil
                    found[item] = missing.allSatisfy { term in
                        if let date, term.dates.contains(where: { $0.contains(date) }) { return true }
                        return term.words.allSatisfy { word in
                            camera.map { word.isInCamera[$0] } == true || lens.map { word.isInLens[$0] } == true
                                || word.word.isIn(name)
                        }
                    }
                }
            }
        }
        return found
    }
}
