import Glibc

/// A short text that identifies the contents of a folder's files and changes when any of them does.
struct FolderVersion: Sendable {
    /// A year, the longest that is heeded (RFC 9111, section 5.2.2.1; `immutable` is RFC 8246).
    static let cacheControl = "max-age=31536000, immutable"
    /// A folder of more than a page's files has no version.
    private static let mostFiles = 2000
    private static let mostBytes = 32 << 20

    /// Hexadecimal digits, a hyphen and hexadecimal digits.
    let text: String
    /// By the path from the folder on, which begins with `/`.
    let files: [String: StaticFiles.Identity]

    /// The parts of an address `/assets/VERSION/PATH`; nil for any other. The path begins with `/`.
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

    /// Looks at every file of a folder, and reads them all where one is another than before. Waits for the disk.
    /// - Returns: nil where the folder holds too much, or a file cannot be read.
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
                // Two sparse files may have more bytes than an Int tells.
                bytes += min(identity.size, mostBytes + 1)
            }
            guard files.count + folders.count <= mostFiles, bytes <= mostBytes else { return nil }
        }
        return files
    }

    private static func names(in folder: String) -> [String]? {
        guard let stream = opendir(folder) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream), names.count <= mostFiles {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            names.append(name)
        }
        return names
    }
}

extension StaticFiles {
    /// The path of a file without the version that its address may hold.
    public static func plainPath(_ path: String) -> String { FolderVersion.address(path)?.path ?? path }

    /// The folder's version as it was when last looked at; nil before ``lookAtVersion()``, and for a folder that has none.
    public var knownVersion: String? { version.withLock { $0?.text } }

    /// Looks at the folder for its version. Waits for the disk.
    public func lookAtVersion() {
        let before = version.withLock { $0 }
        let now = FolderVersion.look(at: root, before: before)
        version.withLock { $0 = now }
    }

    /// Whether a file at an address with a version is the one that the version is of.
    func isLasting(_ path: String, _ identity: Identity) -> Bool {
        guard let address = FolderVersion.address(path) else { return false }
        return version.withLock { $0?.text == String(address.version) && $0?.files[address.path] == identity }
    }
}
