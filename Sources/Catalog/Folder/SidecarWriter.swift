import CLinux
import Glibc
import PhotoFacts
import Pictures
import Synchronization

/// Why the stars of a picture cannot be kept beside it. Its text is for people.
public struct SidecarFailure: Error, Equatable, CustomStringConvertible {
    public let description: String
}

/// Keeps the stars of a folder's pictures in XMP files beside them: in the one that is there, or in a new `NAME.EXT.xmp`.
///
/// A file is written anew and then takes the other's place, so that it is whole at any time. Nothing is written through a link,
/// be it a file or a folder, that leads out of the catalogue's folder.
final class SidecarWriter: Sendable {
    /// The stars of a favourite.
    static let favorite: UInt8 = 5

    private let root: FolderRoot
    /// Held while one is written: two who write the same would lose one's words.
    private let isWriting = Mutex(())

    init(root: FolderRoot) {
        // Any file that may be read.
        self.root = FolderRoot(path: root.path, followsLinks: false)
    }

    /// Writes five stars, or none; what says so already is left as it is. Writes to the disk: not on a thread that must not wait.
    ///
    /// - Parameters:
    ///   - names: of the XMP files that it may have, best first; the first is made where there is none.
    ///   - path: of the picture's folder, relative to the catalogue's.
    ///   - stars: that the picture has where the file beside it says nothing of them.
    func set(
        _ isFavorite: Bool, in names: [String], of path: String, known stars: Int
    ) throws(SidecarFailure) {
        let folder: Int32
        do throws(FolderRoot.Failure) {
            folder = try root.open(path, flags: O_RDONLY | O_DIRECTORY)
        } catch {
            switch error {
            case .leadsOutside:
                throw SidecarFailure(
                    description: "a link leads out of the gallery's folder, and nothing is written there")
            case .system(let code): throw Self.failure("the folder cannot be opened", code)
            }
        }
        defer { close(folder) }
        let result = isWriting.withLock { _ in
            Result { () throws(SidecarFailure) in try Self.set(isFavorite, in: names, known: stars, of: folder) }
        }
        try result.get()
    }

    private static func set(
        _ isFavorite: Bool, in names: [String], known: Int, of folder: Int32
    ) throws(SidecarFailure) {
        let stars = isFavorite ? Int(favorite) : 0
        func isSo(_ stars: Int) -> Bool { (stars == favorite) == isFavorite }
        for candidate in names {
            var status = stat()
            guard fstatat(folder, candidate, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                guard errno == ENOENT else { throw failure("\(candidate) cannot be read", errno) }
                continue
            }
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw SidecarFailure(description: "\(candidate) is a link or not a file, so it is not changed")
            }
            let packet = try read(candidate, in: folder)
            if isSo(XMPMetadata(packet).rating ?? known) { return }
            let written: [UInt8]
            do throws(XMPSidecar.Failure) { written = try XMPSidecar.rated(stars, packet) } catch {
                throw SidecarFailure(description: "\(candidate) is not an XMP file that can hold a rating")
            }
            return try replace(candidate, with: written, mode: status.st_mode & 0o777, in: folder)
        }
        if isSo(known) { return }
        guard let packet = try? XMPSidecar.rated(stars), let new = names.first else {
            throw SidecarFailure(description: "no free file name beside the picture")
        }
        try replace(new, with: packet, mode: 0o644, in: folder)
    }

    private static func read(_ name: String, in folder: Int32) throws(SidecarFailure) -> [UInt8] {
        let file = openat(folder, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { throw failure("\(name) cannot be read", errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= SidecarFiles.longest
        else {
            throw SidecarFailure(description: "\(name) is longer than \(SidecarFiles.longest) bytes")
        }
        let bytes = FilePieces(descriptor: file, count: Int(status.st_size)).bytes(at: 0, Int(status.st_size))
        guard bytes.count == Int(status.st_size) else { throw failure("\(name) cannot be read", EIO) }
        return bytes
    }

    /// Writes a file that has no name yet, so that a process which ends while it writes leaves nothing behind, and then takes
    /// the other's place. Where the file system knows no such files it has a name that the gallery passes over.
    private static func replace(
        _ name: String, with bytes: [UInt8], mode: mode_t, in folder: Int32
    ) throws(SidecarFailure) {
        let temporary = ".lookahead-\(String(UInt64.random(in: .min ... .max), radix: 16)).tmp"
        let unnamed = openat(folder, ".", O_WRONLY | Int32(OpenUnnamed) | O_CLOEXEC, mode)
        let file =
            unnamed >= 0
            ? unnamed : openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard file >= 0 else { throw failure("\(name) cannot be written", errno) }
        var code: Int32 = 0
        var written = 0
        while written < bytes.count, code == 0 {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count >= 0 { written += count } else if errno != EINTR { code = errno }
        }
        if code == 0, fsync(file) != 0 { code = errno }
        // Nothing takes another's place without a name.
        if code == 0, unnamed >= 0,
            linkat(AT_FDCWD, "/proc/self/fd/\(file)", folder, temporary, AT_SYMLINK_FOLLOW) != 0
        {
            code = errno
        }
        if close(file) != 0, code == 0 { code = errno }
        if code == 0, renameat(folder, temporary, folder, name) != 0 { code = errno }
        guard code == 0 else {
            unlinkat(folder, temporary, 0)
            throw failure("\(name) cannot be written", code)
        }
        fsync(folder)
    }

    private static func failure(_ what: String, _ code: Int32) -> SidecarFailure {
        SidecarFailure(description: "\(what): \(String(cString: strerror(code)))")
    }
}
