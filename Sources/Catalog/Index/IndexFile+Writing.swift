import Foundation
import GRDB
import Pictures

extension IndexFile {
    /// Writes what was read of pictures, by their folders, in one transaction.
    func write(_ entries: [String: [Entry]], of root: String) throws {
        try pool.write { db in
            let statement = try db.cachedStatement(
                sql:
                    "INSERT OR REPLACE INTO picture VALUES (\(Array(repeating: "?", count: 29).joined(separator: ", ")))"
            )
            for (folder, entries) in entries {
                try db.execute(
                    sql: "INSERT OR IGNORE INTO folder (root, path) VALUES (?, ?)", arguments: [root, folder])
                guard let id = try Self.folder(folder, of: root, db) else { continue }
                for entry in entries { try write(entry, in: id, statement, db) }
            }
        }
    }

    private func write(_ entry: Entry, in folder: Int64, _ statement: Statement, _ db: Database) throws {
        let facts = entry.facts
        let values: [(any DatabaseValueConvertible)?] = [
            folder, Data(entry.name),
            entry.stamp.bytes, entry.stamp.modified, entry.stamp.inode, entry.stamp.sidecars,
            facts.taken?.wallSeconds, facts.takenSource?.rawValue, facts.width, facts.height,
            try id(of: entry.equipment, db),
            facts.taken?.millisecond, facts.taken?.offset, Int(entry.orientation.rawValue), facts.mediaType,
            facts.exposure.seconds, facts.exposure.aperture, facts.exposure.iso, facts.exposure.focalLength,
            facts.location?.latitude, facts.location?.longitude, facts.location?.altitude,
            facts.description, facts.rating, entry.preview?.lowerBound, entry.preview?.count,
            facts.motion?.rawValue, facts.duration, nil,
        ]
        try statement.execute(arguments: StatementArguments(values))
    }

    /// Writes what was found out of pictures' ThumbHashes, by their folders and names, in one transaction. A picture that is not
    /// there is left out.
    func write(_ hashes: [String: [[UInt8]: IndexedHash]], of root: String) throws {
        try pool.write { db in
            let statement = try db.cachedStatement(
                sql: "UPDATE picture SET thumbHash = ? WHERE folder = ? AND name = ?")
            for (folder, hashes) in hashes {
                guard let id = try Self.folder(folder, of: root, db) else { continue }
                for (name, hash) in hashes { try statement.execute(arguments: [Data(hash.bytes), id, Data(name)]) }
            }
        }
    }

    /// Forgets pictures whose folder was read and is without them.
    func remove(_ names: [[UInt8]], in folder: String, of root: String) throws {
        guard !names.isEmpty else { return }
        try pool.write { db in
            guard let id = try Self.folder(folder, of: root, db) else { return }
            let statement = try db.cachedStatement(sql: "DELETE FROM picture WHERE folder = ? AND name = ?")
            for name in names { try statement.execute(arguments: [id, Data(name)]) }
        }
    }
}
