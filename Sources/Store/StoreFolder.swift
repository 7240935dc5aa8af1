import Foundation
import Glibc
import Pictures

/// The folder of a store, and its file.
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

    /// Opens the file, and sets aside one that cannot be trusted.
    ///
    /// - Parameter damaged: a file that was opened before and turned out to be damaged; not to be opened again.
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

/// Keeps what is stored from others on this machine: thumbnails show what the pictures show.
package enum StorePrivacy {
    /// Makes the folder where it is missing, for its owner alone. One that is there already is closed to others where it
    /// holds nothing but the store; a folder that is shared with other things is left as it is.
    package static func prepare(_ folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        if names.allSatisfy({ $0.hasPrefix("thumbnails.sqlite") || $0.hasPrefix("index.sqlite") }) {
            tighten(folder, to: 0o700)
        }
    }

    /// Opens a file for its owner alone, making it where it is missing.
    ///
    /// - Returns: the descriptor, which is the caller's to close.
    package static func open(_ path: String) throws -> Int32 {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        tighten(path, to: 0o600)
        return descriptor
    }

    /// Takes the rights of others away; does nothing where there is no such file, or it is another user's.
    package static func tighten(_ path: String, to mode: mode_t) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_uid == geteuid(), status.st_mode & S_IFMT != S_IFLNK,
            status.st_mode & 0o7777 & ~mode != 0
        else { return }
        chmod(path, status.st_mode & mode)
    }
}
