import Foundation
import GRDB
import Media

extension IndexFile {
    /// Facts and ThumbHashes of pictures that have not been written, by folder.
    struct Findings: Sendable {
        fileprivate var entries: [String: [Entry]] = [:]
        /// By file name.
        fileprivate var hashes: [String: [[UInt8]: IndexedHash]] = [:]
        /// Number of entries and hashes.
        private(set) var count = 0

        mutating func add(_ found: [Entry], in folder: String) {
            guard !found.isEmpty else { return }
            entries[folder, default: []] += found
            count += found.count
            // Earlier hashes belong to the earlier contents of the files.
            if hashes[folder] != nil { for entry in found { hashes[folder]?[entry.name] = nil } }
        }

        mutating func add(_ hash: IndexedHash, of name: [UInt8], in folder: String) {
            hashes[folder, default: [:]][name] = hash
            count += 1
        }
    }

    /// Writes all findings in one transaction. Ignores a hash if its picture has no row.
    func write(_ findings: Findings, of root: String) throws {
        try pool.write { db in
            let insert = try db.cachedStatement(
                sql: "INSERT OR REPLACE INTO picture VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
            for (folder, entries) in findings.entries {
                try db.execute(
                    sql: "INSERT OR IGNORE INTO folder (root, path) VALUES (?, ?)", arguments: [root, folder])
                guard let id = try Self.folder(folder, of: root, db) else { continue }
                // Insert in the order of the table, so that its pages are filled one after the other.
                for entry in entries.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
                    try insert.execute(arguments: [
                        id, Data(entry.name), Int64(entry.stamp.hash), entry.stamp.bytes, entry.stamp.added,
                        try self.id(of: entry.equipment, db), Data(FactCoding.bytes(entry.facts)), IndexedHash.unknown,
                    ])
                }
            }
            let update = try db.cachedStatement(sql: "UPDATE picture SET thumbHash = ? WHERE folder = ? AND name = ?")
            for (folder, hashes) in findings.hashes {
                guard let id = try Self.folder(folder, of: root, db) else { continue }
                for (name, hash) in hashes { try update.execute(arguments: [hash.stored, id, Data(name)]) }
            }
        }
    }

    /// Removes pictures that are no longer in their folder.
    func remove(_ names: [[UInt8]], in folder: String, of root: String) throws {
        guard !names.isEmpty else { return }
        try pool.write { db in
            guard let id = try Self.folder(folder, of: root, db) else { return }
            let statement = try db.cachedStatement(sql: "DELETE FROM picture WHERE folder = ? AND name = ?")
            for name in names { try statement.execute(arguments: [id, Data(name)]) }
        }
    }
}
