import Foundation
import GRDB
import Glibc

/// Opens the file of a folder, and sets aside one that cannot be trusted.
struct StoreFolder: Sendable {
    let configuration: StoreConfiguration
    let path: String
    private let directory: String

    init?(_ configuration: StoreConfiguration) {
        guard let directory = configuration.directory else { return nil }
        self.configuration = configuration
        self.directory = directory
        path = directory.hasSuffix("/") ? directory + "thumbnails.sqlite" : directory + "/thumbnails.sqlite"
    }

    /// Opens the file, new or not; processes that do so at the same time take turns.
    ///
    /// - Parameter damaged: a file that was opened before and turned out to be damaged; not to be opened again.
    func open(instead damaged: ThumbnailFile? = nil, warn: (StoreWarning) -> Void) throws -> ThumbnailFile {
        try StorePrivacy.prepare(directory)
        let lock = try StorePrivacy.open(path + ".lock")
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0, errno == EINTR {}
        do {
            if let damaged, damaged.inode == ThumbnailFile.inode(path) {
                throw ThumbnailFile.Fault.notOurs("is damaged")
            }
            return try privateFile()
        } catch {
            guard let reason = Self.distrust(error, isOpening: true) else { throw error }
            let name = try setAside()
            warn(.setAside(path: path, as: name, reason: reason))
            return try privateFile()
        }
    }

    private func privateFile() throws -> ThumbnailFile {
        // SQLite gives its log and its index the mode of the file.
        close(try StorePrivacy.open(path))
        for suffix in ["-wal", "-shm", ".old", ".old-wal", ".old-shm"] {
            StorePrivacy.tighten(path + suffix, to: 0o600)
        }
        return try ThumbnailFile(path: path, configuration: configuration)
    }

    /// Why a file that fails so is not to be trusted; `nil` when the fault is not in the file.
    static func distrust(_ error: any Error, isOpening: Bool = false) -> String? {
        if case ThumbnailFile.Fault.notOurs(let reason) = error { return reason }
        guard let error = error as? DatabaseError else { return nil }
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT: return "is damaged"
        // What tables that are missing or different answer to the first question. Later it may mean anything.
        case .SQLITE_ERROR, .SQLITE_MISMATCH: return isOpening ? "is not as it should be" : nil
        default: return nil
        }
    }

    /// Renames the file with its log, so that a process that still has it open goes on undisturbed.
    private func setAside() throws -> String {
        let other = path + ".old"
        for suffix in ["", "-wal", "-shm"] {
            unlink(other + suffix)
            if rename(path + suffix, other + suffix) != 0, errno != ENOENT {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
        }
        return other
    }

    /// What went wrong, in the system's words.
    static func reason(_ error: any Error) -> String {
        switch error {
        case let error as DatabaseError: error.message ?? error.resultCode.description
        case let error as POSIXError: String(cString: strerror(error.code.rawValue))
        default: (error as NSError).localizedDescription
        }
    }
}
