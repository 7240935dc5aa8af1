import DequeModule
import Pictures

/// The facts of a folder's pictures, page by page, and which of them are to be looked at next: a value, which reads nothing.
package struct IndexPages {
    /// Pictures of one page that are looked at in one go.
    package struct Chunk: Sendable {
        package let page: FolderPage
        package let range: Range<Int>
        /// Their facts.
        package let records: [FactRecord]
    }

    private struct Page {
        let page: FolderPage
        var records: [FactRecord]
        var hashes: ThumbHashColumn
        /// Of each chunk whether it was handed out.
        var isBegun: [Bool]
        /// Chunks before this one were.
        var next = 0
        var known: Int
    }

    /// Pictures of a chunk, at most.
    static let chunkLength = 64
    /// Chunks that may be preferred at once.
    static let mostPreferred = 64

    private var pages: [String: Page] = [:]
    /// The pages that may have chunks left, in the order they came.
    private var queue = Deque<String>()
    /// The last is the next.
    private var preferred: [(page: FolderPage, chunk: Int)] = []
    /// Chunks that are being looked at.
    private var underWay = 0
    /// Pictures whose facts are known.
    package private(set) var known = 0

    private var count = 0

    package init() {}

    /// Whether something is known of every picture.
    package var areKnown: Bool { known == count }

    /// Whether there is nothing left to look at.
    package var isDone: Bool { underWay == 0 && !hasMore }

    private var hasMore: Bool {
        queue.contains { path in pages[path].map { $0.isBegun[$0.next...].contains(false) } ?? false }
    }

    /// Takes a page as its folder has just been read; its pictures are looked at again.
    ///
    /// - Parameters:
    ///   - records: what is known of them, as many as it has names.
    ///   - hashes: their ThumbHashes, as far as they are known; as many.
    package mutating func enter(_ page: FolderPage, _ records: [FactRecord], hashes: ThumbHashColumn? = nil) {
        forget(page.path)
        let chunks = (records.count + Self.chunkLength - 1) / Self.chunkLength
        let ownKnown = records.count { $0.isKnown }
        pages[page.path] = Page(
            page: page, records: records, hashes: hashes ?? ThumbHashColumn(count: records.count),
            isBegun: [Bool](repeating: false, count: chunks), known: ownKnown)
        known += ownKnown
        count += records.count
        queue.append(page.path)
    }

    /// Forgets the pages of folders that are no longer there.
    package mutating func keep(_ paths: Set<String>) {
        for path in Array(pages.keys) where !paths.contains(path) { forget(path) }
    }

    private mutating func forget(_ path: String) {
        guard let old = pages.removeValue(forKey: path) else { return }
        known -= old.known
        count -= old.records.count
    }

    /// The page that a folder had, and what is known of it.
    func last(_ path: String) -> (page: FolderPage, records: [FactRecord], hashes: ThumbHashColumn)? {
        pages[path].map { ($0.page, $0.records, $0.hashes) }
    }

    /// The ThumbHash of a picture; `nil` where it is not known, or the folder has been read again since.
    package func thumbHash(_ position: Int, of page: FolderPage) -> [UInt8]? {
        guard let found = pages[page.path], found.page === page, position < found.hashes.count else { return nil }
        return found.hashes[position]
    }

    /// Those of a page's pictures whose facts are known and that lack a ThumbHash which nobody has tried to make.
    package func lackingHash(_ positions: some Sequence<Int>, of page: FolderPage) -> [Int] {
        guard let found = pages[page.path], found.page === page else { return [] }
        return positions.filter { position in
            found.records.indices.contains(position) && found.records[position].isKnown && found.hashes.isOpen(position)
        }
    }

    /// Takes what was found out of ThumbHashes.
    ///
    /// - Parameter stamps: of the files that were looked at; where a file was changed since, its hash is not taken.
    /// - Returns: those that were taken.
    package mutating func keep(
        _ hashes: [Int: IndexFile.IndexedHash], of page: FolderPage, stamps: [Int: UInt64]
    ) -> [Int: IndexFile.IndexedHash] {
        guard let found = pages[page.path], found.page === page else { return [:] }
        let taken = hashes.filter { position, _ in
            found.records.indices.contains(position) && found.records[position].stamp == stamps[position]
        }
        for (position, hash) in taken {
            switch hash {
            case .hash(let bytes): pages[page.path]?.hashes[position] = bytes
            case .unavailable: pages[page.path]?.hashes.setUnavailable(position)
            }
        }
        return taken
    }

    /// The facts of a page; empty where none are known, or the folder has been read again since.
    package func records(of page: FolderPage) -> [FactRecord] {
        guard let found = pages[page.path], found.page === page else { return [] }
        return found.records
    }

    /// Has these pictures looked at before others.
    package mutating func prefer(_ page: FolderPage, _ range: Range<Int>) {
        guard let found = pages[page.path], found.page === page, !range.isEmpty else { return }
        for chunk in (range.lowerBound / Self.chunkLength...(range.upperBound - 1) / Self.chunkLength).reversed()
        where found.isBegun.indices.contains(chunk) && !found.isBegun[chunk] {
            preferred.append((page, chunk))
        }
        if preferred.count > Self.mostPreferred { preferred.removeFirst(preferred.count - Self.mostPreferred) }
    }

    /// The pictures to look at next; `nil` where none are left.
    package mutating func next() -> Chunk? {
        while let (page, chunk) = preferred.popLast() {
            if pages[page.path]?.page === page, let taken = take(page.path, chunk) { return taken }
        }
        while let path = queue.first {
            if let page = pages[path], let chunk = page.isBegun[page.next...].firstIndex(of: false) {
                pages[path]?.next = chunk + 1
                if let taken = take(path, chunk) { return taken }
            }
            queue.removeFirst()
        }
        return nil
    }

    private mutating func take(_ path: String, _ chunk: Int) -> Chunk? {
        guard let page = pages[path], page.isBegun.indices.contains(chunk), !page.isBegun[chunk] else { return nil }
        pages[path]?.isBegun[chunk] = true
        underWay += 1
        let start = chunk * Self.chunkLength
        let range = start..<min(start + Self.chunkLength, page.records.count)
        return Chunk(page: page.page, range: range, records: Array(page.records[range]))
    }

    /// Takes what was found of a chunk.
    ///
    /// - Returns: whether anything is new.
    package mutating func finish(_ chunk: Chunk, _ records: [FactRecord]) -> Bool {
        underWay -= 1
        guard records != chunk.records, pages[chunk.page.path]?.page === chunk.page, records.count == chunk.range.count
        else { return false }
        let gained = records.count { $0.isKnown } - chunk.records.count { $0.isKnown }
        for (place, position) in chunk.range.enumerated() where records[place].stamp != chunk.records[place].stamp {
            pages[chunk.page.path]?.hashes[position] = nil
        }
        pages[chunk.page.path]?.records.replaceSubrange(chunk.range, with: records)
        pages[chunk.page.path]?.known += gained
        known += gained
        return true
    }
}
