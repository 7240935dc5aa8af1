import Glibc
import PhotoFacts
import Pictures

/// Looks at the files of a chunk: of those that are as they were their state is all that is asked for, of the others the head
/// is read.
struct ChunkReader {
    let root: FolderRoot
    let equipment: Equipment
    /// The last year that is believed of a name.
    let latestYear: Int

    struct Findings {
        var records: [FactRecord]
        /// Facts that are new.
        var entries: [IndexFile.Entry] = []
    }

    init(root: FolderRoot, equipment: Equipment) {
        self.root = root
        self.equipment = equipment
        latestYear = (Self.local(Int64(time(nil)))?.year ?? 2099) + 1
    }

    /// - Parameter isListed: whether the listing tells what lies beside them; otherwise it is looked for.
    func read(_ chunk: IndexPages.Chunk, isListed: Bool = true) -> Findings {
        var findings = Findings(records: chunk.records)
        guard let folder = try? root.open(chunk.page.path, flags: O_RDONLY | O_DIRECTORY) else {
            findings.records = chunk.records.map { $0.isKnown ? $0 : .unreadable }
            return findings
        }
        defer { close(folder) }
        for (place, index) in chunk.range.enumerated() {
            let found = look(
                at: index, of: chunk.page, in: folder, known: chunk.records[place].stamp, isListed: isListed)
            switch found {
            case .same: continue
            case .gone: findings.records[place] = chunk.records[place].isKnown ? chunk.records[place] : .unreadable
            case .new(let entry):
                findings.records[place] = FactRecord(entry.facts, entry.stamp, equipment: entry.equipment)
                findings.entries.append(entry)
            }
        }
        return findings
    }

    /// All that a file tells now.
    func read(_ index: Int, of page: FolderPage) -> PictureFacts? {
        guard let folder = try? root.open(page.path, flags: O_RDONLY | O_DIRECTORY) else { return nil }
        defer { close(folder) }
        guard
            case .new(let entry) = look(
                at: index, of: page, in: folder, known: FactRecord.unread.stamp, isListed: false)
        else {
            return nil
        }
        return entry.facts
    }

    private enum Look {
        case same, gone
        case new(IndexFile.Entry)
    }

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
        // A link is followed as far as the folder's root allows it.
        let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC
        let opened =
            isLink
            ? (try? root.open(path, flags: flags)) ?? -1
            : Self.withPath(name) { openat(folder, $0, flags | O_NOFOLLOW) }
        guard opened >= 0 else { return .gone }
        defer { close(opened) }
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .gone }
        let stamp = FileStamp(status, sidecars: beside.stamp)
        if stamp.hash == known { return .same }
        // Left to itself the kernel would fetch megabytes that follow.
        posix_fadvise(opened, 0, 0, POSIX_FADV_RANDOM)
        var sources = FactSources()
        sources.head = FileHead(FilePieces(descriptor: opened, count: Int(status.st_size)))
        sources.path = path
        sources.bytes = Int(status.st_size)
        sources.modified = stamp.modified
        beside.read(in: folder, into: &sources)
        func facts() -> PictureFacts { sources.facts(latestYear: latestYear) { Self.local($0)?.offset ?? 0 } }
        var found = facts()
        sources.video = beside.video(in: folder, of: found, identifier: sources.head?.exif?.contentIdentifier)
        // A picture without a date of its own has that of its video.
        if sources.video != nil { found = facts() }
        return .new(
            IndexFile.Entry(
                name: name, stamp: stamp, facts: found, equipment: equipment.number(of: found.camera),
                preview: sources.head?.preview, orientation: sources.head?.orientation ?? .up))
    }

    fileprivate static func status(_ name: [UInt8], in folder: Int32, _ status: inout stat) -> Bool {
        withPath(name) { fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW) == 0 }
    }

    fileprivate static func withPath<Value>(_ name: [UInt8], _ body: (UnsafePointer<CChar>) -> Value) -> Value {
        (name.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map(body) ?? body("")
        }
    }

    /// The year here, and the minutes that the clock is ahead of UTC.
    private static func local(_ seconds: Int64) -> (year: Int, offset: Int)? {
        var seconds = time_t(seconds), parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return nil }
        return (Int(parts.tm_year) + 1900, parts.tm_gmtoff / 60)
    }
}

extension FileStamp {
    init(_ status: stat, sidecars: Int64) {
        self.init(
            bytes: Int64(status.st_size), modified: Self.nanoseconds(status.st_mtim),
            inode: Int64(bitPattern: UInt64(status.st_ino)), sidecars: sidecars)
    }

    static func nanoseconds(_ time: timespec) -> Int64 {
        let (product, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? 0 : product &+ Int64(time.tv_nsec)
    }
}

/// The files beside a picture that tell of it.
private struct CompanionFiles {
    private var xmp: [UInt8]?
    private var takeout: [UInt8]?
    private var videos: [(name: [UInt8], motion: PictureFacts.Motion)] = []
    /// Stands for which files there are, and how they were last written; 0 where there is nothing.
    private(set) var stamp: Int64 = 0

    init(_ index: Int, of page: FolderPage, in folder: Int32, isListed: Bool) {
        // Of most folders the listing has told that there is nothing.
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
            // The kernel's clock stands for 4 ms: a file written anew at once has the time of the one before.
            stamp ^= Int64(truncatingIfNeeded: FileStamp(status, sidecars: 1).hash >> 1)
        }
        for video in videos {
            var status = stat()
            guard ChunkReader.status(video.name, in: folder, &status) else { continue }
            let own = FileStamp(status, sidecars: Int64(video.motion == .mov ? 1 : 2))
            stamp ^= Int64(truncatingIfNeeded: own.hash >> 1)
        }
    }

    func read(in folder: Int32, into sources: inout FactSources) {
        if let bytes = xmp.flatMap({ Self.bytes(of: $0, in: folder) }) { sources.sidecar = XMPMetadata(bytes) }
        if let bytes = takeout.flatMap({ Self.bytes(of: $0, in: folder) }) {
            sources.archived = SidecarFiles.archived(bytes)
        }
    }

    /// The video that belongs to a picture, of which its facts are known.
    func video(
        in folder: Int32, of facts: PictureFacts, identifier: String?
    ) -> (header: QuickTimeHeader, motion: PictureFacts.Motion)? {
        for video in videos {
            let header = Self.file(video.name, in: folder) { file in
                posix_fadvise(file.descriptor, 0, 0, POSIX_FADV_RANDOM)
                return QuickTimeHeader(FilePieces(descriptor: file.descriptor, count: file.size))
            }
            if let header = header.flatMap(\.self), LivePhoto.areOne(facts, identifier: identifier, header) {
                return (header, video.motion)
            }
        }
        return nil
    }

    private static func bytes(of name: [UInt8], in folder: Int32) -> [UInt8]? {
        file(name, in: folder) { file in
            guard file.size <= SidecarFiles.longest else { return nil }
            return FilePieces(descriptor: file.descriptor, count: file.size).bytes(at: 0, file.size)
        }.flatMap(\.self)
    }

    /// Does something with a regular file that is not a link.
    private static func file<Value>(
        _ name: [UInt8], in folder: Int32, _ body: ((descriptor: Int32, size: Int)) -> Value
    ) -> Value? {
        let opened = ChunkReader.withPath(name) { openat(folder, $0, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC) }
        guard opened >= 0 else { return nil }
        defer { close(opened) }
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return body((opened, Int(status.st_size)))
    }
}
