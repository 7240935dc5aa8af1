import Foundation
import Glibc
import Media

struct StoreFolder: Sendable {
    let configuration: StoreConfiguration
    private let file: DatabaseFile

    init?(_ configuration: StoreConfiguration) {
        guard let directory = configuration.directory else { return nil }
        self.configuration = configuration
        file = DatabaseFile(
            path: directory.hasSuffix("/") ? directory + "thumbnails.sqlite" : directory + "/thumbnails.sqlite",
            applicationID: ThumbnailFile.applicationID, version: ThumbnailFile.version,
            contents: "a store of thumbnails")
    }

    var path: String { file.path }

    /// Opens the file, and renames one that cannot be trusted.
    ///
    /// - Parameter damaged: a file that was opened before and turned out to be damaged. It is not opened again.
    func open(instead damaged: ThumbnailFile? = nil, warn: (StoreWarning) -> Void) throws -> ThumbnailFile {
        try file.open {
            if let damaged, damaged.inode == ThumbnailFile.inode(path) {
                throw DatabaseFile.Fault.notOurs("is damaged")
            }
            return try ThumbnailFile(path: path, configuration: configuration)
        } setAside: { name, reason in
            warn(.setAside(path: path, as: name, reason: reason))
        }
    }
}

/// Hides stored data from other users of this machine, because thumbnails show the contents of the pictures.
package enum StorePrivacy {
    /// Creates the folder if it is missing, with access only for its owner. Removes other users' access to an existing folder if it
    /// contains only this program's databases. Does not change a folder with other files.
    package static func prepare(_ folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        if names.allSatisfy({ $0.hasPrefix("thumbnails.sqlite") || $0.hasPrefix("index.sqlite") }) {
            tighten(folder, to: 0o700)
        }
    }

    /// Opens a file with access only for its owner. Creates the file if it is missing.
    ///
    /// - Returns: the descriptor, which the caller must close.
    package static func open(_ path: String) throws -> Int32 {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        tighten(path, to: 0o600)
        return descriptor
    }

    /// Removes other users' access to a file. Does nothing if the file does not exist or belongs to another user.
    package static func tighten(_ path: String, to mode: mode_t) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_uid == geteuid(), status.st_mode & S_IFMT != S_IFLNK,
            status.st_mode & 0o7777 & ~mode != 0
        else { return }
        chmod(path, status.st_mode & mode)
    }
}
