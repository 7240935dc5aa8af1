import CLinux
import Dispatch
import Media
import Synchronization
import Threads

/// Reads the facts of a folder's pictures in the background, requested pictures first, and stores the facts.
package final class FolderIndex: Sendable {
    fileprivate struct State {
        var pages = IndexPages()
        /// Facts and ThumbHashes that have not been written.
        var findings = IndexFile.Findings()
        /// Number of running reader threads.
        var readers = 0
        var isStopped = false
        /// Whether the listing thread is about to show the new facts.
        var isAwaited = false
        /// Whether there are new facts since the last update, and when the next update is due.
        var isNew = false
        var pace = Pace(interval: FolderIndex.firstShow)
    }

    /// Number of pictures written in one transaction.
    private static let batch = 1_024
    /// Delay before new facts are first shown, in milliseconds. Later updates are ever less frequent.
    private static let firstShow = 2_000

    let equipment: Equipment
    private let index: PictureIndex
    private let root: FolderRoot
    private let reader: ChunkReader
    private let readerCount: Int
    private let threads: BlockingThreads
    private let state = Mutex(State())
    /// Held while facts are written.
    private let writing = Mutex(())
    /// Number of pictures whose facts are known, readable without the lock.
    private let knownCount = Atomic(0)
    /// Entered while pictures are being read.
    private let work = DispatchGroup()
    private let show: @Sendable () -> Void

    /// - Parameter show: called occasionally after more facts are known, and once all facts are known.
    init(_ index: PictureIndex, root: FolderRoot, show: @escaping @Sendable () -> Void) {
        self.index = index
        self.root = root
        self.show = show
        equipment = index.equipment
        // Readers that wait for a network do not need a processor.
        readerCount = Self.isRemote(root.path) ? 16 : 8
        reader = ChunkReader(root: root, equipment: index.equipment, reader: index.reader, readers: readerCount)
        threads = BlockingThreads("index", count: readerCount, limit: 0, niceness: 10)
    }

    /// Number of pictures whose facts are known. Reading it never waits, because the gallery's page shows it during indexing.
    var known: Int { knownCount.load(ordering: .relaxed) }

    /// Changes the state, and updates `knownCount`.
    private func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        state.withLock { state in
            defer { knownCount.store(state.pages.known, ordering: .relaxed) }
            return body(&state)
        }
    }

    /// Returns the facts of the pictures on these pages. Empty for an unknown page.
    func records(of pages: [FolderPage]) -> [[FactRecord]] {
        state.withLock { state in pages.map { state.pages.records(of: $0) } }
    }

    // MARK: The listing thread

    /// Adds a newly read page of a folder, with the facts already known about its pictures.
    ///
    /// - Parameter isWhole: whether the page contains all pictures of the folder.
    func enter(_ page: FolderPage, isWhole: Bool) {
        // An empty folder may be unmounted, so its facts are not removed.
        guard page.names.count > 0 else { return }
        var records = [FactRecord](repeating: .unread, count: page.names.count)
        var hashes = ThumbHashColumn(count: page.names.count)
        let positions = NamePositions(page.names)
        var gone: [[UInt8]] = []
        func take(_ name: UnsafeBufferPointer<UInt8>, _ record: FactRecord, _ hash: IndexFile.IndexedHash?) {
            guard let position = positions[name] else { return gone.append(Array(name)) }
            records[position] = record
            switch hash {
            case nil: break
            case .hash(let bytes): hashes[position] = bytes
            case .unavailable: hashes.setUnavailable(position)
            }
        }
        if let last = state.withLock({ $0.pages.last(page.path) }) {
            last.page.names.bytes.withUnsafeBufferPointer { bytes in
                for (position, record) in last.records.enumerated() {
                    let name = UnsafeBufferPointer(rebasing: bytes[last.page.names.range(position)])
                    let hash = last.hashes[position].map(IndexFile.IndexedHash.hash)
                    take(name, record, hash ?? (last.hashes.isOpen(position) ? nil : .unavailable))
                }
            }
        } else {
            index.use { try $0.forEach(in: page.path, of: root.path, take) }
        }
        if isWhole { index.use { [gone] in try $0.remove(gone, in: page.path, of: root.path) } }
        change { [records, hashes] in $0.pages.enter(page, records, hashes: hashes) }
    }

    /// Starts to read the unknown facts of these pages, and removes all other pages. The caller shows facts that are found before this
    /// method returns.
    ///
    /// - Parameter milliseconds: maximum wait if facts of some pictures are unknown.
    func begin(_ pages: [FolderPage], waiting milliseconds: Int) {
        let paths = Set(pages.map(\.path))
        let areKnown = change { state in
            // Without any pages the folder may be missing and return later, so remove nothing.
            if !paths.isEmpty { state.pages.keep(paths) }
            state.isAwaited = true
            return state.pages.areKnown
        }
        startReaders()
        if !areKnown { _ = work.wait(timeout: .now() + .milliseconds(milliseconds)) }
        state.withLock { state in
            state.isAwaited = false
            state.isNew = false
        }
    }

    func waitUntilRead() { work.wait() }

    // MARK: Any thread

    /// Requests that the facts of these pictures are read before others. Never waits. Has no effect if the lock is not available.
    func prefer(_ page: FolderPage, _ range: Range<Int>) {
        _ = state.withLockIfAvailable { $0.pages.prefer(page, range) }
    }

    /// Returns the ThumbHash of a picture, or `nil` if unknown.
    func thumbHash(_ position: Int, of page: FolderPage) -> [UInt8]? {
        state.withLock { $0.pages.thumbHash(position, of: page) }
    }

    /// Returns the pictures with known facts whose ThumbHash has not been tried.
    func lackingHash(_ positions: some Sequence<Int>, of page: FolderPage) -> [Int] {
        state.withLock { $0.pages.lackingHash(positions, of: page) }
    }

    /// Stores results of creating ThumbHashes, also across restarts. Writes to a database.
    ///
    /// - Parameter stamps: as in ``IndexPages/keep(_:of:stamps:)``.
    func keep(_ hashes: [Int: IndexFile.IndexedHash], of page: FolderPage, stamps: [Int: UInt64]) {
        let isDue = state.withLock { state in
            for (position, hash) in state.pages.keep(hashes, of: page, stamps: stamps) {
                state.findings.add(hash, of: Array(page.names[position]), in: page.path)
            }
            return state.readers == 0 || state.findings.count >= Self.batch
        }
        if isDue { write() }
    }

    func stop() { state.withLock { $0.isStopped = true } }

    /// Returns all known facts of a picture, from the index file or else from the picture's file. Reads one of the files.
    func facts(_ position: Int, of page: FolderPage) -> PictureFacts? {
        let name = Array(page.names[position])
        let record = state.withLock { $0.pages.records(of: page).dropFirst(position).first }
        if let record, record.isKnown,
            let stored = index.use({ try $0.facts(name, in: page.path, of: root.path) }).flatMap(\.self),
            stored.stamp == record.stamp
        {
            return stored.facts
        }
        return reader.read(position, of: page)
    }

    // MARK: The readers' threads

    private func startReaders() {
        let starting = state.withLock { state in
            guard !state.isStopped, !state.pages.isDone else { return 0 }
            let starting = readerCount - state.readers
            if state.readers == 0 {
                work.enter()
                state.pace = Pace(interval: Self.firstShow)
            }
            state.readers = readerCount
            return starting
        }
        for _ in 0..<starting { threads.start { [weak self] in self?.readAll() } }
    }

    private func readAll() {
        while let chunk = state.withLock({ $0.isStopped ? nil : $0.pages.next() }) {
            let findings = reader.read(chunk)
            let (isFull, isDue) = change { state in
                if state.pages.finish(chunk, findings.records) { state.isNew = true }
                state.findings.add(findings.entries, in: chunk.page.path)
                return (state.findings.count >= Self.batch, state.takeShow(atEnd: false))
            }
            if isFull { write() }
            if isDue { threads.resume(show) }
        }
        let (isDue, isLast) = state.withLock { state in
            state.readers -= 1
            guard state.readers == 0 else { return (false, false) }
            return (state.takeShow(atEnd: true), true)
        }
        guard isLast else { return }
        write()
        ReturnFreedMemory()
        threads.resume { [show, work] in
            if isDue { show() }
            work.leave()
        }
    }

    /// Writes the findings in the order in which they were added. A picture's row therefore exists before its ThumbHash is written.
    private func write() {
        writing.withLock { _ in
            let findings = state.withLock { state in
                defer { state.findings = IndexFile.Findings() }
                return state.findings
            }
            if findings.count > 0 { index.use { try $0.write(findings, of: root.path) } }
        }
    }

    private static func isRemote(_ path: String) -> Bool {
        // NFS, SMB in its three versions, 9P, Ceph, AFS, and any file system behind FUSE.
        let remote: [UInt32] = [
            0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x0102_1997, 0x00C3_6400, 0x5346_414F, 0x6573_5546,
        ]
        return remote.contains(FileSystemType(path))
    }
}

extension FolderIndex.State {
    /// Returns whether new facts should be shown now. If so, schedules the next update.
    fileprivate mutating func takeShow(atEnd: Bool) -> Bool {
        guard isNew, !isAwaited, atEnd || pace.isDue else { return false }
        isNew = false
        pace.run {}
        return true
    }
}
