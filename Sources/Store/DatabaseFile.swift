import Foundation
import GRDB
import Glibc
import Media

/// An SQLite file of this program, in WAL mode. The file is inspected before anything is written to it. A file that cannot be trusted is
/// renamed, and a file of an older version is removed. All contents can be created again.
package struct DatabaseFile: Sendable {
    package let path: String
    /// Identifies this program's files. Stored in the file's header, so that another program's file is not used.
    let applicationID: Int32
    /// Increase this number if the tables change.
    let version: Int32
    /// Kind of file, for messages to the operator: "a store of thumbnails".
    let contents: String

    package init(path: String, applicationID: Int32, version: Int32, contents: String) {
        self.path = path
        self.applicationID = applicationID
        self.version = version
        self.contents = contents
    }

    /// The reason why a file cannot be used without changes.
    package enum Fault: Error {
        /// The file must be renamed. It belongs to another program, has a newer version, or is damaged.
        case notOurs(String)
        /// The file must be removed.
        case older
        /// The file cannot be renamed, because all names for renamed files are in use.
        case noFreeName
    }

    private static let suffixes = ["", "-wal", "-shm", "-journal"]
    private static let namesAside = [".old"] + (2...9).map { ".old-\($0)" }

    /// Opens the file, and creates it if necessary. Processes that open it at the same time take turns.
    ///
    /// - Parameters:
    ///   - open: opens the file, and creates the tables if the file is empty.
    ///   - setAside: called after a file was renamed, with its new name and the reason.
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
        // SQLite gives its log and its index the mode of the database file.
        close(try StorePrivacy.open(path))
        for name in [""] + Self.namesAside {
            for suffix in Self.suffixes { StorePrivacy.tighten(path + name + suffix, to: 0o600) }
        }
        return try open()
    }

    /// Checks which program and version the file belongs to, without changing the file.
    private func inspect() throws {
        var status = stat()
        guard stat(path, &status) == 0, status.st_size > 0 else {
            // SQLite would delete a log without a database file.
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

    /// Returns the reason to distrust a file after an error, or `nil` if the fault lies elsewhere, such as a full disk.
    package static func distrust(_ error: any Error, isOpening: Bool = false) -> String? {
        if case Fault.notOurs(let reason) = error { return reason }
        guard let error = error as? DatabaseError else { return nil }
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT: return "is damaged"
        // The error for missing or different tables at the first query. Later it may have other causes.
        case .SQLITE_ERROR, .SQLITE_MISMATCH: return isOpening ? "has unexpected contents" : nil
        default: return nil
        }
    }

    /// Renames the file and its log. A process that has them open can continue to use them.
    ///
    /// - Returns: the new name, which was not in use.
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

    /// Returns the error as a text for people, if possible in the system's words.
    package static func reason(_ error: any Error) -> String {
        switch error {
        case Fault.noFreeName: "nine renamed files exist already, \(namesAside[0]) to \(namesAside[8]): move them away"
        case let error as DatabaseError: error.message ?? error.resultCode.description
        case let error as POSIXError: String(cString: strerror(error.code.rawValue))
        default: (error as NSError).localizedDescription
        }
    }
}
