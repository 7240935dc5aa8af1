import CLinux
import Glibc
import Media
import Threads

/// Checks the files of a chunk. Reads only the state of files that have not changed, and the head of the others.
struct ChunkReader {
    let root: FolderRoot
    let equipment: Equipment
    /// Latest year that is accepted as a date in a name.
    let latestYear: Int

    struct Findings {
        var records: [FactRecord]
        var entries: [IndexFile.Entry] = []
    }

    /// Reads the files in another process. `nil` if this process reads them.
    private let reader: FactsReader?
    private let maximum: Int

    /// - Parameter readers: number of threads that read at the same time.
    init(root: FolderRoot, equipment: Equipment, reader: FactsReader?, readers: Int) {
        self.root = root
        self.equipment = equipment
        self.reader = reader
        latestYear = (Self.year(Int64(time(nil))) ?? 2099) + 1
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        // All readers together may use a quarter of this process's file descriptors.
        maximum =
            reader == nil ? 1 : max(1, min(Self.longestBatch, Int(clamping: limit.rlim_cur) / 4 / max(1, readers)))
    }

    private static let longestBatch = 100
    /// The kernel passes at most `DescriptorsMaximum` descriptors in one message. A file needs up to five.
    private static let maximumDescriptors = Int(DescriptorsMaximum) - 5

    func read(_ chunk: IndexPages.Chunk) -> Findings {
        var findings = Findings(records: chunk.records)
        guard let folder = try? root.open(chunk.page.path, flags: O_RDONLY | O_DIRECTORY) else {
            findings.records = chunk.records.map { $0.isKnown ? $0 : .unreadable }
            return findings
        }
        defer { close(folder) }
        var batch: [Opened] = []
        var descriptors = 0
        func readBatch() {
            for (opened, entry) in zip(batch, entries(batch, isForPerson: false)) {
                let place = opened.index - chunk.range.lowerBound
                if let entry {
                    findings.records[place] = FactRecord(
                        entry.facts, stamp: entry.stamp.hash, equipment: entry.equipment)
                    findings.entries.append(entry)
                } else if !chunk.records[place].isKnown {
                    findings.records[place] = .unreadable
                }
                opened.file.close()
            }
            batch = []
            descriptors = 0
        }
        for (place, index) in chunk.range.enumerated() {
            switch look(at: index, of: chunk.page, in: folder, known: chunk.records[place].stamp, isListed: true) {
            case .same: continue
            case .gone: findings.records[place] = chunk.records[place].isKnown ? chunk.records[place] : .unreadable
            case .new(let opened):
                batch.append(opened)
                descriptors += opened.file.descriptors.count
                if batch.count >= maximum || descriptors > Self.maximumDescriptors { readBatch() }
            }
        }
        readBatch()
        return findings
    }

    func read(_ index: Int, of page: FolderPage) -> PictureFacts? {
        guard let folder = try? root.open(page.path, flags: O_RDONLY | O_DIRECTORY) else { return nil }
        defer { close(folder) }
        guard
            case .new(let opened) = look(
                at: index, of: page, in: folder, known: FactRecord.unread.stamp, isListed: false)
        else {
            return nil
        }
        defer { opened.file.close() }
        return entries([opened], isForPerson: true).first.flatMap(\.self)?.facts
    }

    private struct Opened {
        var index: Int
        var name: [UInt8]
        var stamp: FileStamp
        var file: FactFile
    }

    private enum Look {
        case same, gone
        case new(Opened)
    }

    /// Returns one entry for each file, or `nil` for a file that cannot be read now.
    private func entries(_ batch: [Opened], isForPerson: Bool) -> [IndexFile.Entry?] {
        guard !batch.isEmpty else { return [] }
        let found: [Result<PictureFacts, FactsReader.Failure>] =
            reader.map { $0.read(batch.map(\.file), latestYear: latestYear, isForPerson: isForPerson) }
            ?? batch.map { .success($0.file.read(latestYear: latestYear)) }
        return zip(batch, found).map { opened, result in
            let facts: PictureFacts
            switch result {
            case .success(let found): facts = found
            // Do not retry until the file is rewritten.
            case .failure(.fatal): facts = opened.file.unread(latestYear: latestYear)
            case .failure(.unavailable): return nil
            }
            return IndexFile.Entry(
                name: opened.name, stamp: opened.stamp, facts: facts, equipment: equipment.number(of: facts.camera))
        }
    }

