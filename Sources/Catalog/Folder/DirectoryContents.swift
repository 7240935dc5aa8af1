import CLinux
import Glibc
import Pictures

/// A directory of the file system, told apart from any other by device and inode.
struct DirectoryID: Hashable {
    var device: UInt64
    var inode: UInt64

    init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }

    /// The directory that has this path now; `nil` where there is none that can be read.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, access(path, R_OK | X_OK) == 0 else {
            return nil
        }
        self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }
}

/// The contents of one directory: pictures in natural order, files that cannot be shown, and the folders in it.
struct DirectoryContents {
    var id: DirectoryID
    /// When it had last changed, just before it was read: nanoseconds since 1970.
    var changed: Int64
    var pictures: TextColumn
    var folders: [String]
    /// Files that may tell of the pictures, in natural order.
    var sidecars = TextColumn()
    /// Files that may be the videos of the pictures, in natural order; they are among the pictures, too.
    var videos = TextColumn()
    var skipped: Int
    var notShown = FilesNotShown()

    /// Reads a directory; hidden names, and files that are neither pictures nor videos, are passed over.
    ///
    /// - Parameters:
    ///   - path: relative to the catalogue's folder; empty for that folder itself.
    ///   - resolvedRoot: the catalogue's folder without any link in its path; links to folders in it are not followed.
    ///   - glance: called now and then with the pictures found so far, in no order; `false` stops.
    /// - Returns: `nil` when it cannot be read, or was stopped.
    static func read(
        _ path: String, in root: FolderRoot, resolvedRoot: String, glance: (TextColumn) -> Bool = { _ in true }
    ) -> DirectoryContents? {
        guard let opened = try? root.open(path, flags: O_RDONLY | O_DIRECTORY) else { return nil }
        guard let directory = fdopendir(opened) else {
            close(opened)
            return nil
        }
        defer { closedir(directory) }
        let descriptor = dirfd(directory)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        var contents = DirectoryContents(
            id: DirectoryID(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)), changed: changed(status),
            pictures: TextColumn(), folders: [], skipped: 0)
        var unsorted = TextColumn()
        var sidecars = TextColumn(), videos = TextColumn()
        var entries = 0
        while let entry = readdir(directory) {
            entries += 1
            if entries % Self.glanceEvery == 0, !glance(unsorted) { return nil }
            let name = nameBytes(entry)
            guard name.first != UInt8(ascii: "."), !name.isEmpty else { continue }
            let type = PictureName.Extension(of: name)
            switch kind(of: entry, name: name, in: path, descriptor, root, resolvedRoot) {
            case .file:
                guard let type else { continue }
                if SidecarFiles.isVideo(type), isText(name) { _ = videos.append(name) }
                if SidecarFiles.isSidecar(type) {
                    if isText(name) { _ = sidecars.append(name) }
                } else if type.isNotShown {
                    contents.notShown.add(type)
                } else if type.isShown, !isText(name) || !unsorted.append(name) {
                    contents.skipped += 1
                }
            case .folder:
                if let text = String(validating: name, as: UTF8.self) {
                    if storageFolders.contains(text) { continue }
                    contents.folders.append(text)
                } else {
                    contents.skipped += 1
                }
            case .other: continue
            }
        }
        contents.folders.sort(by: NaturalOrder.areInIncreasingOrder)
        contents.pictures = inOrder(unsorted)
        contents.sidecars = inOrder(sidecars)
        contents.videos = inOrder(videos)
        return contents
    }

    /// Folders that storage servers add: Synology's previews, and recycle bins.
    private static let storageFolders: Set = ["@eaDir", "#recycle"]

    /// When the directory of that path last changed; `nil` where it cannot be reached.
    static func changed(_ path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? changed(status) : nil
    }

    /// Of its inode: names that came, went or were replaced, and rights.
    private static func changed(_ status: stat) -> Int64 {
        Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec)
    }

    /// Entries between two glances: a few milliseconds' worth.
    private static let glanceEvery = 8_192

    /// The names in natural order.
    static func inOrder(_ names: TextColumn) -> TextColumn {
        var ordered = TextColumn()
        ordered.reserve(names.count, bytes: names.bytes.count)
        for index in NaturalOrder.sorted(names) { _ = ordered.append(names[Int(index)]) }
        return ordered
    }

    /// Whether the bytes are UTF-8; nearly all names are ASCII, which needs no String to tell.
    private static func isText(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        name.allSatisfy { $0 < 0x80 } || String(validating: name, as: UTF8.self) != nil
    }

    private enum Kind { case file, folder, other }

    private static func kind(
        of entry: UnsafeMutablePointer<dirent>, name: UnsafeBufferPointer<UInt8>, in path: String,
        _ descriptor: Int32, _ root: FolderRoot, _ resolvedRoot: String
    ) -> Kind {
        switch Int(entry.pointee.d_type) {
        case Int(DT_REG): return .file
        case Int(DT_DIR): return .folder
        case Int(DT_LNK), Int(DT_UNKNOWN): break
        default: return .other
        }
        let text = String(decoding: name, as: UTF8.self)
        var status = stat()
        guard fstatat(descriptor, text, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return .other }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        case S_IFLNK: return target(of: FolderPath.join(path, text), root, resolvedRoot)
        default: return .other
        }
    }

    /// The target of a link that may be followed.
    private static func target(of link: String, _ root: FolderRoot, _ resolvedRoot: String) -> Kind {
        guard let target = try? root.open(link, flags: Int32(OpenPathOnly)) else { return .other }
        defer { close(target) }
        var status = stat()
        guard fstat(target, &status) == 0 else { return .other }
        if status.st_mode & S_IFMT == S_IFREG { return .file }
        guard root.followsLinks, status.st_mode & S_IFMT == S_IFDIR,
            let folder = resolved(FolderPath.join(root.path, link)), !isInside(folder, resolvedRoot)
        else { return .other }
        return .folder
    }

    /// The path without any link in it.
    static func resolved(_ path: String) -> String? {
        guard let target = realpath(path, nil) else { return nil }
        defer { free(target) }
        return String(cString: target)
    }

    private static func isInside(_ path: String, _ folder: String) -> Bool {
        path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
    }

    /// The name inside a directory entry, valid until the next one is read.
    private static func nameBytes(_ entry: UnsafeMutablePointer<dirent>) -> UnsafeBufferPointer<UInt8> {
        guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else {
            return UnsafeBufferPointer(start: nil, count: 0)
        }
        let start = UnsafeRawPointer(entry).advanced(by: offset)
        let bytes = start.assumingMemoryBound(to: UInt8.self)
        return UnsafeBufferPointer(start: bytes, count: strlen(start.assumingMemoryBound(to: CChar.self)))
    }
}
