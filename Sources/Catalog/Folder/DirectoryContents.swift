import CLinux
import Glibc
import Media
import Threads

/// Identity of a directory in the file system: its device and inode.
struct DirectoryID: Hashable {
    var device: UInt64
    var inode: UInt64

    init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }

    /// Returns the directory that has this path now, or `nil` if there is no readable directory.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, access(path, R_OK | X_OK) == 0 else {
            return nil
        }
        self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }
}

/// The contents of one directory: pictures in natural order, files that cannot be shown, and subfolders.
struct DirectoryContents {
    var id: DirectoryID
    /// Time of the directory's last change, read just before its contents. In nanoseconds since 1970.
    var changed: Int64
    var pictures: TextColumn
    var folders: [String]
    /// Files that may describe the pictures, in natural order.
    var sidecars = TextColumn()
    /// Files that may be videos of the pictures, in natural order. ``pictures`` includes them.
    var videos = TextColumn()
    var notShown = FilesNotShown()
    var leftOut = FilesLeftOut()

    /// Reads a directory. Skips hidden names, folders that systems add, and files that are neither pictures nor videos. A directory with a
    /// file named `.nomedia` has no contents.
    ///
    /// - Parameters:
    ///   - path: relative to the catalogue's folder. Empty for that folder itself.
    ///   - resolvedRoot: the catalogue's folder with all links resolved. Links to folders inside it are not followed.
    ///   - glance: called regularly with the pictures found so far, in no particular order. Returning `false` stops the read.
    /// - Returns: `nil` if the read was stopped.
    /// - Throws: the reason why the directory cannot be read.
    static func read(
        _ path: String, in root: FolderRoot, resolvedRoot: String, excludes: ExcludePatterns = ExcludePatterns(),
        glance: (TextColumn) -> Bool = { _ in true }
    ) throws(FolderRoot.Failure) -> DirectoryContents? {
        let opened = try root.open(path, flags: O_RDONLY | O_DIRECTORY)
        guard let directory = fdopendir(opened) else {
            let code = errno
            close(opened)
            throw .system(code)
        }
        defer { closedir(directory) }
        let descriptor = dirfd(directory)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
        var contents = DirectoryContents(
            id: DirectoryID(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)), changed: changed(status),
            pictures: TextColumn(), folders: [])
        // Check before the first call of `glance`, which would show hidden pictures.
        if hasNoMediaFile(descriptor) {
            contents.leftOut.add(.noMedia, (path.isEmpty ? "." : path).utf8, in: "")
            return contents
        }
        let place = ExcludePatterns.parts(of: path)
        var unsorted = TextColumn()
        var sidecars = TextColumn(), videos = TextColumn()
        var unnamed = UnnamedFiles(root: root, path: path, folder: descriptor)
        let isLibrary = isPhotoLibrary(path.isEmpty ? root.path : path)
        var entries = 0
        while let entry = readdir(directory) {
            entries += 1
            if entries % Self.glanceEvery == 0, !glance(unsorted) { return nil }
            let name = nameBytes(entry)
            guard name.first != UInt8(ascii: "."), !name.isEmpty else { continue }
            let type = PictureName.Extension(of: name)
            let kind = kind(of: entry, name: name, in: path, descriptor, root, resolvedRoot)
            if !excludes.isEmpty, kind != .other {
                let text = String(decoding: name, as: UTF8.self)
                if let pattern = excludes.pattern(excluding: text, in: place, isFolder: kind == .folder) {
                    let isCounted =
                        kind == .folder
                        ? isListed(folder: text, inLibrary: isLibrary)
                        : !isLibrary && type.map { $0.isShown || $0.isNotShown } ?? false
                    if isCounted { contents.leftOut.add(.excluded, name, in: path, pattern: pattern) }
                    continue
                }
            }
            switch kind {
            case .file where isLibrary, .link where isLibrary, .other: continue
            case .file, .link:
                if UnnamedFiles.mayBePicture(name, type) {
                    guard let isPicture = unnamed.isPicture(name, isLink: kind == .link) else {
                        contents.leftOut.add(.unexamined, name, in: path)
                        continue
                    }
                    if !isPicture {
                        if let type { contents.notShown.add(type) }
                        continue
                    }
                } else {
                    guard let type else { continue }
                    if SidecarFiles.isVideo(type), isText(name) { _ = videos.append(name) }
                    if SidecarFiles.isSidecar(type) {
                        if isText(name) { _ = sidecars.append(name) }
                        continue
                    }
                    if type.isNotShown { contents.notShown.add(type) }
                    guard type.isShown else { continue }
                }
                if !isText(name) {
                    contents.leftOut.add(.notUTF8, name, in: path)
                } else if !unsorted.append(name) {
                    contents.leftOut.add(.tooMany, name, in: path)
                }
            case .folder:
                guard let text = String(validating: name, as: UTF8.self) else {
                    contents.leftOut.add(.notUTF8, name, in: path)
                    continue
                }
                if isListed(folder: text, inLibrary: isLibrary) { contents.folders.append(text) }
            case .leftOut(let reason):
                contents.leftOut.add(reason, name, in: path)
            }
        }
        contents.folders.sort(by: NaturalOrder.areInIncreasingOrder)
        contents.pictures = inOrder(unsorted)
        contents.sidecars = inOrder(sidecars)
        contents.videos = inOrder(videos)
        return contents
    }

    /// Returns whether the open folder has a file named `.nomedia`, which requests that galleries leave the folder out.
    private static func hasNoMediaFile(_ folder: Int32) -> Bool {
        var status = stat()
        return fstatat(folder, ".nomedia", &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT != S_IFDIR
    }

    private static func isListed(folder name: String, inLibrary isLibrary: Bool) -> Bool {
        let folded = name.lowercased()
        return isLibrary ? libraryFolders.contains(folded) : !passedOver.contains(folded)
    }

    /// Folders that systems add, in lower case: Synology's previews, recycle bins, Mac files from ZIP archives, recovered file fragments.
    private static let passedOver: Set = ["@eadir", "#recycle", "$recycle.bin", "__macosx", "lost+found"]

    /// Folders of an Apple Photos library with the original pictures. The library's other folders hold derived files.
    private static let libraryFolders: Set = ["originals", "masters"]

    private static func isPhotoLibrary(_ path: String) -> Bool { path.lowercased().hasSuffix(".photoslibrary") }

    /// Returns when the directory at a path last changed, or `nil` if the directory cannot be reached.
    static func changed(_ path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? changed(status) : nil
    }

    /// Returns the time of the inode's last change, which covers added, removed and replaced names, and permissions.
    static func changed(_ status: stat) -> Int64 { status.st_ctim.nanoseconds }

    /// Number of entries between two calls of `glance`. Reading this many takes a few milliseconds.
    private static let glanceEvery = 8_192

    static func inOrder(_ names: TextColumn) -> TextColumn {
        var ordered = TextColumn()
        ordered.reserve(names.count, bytes: names.bytes.count)
        for index in NaturalOrder.sorted(names) { _ = ordered.append(names[Int(index)]) }
        return ordered
    }

    /// Returns whether the bytes are UTF-8. Nearly all names are ASCII, which can be checked without creating a String.
    private static func isText(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        name.allSatisfy { $0 < 0x80 } || String(validating: name, as: UTF8.self) != nil
    }

    private enum Kind: Equatable {
        case file, folder, other
        case link
        case leftOut(LeftOutReason)
    }

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
        guard let type = type(of: name, descriptor, AT_SYMLINK_NOFOLLOW) else { return .other }
        switch type {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        case S_IFLNK: break
        default: return .other
        }
        let targetType = Self.type(of: name, descriptor, 0)
        // A file whose name is not UTF-8 is never shown.
        guard let text = String(validating: name, as: UTF8.self) else {
            return targetType == S_IFDIR ? .folder : targetType == S_IFREG ? .link : .other
        }
        let kind = target(of: FolderPath.join(path, text), root, resolvedRoot)
        guard case .leftOut = kind, targetType != S_IFDIR else { return kind }
        // Ignore links to files that are not pictures.
        let ending = PictureName.Extension(of: name)
        return ending.map { $0.isShown || $0.isNotShown } ?? false ? kind : .other
    }

    /// Returns the type bits of the named file's mode.
    private static func type(of name: UnsafeBufferPointer<UInt8>, _ folder: Int32, _ flags: Int32) -> mode_t? {
        var status = stat()
        return name.withMemoryRebound(to: CChar.self) { name in
            guard let start = name.baseAddress, fstatat(folder, start, &status, flags) == 0 else { return nil }
            return status.st_mode & S_IFMT
        }
    }

    /// Returns the kind of a link's target, or the reason to leave the link out.
    private static func target(of link: String, _ root: FolderRoot, _ resolvedRoot: String) -> Kind {
        let target: Int32
        do throws(FolderRoot.Failure) { target = try root.open(link, flags: Int32(OpenPathOnly)) } catch {
            switch error {
            case .leadsOutside: return .leftOut(.leadsOut)
            case .system(ENOENT), .system(ENOTDIR), .system(ELOOP): return .leftOut(.leadsNowhere)
            case .system: return .leftOut(.unreadable)
            }
        }
        defer { close(target) }
        var status = stat()
        guard fstat(target, &status) == 0 else { return .other }
        if status.st_mode & S_IFMT == S_IFREG { return .link }
        guard root.followsLinks, status.st_mode & S_IFMT == S_IFDIR,
            let folder = resolved(FolderPath.join(root.path, link)), !isInside(folder, resolvedRoot)
        else { return .other }
        return .folder
    }

    /// Returns the path with all links resolved.
    static func resolved(_ path: String) -> String? {
        guard let target = realpath(path, nil) else { return nil }
        defer { free(target) }
        return String(cString: target)
    }

    private static func isInside(_ path: String, _ folder: String) -> Bool {
        path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
    }

    /// Returns the name inside a directory entry. The name is valid until the next entry is read.
    private static func nameBytes(_ entry: UnsafeMutablePointer<dirent>) -> UnsafeBufferPointer<UInt8> {
        guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else {
            return UnsafeBufferPointer(start: nil, count: 0)
        }
        let start = UnsafeRawPointer(entry).advanced(by: offset)
        let bytes = start.assumingMemoryBound(to: UInt8.self)
        return UnsafeBufferPointer(start: bytes, count: strlen(start.assumingMemoryBound(to: CChar.self)))
    }
}