    /// - Parameter isListed: whether the page lists the files beside the picture. Otherwise they are searched for.
    private func look(
        at index: Int, of page: FolderPage, in folder: Int32, known: UInt64, isListed: Bool
    ) -> Look {
        let name = Array(page.names[index])
        var status = stat()
        guard Self.status(name, in: folder, &status) else { return .gone }
        let isLink = status.st_mode & S_IFMT == S_IFLNK
        let beside = CompanionFiles(index, of: page, in: folder, isListed: isListed)
        if !isLink, FileStamp(status, sidecars: beside.stamp).hash == known { return .same }
        let path = FolderPath.join(page.path, page.names.text(index))
        // A link is followed as far as the folder's root allows.
        let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC
        let opened =
            isLink
            ? (try? root.open(path, flags: flags)) ?? -1
            : Self.withPath(name) { openat(folder, $0, flags | O_NOFOLLOW) }
        guard opened >= 0 else { return .gone }
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(opened)
            return .gone
        }
        let stamp = FileStamp(status, sidecars: beside.stamp)
        if stamp.hash == known {
            close(opened)
            return .same
        }
        // By default, the kernel would also fetch megabytes after the head.
        posix_fadvise(opened, 0, 0, POSIX_FADV_RANDOM)
        // Fetch the files of a batch at the same time.
        if maximum > 1 { posix_fadvise(opened, 0, off_t(JPEGHead.length), POSIX_FADV_WILLNEED) }
        var file = FactFile(
            path: path, modified: stamp.modified,
            head: FactFile.Part(descriptor: opened, count: Int(status.st_size)))
        beside.open(in: folder, into: &file)
        return .new(Opened(index: index, name: name, stamp: stamp, file: file))
    }

    fileprivate static func status(_ name: [UInt8], in folder: Int32, _ status: inout stat) -> Bool {
        withPath(name) { fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW) == 0 }
    }

    fileprivate static func withPath<Value>(_ name: [UInt8], _ body: (UnsafePointer<CChar>) -> Value) -> Value {
        (name.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map(body) ?? body("")
        }
    }

    /// Returns the year in the local time zone.
    private static func year(_ seconds: Int64) -> Int? {
        var seconds = time_t(seconds), parts = tm()
        return localtime_r(&seconds, &parts) == nil ? nil : Int(parts.tm_year) + 1900
    }
}

extension FileStamp {
    init(_ status: stat, sidecars: Int64) {
        self.init(
            bytes: Int64(status.st_size), modified: status.st_mtim.nanoseconds, changed: status.st_ctim.nanoseconds,
            inode: Int64(bitPattern: UInt64(status.st_ino)), sidecars: sidecars)
    }
}

/// The files beside a picture that describe it.
private struct CompanionFiles {
    private var xmp: [UInt8]?
    private var takeout: [UInt8]?
    private var videos: [(name: [UInt8], motion: PictureFacts.Motion)] = []
    /// Hash of the existing files and their states. 0 if there are none.
    private(set) var stamp: Int64 = 0

    init(_ index: Int, of page: FolderPage, in folder: Int32, isListed: Bool) {
        // For most folders, the listing shows that there are no such files.
        guard page.sidecars.count > 0 || page.videos.count > 0 || !isListed else { return }
        let name = page.names.text(index)
        func found(_ file: String) -> [UInt8]? {
            var status = stat()
            if !isListed, ChunkReader.status(Array(file.utf8), in: folder, &status) { return Array(file.utf8) }
            return page.sidecar(file).map { Array($0.utf8) }
        }
        let isVideo =
            page.names[index].withContiguousStorageIfAvailable { PictureName.Extension(of: $0)?.kind == .video }
            ?? false
        for motion in [PictureFacts.Motion.mov, .mp4] where !isVideo {
            if let video = page.video(of: name, motion) { videos.append((Array(video.utf8), motion)) }
        }
        xmp = SidecarFiles.xmp(of: name).lazy.compactMap(found).first
        takeout = SidecarFiles.takeout(of: name).lazy.compactMap(found).first
        for file in [xmp, takeout].compactMap(\.self) {
            var status = stat()
            guard ChunkReader.status(file, in: folder, &status) else { continue }
            // The kernel's clock advances only every 4 ms. A file that is rewritten immediately keeps its time, so comparing times is not
            // enough.
            stamp ^= Int64(truncatingIfNeeded: FileStamp(status, sidecars: 1).hash >> 1)
        }
        for video in videos {
            var status = stat()
            guard ChunkReader.status(video.name, in: folder, &status) else { continue }
            let own = FileStamp(status, sidecars: Int64(video.motion == .mov ? 1 : 2))
            stamp ^= Int64(truncatingIfNeeded: own.hash >> 1)
        }
    }

    func open(in folder: Int32, into file: inout FactFile) {
        file.xmp = xmp.flatMap { Self.part($0, in: folder) }
        file.takeout = takeout.flatMap { Self.part($0, in: folder) }
        for video in videos {
            guard let part = Self.part(video.name, in: folder) else { continue }
            posix_fadvise(part.descriptor, 0, 0, POSIX_FADV_RANDOM)
            file.videos.append((part, video.motion))
        }
    }

    /// Opens a regular file that is not a link.
    private static func part(_ name: [UInt8], in folder: Int32) -> FactFile.Part? {
        let opened = ChunkReader.withPath(name) { openat(folder, $0, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC) }
        guard opened >= 0 else { return nil }
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(opened)
            return nil
        }
        return FactFile.Part(descriptor: opened, count: Int(status.st_size))
    }
}
