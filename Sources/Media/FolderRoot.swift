import CLinux
import Glibc

/// The folder that contains a gallery's files. Opens only files and folders beneath it, even if files, folders and links are swapped at the
/// same time. Only if ``followsLinks`` is set, links may lead outside.
public struct FolderRoot: Sendable, Hashable {
    /// Absolute path. It may contain links, because the operator chose it.
    public let path: String
    /// Whether links that lead out of the folder are followed.
    public let followsLinks: Bool

    public init(path: String, followsLinks: Bool = false) {
        self.path = path
        self.followsLinks = followsLinks
    }

    public enum Failure: Error, Equatable {
        case leadsOutside
        case system(Int32)
    }

    /// Returns the path relative to the folder for an absolute path inside it.
    public func relative(_ path: String) -> String { String(path.dropFirst(self.path.count).drop { $0 == "/" }) }

    /// Opens a file or folder inside the folder.
    ///
    /// - Parameters:
    ///   - file: path relative to the folder. Empty for the folder itself.
    ///   - flags: flags of open(2). `O_CLOEXEC` is added.
    /// - Returns: a descriptor, which the caller closes.
    public func open(_ file: String, flags: Int32) throws(Failure) -> Int32 {
        try open(file, flags: flags) { OpenBeneath($0, $1, $2) }
    }

    /// - Parameter beneath: works like openat2 with `RESOLVE_BENEATH`.
    package func open(
        _ file: String, flags: Int32, beneath: (_ folder: Int32, _ path: String, _ flags: Int32) -> Int32
    ) throws(Failure) -> Int32 {
        let flags = flags | O_CLOEXEC
        if followsLinks { return try Self.checked(Glibc.open(file.isEmpty ? path : "\(path)/\(file)", flags)) }
        let folder = try Self.checked(Glibc.open(path, Int32(OpenPathOnly) | O_DIRECTORY | O_CLOEXEC))
        defer { close(folder) }
        let opened = beneath(folder, file.isEmpty ? "." : file, flags)
        if opened >= 0 { return opened }
        switch errno {
        // The kernel lacks this call, a container forbids it, or a link leads to the root and perhaps back into the folder.
        case ENOSYS, EPERM, EXDEV: return try walk(from: folder, to: file, flags: flags)
        case let code: throw .system(code)
        }
    }

    /// Resolves all links, then opens the result step by step without following links. A link that was added after resolving is an error.
    private func walk(from folder: Int32, to file: String, flags: Int32) throws(Failure) -> Int32 {
        guard let root = Self.resolved(path), let target = Self.resolved(file.isEmpty ? path : "\(path)/\(file)") else {
            throw .system(errno)
        }
        let prefix = root.hasSuffix("/") ? root : root + "/"
        guard target == root || target.hasPrefix(prefix) else { throw .leadsOutside }
        let names = target.dropFirst(prefix.count).split(separator: "/")
        var place = try Self.checked(fcntl(folder, F_DUPFD_CLOEXEC, 0))
        defer { close(place) }
        for name in names.dropLast() {
            let flags = Int32(OpenPathOnly) | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
            let next = try Self.checked(openat(place, String(name), flags))
            close(place)
            place = next
        }
        return try Self.checked(openat(place, names.last.map(String.init) ?? ".", flags | O_NOFOLLOW))
    }

    private static func resolved(_ path: String) -> String? {
        guard let target = realpath(path, nil) else { return nil }
        defer { free(target) }
        return String(cString: target)
    }

    private static func checked(_ result: Int32) throws(Failure) -> Int32 {
        guard result >= 0 else { throw .system(errno) }
        return result
    }
}

/// Location of an item's picture.
public enum Locator: Sendable, Hashable {
    /// A file on this machine: its absolute path, and the folder that it is served from.
    case file(path: String, root: FolderRoot)
    /// An absolute `http` or `https` URL.
    case url(String)
}
