import Foundation
import GRDB
import Glibc
import Pictures

/// A file of SQLite that is ours, in WAL mode. It is looked at before anything is written to it; one that cannot be trusted
/// is set aside, one of an older version removed: what is in our files can be made again.
package struct DatabaseFile: Sendable {
    package let path: String
    /// In the file's header, so that another program's file is not taken for ours.
    let applicationID: Int32
    /// Grows when the tables change.
    let version: Int32
    /// The kind of file, for the operator: "a store of thumbnails".
    let contents: String

    package init(path: String, applicationID: Int32, version: Int32, contents: String) {
        self.path = path
        self.applicationID = applicationID
        self.version = version
        self.contents = contents
    }

    /// Why a file is not to be used as it is.
    package enum Fault: Error {
        /// It is renamed: it is another program's, of a newer version or damaged.
        case notOurs(String)
        /// It is removed.
        case older
        /// So many were renamed that the next would overwrite one.
        case noFreeName
    }

    /// The files of a database by the ends of their names.
    private static let suffixes = ["", "-wal", "-shm", "-journal"]
    private static let namesAside = [".old"] + (2...9).map { ".old-\($0)" }

    /// Opens the file, new or not; processes that do so at the same time take turns.
    ///
    /// - Parameters:
    ///   - open: opens it, and makes the tables where it is empty.
    ///   - setAside: told of a file that was renamed: its new name, and why.
    package func open<Opened>(
        _ open: () throws -> Opened, setAside: (_ name: String, _ reason: String) -> Void
    ) throws -> Opened {
        try StorePrivacy.prepare((path as NSString).deletingLastPathComponent)
        let lock = try StorePrivacy.open(path + ".lock")
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0, errno == EINTR {}
        do {
            try inspect()
            return try privately(open)
        } catch DatabaseFile.Fault.older {
            for suffix in Self.suffixes { unlink(path + suffix) }
        } catch {
            guard let reason = Self.distrust(error, isOpening: true) else { throw error }
            setAside(try rename(), reason)
        }
        return try privately(open)
    }

    private func privately<Opened>(_ open: () throws -> Opened) throws -> Opened {
        // SQLite gives its log and its index the mode of the file.
        close(try StorePrivacy.open(path))
        for name in [""] + Self.namesAside {
            for suffix in Self.suffixes { StorePrivacy.tighten(path + name + suffix, to: 0o600) }
        }
        return try open()
    }

    /// The owner of the file, found without changing it.
    private func inspect() throws {
        var status = stat()
        guard stat(path, &status) == 0, status.st_size > 0 else {
            // SQLite would delete a log that it finds beside nothing.
            if stat(path + "-wal", &status) == 0, status.st_size > 0 {
                throw Fault.notOurs("is missing, but its log exists")
            }
            return
        }
        var options = Configuration()
        options.readonly = true
        options.busyMode = .timeout(2)
        let database = try DatabaseQueue(path: path, configuration: options)
        defer { try? database.close() }
        let (id, version, tables) = try database.read { db in
            (
                try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0,
                try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0,
                try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
            )
        }
        if id == applicationID {
            if version < self.version { throw Fault.older }
            if version > self.version { throw Fault.notOurs("is of version \(version)") }
        } else if id != 0 || version != 0 || tables != 0 {
            throw Fault.notOurs("is not \(contents)")
        }
    }

    /// Why a file that fails so is not to be trusted; `nil` when the fault is not in the file: a full disk, say.
    package static func distrust(_ error: any Error, isOpening: Bool = false) -> String? {
        if case Fault.notOurs(let reason) = error { return reason }
        guard let error = error as? DatabaseError else { return nil }
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT: return "is damaged"
        // The error for missing or different tables at the first query. Later it may mean anything.
        case .SQLITE_ERROR, .SQLITE_MISMATCH: return isOpening ? "has unexpected contents" : nil
        default: return nil
        }
    }

    /// Renames the file with its log, so that a process that still has it open goes on undisturbed.
    ///
    /// - Returns: its new name, which nothing had.
    private func rename() throws -> String {
        let free = Self.namesAside.first { name in
            Self.suffixes.allSatisfy { suffix in
                var status = stat()
                return lstat(path + name + suffix, &status) != 0 && errno == ENOENT
            }
        }
        guard let free else { throw Fault.noFreeName }
        for suffix in Self.suffixes where Glibc.rename(path + suffix, path + free + suffix) != 0 && errno != ENOENT {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        return path + free
    }

    /// The error in the system's words.
    package static func reason(_ error: any Error) -> String {
        switch error {
        case Fault.noFreeName: "nine renamed files exist already, \(namesAside[0]) to \(namesAside[8]): move them away"
        case let error as DatabaseError: error.message ?? error.resultCode.description
        case let error as POSIXError: String(cString: strerror(error.code.rawValue))
        default: (error as NSError).localizedDescription
        }
    }
}
