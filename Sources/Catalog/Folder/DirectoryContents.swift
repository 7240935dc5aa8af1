import CLinux
import Glibc
import Pictures
import Threads

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
    var notShown = FilesNotShown()
    var leftOut = FilesLeftOut()

    /// Reads a directory; hidden names, folders that systems add, and files that are neither pictures nor videos are passed over.
    /// A directory that holds a file named `.nomedia` has no contents.
    ///
    /// - Parameters:
    ///   - path: relative to the catalogue's folder; empty for that folder itself.
    ///   - resolvedRoot: the catalogue's folder without any link in its path; links to folders in it are not followed.
    ///   - excludes: files and folders to leave out.
    ///   - glance: called now and then with the pictures found so far, in no order; `false` stops.
    /// - Returns: `nil` when it was stopped.
    /// - Throws: why it cannot be read.
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
        // This check comes before the first glance, which would show hidden pictures.
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

    /// Whether the open folder holds a file named `.nomedia`, which asks galleries to leave the folder out.
    private static func hasNoMediaFile(_ folder: Int32) -> Bool {
        var status = stat()
        return fstatat(folder, ".nomedia", &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT != S_IFDIR
    }

    private static func isListed(folder name: String, inLibrary isLibrary: Bool) -> Bool {
        let folded = name.lowercased()
        return isLibrary ? libraryFolders.contains(folded) : !passedOver.contains(folded)
    }

    /// Folders that systems add, in lower case: Synology's previews, recycle bins, a Mac's files in ZIP archives, rests of files.
    private static let passedOver: Set = ["@eadir", "#recycle", "$recycle.bin", "__macosx", "lost+found"]

    /// The folders of a library of Apple's Photos that hold the pictures as they were taken. The others hold what was made of them.
    private static let libraryFolders: Set = ["originals", "masters"]

    private static func isPhotoLibrary(_ path: String) -> Bool { path.lowercased().hasSuffix(".photoslibrary") }

    /// When the directory of that path last changed; `nil` where it cannot be reached.
    static func changed(_ path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? changed(status) : nil
    }

    /// Time of the last change of the inode, which covers added, removed and replaced names, and permissions.
    static func changed(_ status: stat) -> Int64 { status.st_ctim.nanoseconds }

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

    private enum Kind: Equatable {
        case file, folder, other
        /// A link to a file.
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
        // A path that is no text leads to nothing that is shown.
        guard let text = String(validating: name, as: UTF8.self) else {
            return targetType == S_IFDIR ? .folder : targetType == S_IFREG ? .link : .other
        }
        let kind = target(of: FolderPath.join(path, text), root, resolvedRoot)
        guard case .leftOut = kind, targetType != S_IFDIR else { return kind }
        // Links to other files are nobody's pictures.
        let ending = PictureName.Extension(of: name)
        return ending.map { $0.isShown || $0.isNotShown } ?? false ? kind : .other
    }

    /// The type bits of a name's file.
    private static func type(of name: UnsafeBufferPointer<UInt8>, _ folder: Int32, _ flags: Int32) -> mode_t? {
        var status = stat()
        return name.withMemoryRebound(to: CChar.self) { name in
            guard let start = name.baseAddress, fstatat(folder, start, &status, flags) == 0 else { return nil }
            return status.st_mode & S_IFMT
        }
    }

    /// The target of a link that may be followed.
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
