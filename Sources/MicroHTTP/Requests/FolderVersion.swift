import Glibc

/// A short text that identifies the contents of a folder's files. It changes with any of the files.
struct FolderVersion: Sendable {
    /// One year, the longest time that caches respect (RFC 9111, section 5.2.2.1). `immutable` is defined in RFC 8246.
    static let cacheControl = "max-age=31536000, immutable"
    /// Limits of a page's folder. A larger folder has no version.
    private static let maximumFiles = 2000
    private static let maximumBytes = 32 << 20

    /// Hexadecimal digits, a hyphen, and more hexadecimal digits.
    let text: String
    /// Files by their path in the folder, which begins with `/`.
    let files: [String: StaticFiles.Identity]

    /// Splits a path `/assets/VERSION/PATH`. Returns `nil` for any other path. The returned path begins with `/`.
    static func address(_ path: String) -> (version: Substring, path: String)? {
        let parts = path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
        guard path.hasPrefix("/assets/"), parts.count == 3, isVersion(parts[1]) else { return nil }
        return (parts[1], "/" + parts[2])
    }

    private static func isVersion(_ text: Substring) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { (1...16).contains($0.utf8.count) && $0.allSatisfy(\.isHexDigit) }
    }

    /// Checks all files of a folder, and reads them if any has changed since `before`. Waits for the disk.
    /// - Returns: `nil` if the folder is too large or a file cannot be read.
    static func look(at root: String, before: FolderVersion?) -> FolderVersion? {
        guard let files = files(of: root) else { return nil }
        if let before, before.files == files { return before }
        var tags = ""
        for (path, identity) in files.sorted(by: { $0.key < $1.key }) {
            let fd = open(root + path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard fd >= 0 else { return nil }
            defer { close(fd) }
            guard let bytes = StaticFiles.contents(fd, identity.size) else { return nil }
            tags += "\(path) \(EntityTag.of(bytes))\n"
        }
        return FolderVersion(text: String(EntityTag.of(Array(tags.utf8)).dropFirst().dropLast()), files: files)
    }

    private static func files(of root: String) -> [String: StaticFiles.Identity]? {
        var files: [String: StaticFiles.Identity] = [:]
        var bytes = 0
        var folders = [""]
        while let folder = folders.popLast() {
            guard let names = names(in: root + folder + "/") else { return nil }
            for path in names.lazy.filter({ !$0.hasPrefix(".") }).map({ "\(folder)/\($0)" }) {
                var status = stat()
                guard lstat(root + path, &status) == 0 else { return nil }
                if status.st_mode & S_IFMT == S_IFDIR { folders.append(path) }
                guard let identity = StaticFiles.Identity(status) else { continue }
                files[path] = identity
                // The sizes of two sparse files may overflow an Int.
                bytes += min(identity.size, maximumBytes + 1)
            }
            guard files.count + folders.count <= maximumFiles, bytes <= maximumBytes else { return nil }
        }
        return files
    }

    private static func names(in folder: String) -> [String]? {
        guard let stream = opendir(folder) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream), names.count <= maximumFiles {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            names.append(name)
        }
        return names
    }
}

extension StaticFiles {
    /// Returns the path of a file without a version.
    public static func plainPath(_ path: String) -> String { FolderVersion.address(path)?.path ?? path }

    /// Version of the folder at the last check. `nil` before ``checkVersion()``, and for a folder without a version.
    public var knownVersion: String? { version.withLock { $0?.text } }

    /// Checks the folder and updates its version. Waits for the disk.
    public func checkVersion() {
        let before = version.withLock { $0 }
        let now = FolderVersion.look(at: root, before: before)
        version.withLock { $0 = now }
    }

    /// Whether the path contains the current version and the file is unchanged since that version was computed.
    func isLasting(_ path: String, _ identity: Identity) -> Bool {
        guard let address = FolderVersion.address(path) else { return false }
        return version.withLock { $0?.text == String(address.version) && $0?.files[address.path] == identity }
    }
}
