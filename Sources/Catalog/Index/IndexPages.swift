import DequeModule
import Media

/// The facts of a folder's pictures, page by page, and the order in which files are checked. A value that does no I/O.
package struct IndexPages {
    /// Pictures of one page that are checked together.
    package struct Chunk: Sendable {
        package let page: FolderPage
        package let range: Range<Int>
        package let records: [FactRecord]
    }

    private struct Page {
        let page: FolderPage
        var records: [FactRecord]
        var hashes: ThumbHashColumn
        /// Whether each chunk has been handed out.
        var isBegun: [Bool]
        /// All chunks before this one have been handed out.
        var next = 0
        var known: Int
    }

    static let chunkLength = 64
    static let maximumPreferred = 64

    private var pages: [String: Page] = [:]
    /// Paths of pages that may have chunks left, in the order in which they were added.
    private var queue = Deque<String>()
    /// Preferred chunks. The last one is handed out next.
    private var preferred: [(page: FolderPage, chunk: Int)] = []
    /// Number of chunks that are being checked.
    private var underWay = 0
    /// Number of pictures whose facts are known.
    package private(set) var known = 0

    private var count = 0

    package init() {}

    package var areKnown: Bool { known == count }

    package var isDone: Bool { underWay == 0 && !hasMore }

    private var hasMore: Bool {
        queue.contains { path in pages[path].map { $0.isBegun[$0.next...].contains(false) } ?? false }
    }

    /// Adds a newly read page. Its pictures are checked again.
    ///
    /// - Parameters:
    ///   - records: known facts, one record for each name.
    ///   - hashes: known ThumbHashes, one element for each name.
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

    /// Removes the pages of folders that no longer exist.
    package mutating func keep(_ paths: Set<String>) {
        for path in Array(pages.keys) where !paths.contains(path) { forget(path) }
    }

    private mutating func forget(_ path: String) {
        guard let old = pages.removeValue(forKey: path) else { return }
        known -= old.known
        count -= old.records.count
    }

    /// Returns the last page of a folder, and the facts known about its pictures.
    func last(_ path: String) -> (page: FolderPage, records: [FactRecord], hashes: ThumbHashColumn)? {
        pages[path].map { ($0.page, $0.records, $0.hashes) }
    }

    /// Returns the ThumbHash of a picture, or `nil` if it is unknown or the folder was read again.
    package func thumbHash(_ position: Int, of page: FolderPage) -> [UInt8]? {
        guard let found = pages[page.path], found.page === page, position < found.hashes.count else { return nil }
        return found.hashes[position]
    }

    /// Returns the pictures with known facts whose ThumbHash has not been tried.
    package func lackingHash(_ positions: some Sequence<Int>, of page: FolderPage) -> [Int] {
        guard let found = pages[page.path], found.page === page else { return [] }
        return positions.filter { position in
            found.records.indices.contains(position) && found.records[position].isKnown && found.hashes.isOpen(position)
        }
    }

    /// Stores results of creating ThumbHashes.
    ///
    /// - Parameter stamps: stamps of the files that were used. The hash of a file that has changed since is not stored.
    /// - Returns: the stored results.
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

    /// Returns the facts of a page. Empty if none are known or if the folder was read again.
    package func records(of page: FolderPage) -> [FactRecord] {
        guard let found = pages[page.path], found.page === page else { return [] }
        return found.records
    }

    /// Requests that these pictures are checked before others.
    package mutating func prefer(_ page: FolderPage, _ range: Range<Int>) {
        guard let found = pages[page.path], found.page === page, !range.isEmpty else { return }
        for chunk in (range.lowerBound / Self.chunkLength...(range.upperBound - 1) / Self.chunkLength).reversed()
        where found.isBegun.indices.contains(chunk) && !found.isBegun[chunk] {
            preferred.append((page, chunk))
        }
        if preferred.count > Self.maximumPreferred { preferred.removeFirst(preferred.count - Self.maximumPreferred) }
    }

    /// Returns the pictures to check next, or `nil` if none are left.
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

    /// Stores the facts found in a chunk.
    ///
    /// - Returns: whether any fact is new.
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
