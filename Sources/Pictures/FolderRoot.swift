import CLinux
import Glibc

/// The folder that a gallery's files are in. What it opens is beneath it, however files, folders and links are swapped
/// meanwhile, unless links may lead out.
public struct FolderRoot: Sendable, Hashable {
    /// Absolute. What leads to it may be links: it was named by the operator.
    public let path: String
    /// Whether links are followed that lead out of the folder.
    public let followsLinks: Bool

    public init(path: String, followsLinks: Bool = false) {
        self.path = path
        self.followsLinks = followsLinks
    }

    /// Why something cannot be opened.
    public enum Failure: Error, Equatable {
        case leadsOutside
        /// The system's error number.
        case system(Int32)
    }

    /// The path relative to the folder of an absolute one in it.
    public func relative(_ path: String) -> String { String(path.dropFirst(self.path.count).drop { $0 == "/" }) }

    /// Opens a file or folder in it.
    ///
    /// - Parameters:
    ///   - file: its path, relative to the folder; empty for the folder itself.
    ///   - flags: of open(2); `O_CLOEXEC` is added.
    /// - Returns: a descriptor, the caller's to close.
    public func open(_ file: String, flags: Int32) throws(Failure) -> Int32 {
        try open(file, flags: flags) { OpenBeneath($0, $1, $2) }
    }

    /// - Parameter beneath: as openat2 with `RESOLVE_BENEATH`.
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
        // The kernel has no such call, a container forbids it, or a link leads to the root and from there perhaps back.
        case ENOSYS, EPERM, EXDEV: return try walk(from: folder, to: file, flags: flags)
        case let code: throw .system(code)
        }
    }

    /// Finds out where the links lead, then goes there step by step and follows none: one that was put there meanwhile is an
    /// error.
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

    /// The path without any link in it.
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

/// Where an item's picture is.
public enum Locator: Sendable, Hashable {
    /// A file of this machine, by absolute path, and the folder it is served from.
    case file(path: String, root: FolderRoot)
    /// An `http` or `https` address, absolute.
    case url(String)
}
