import Foundation
import GRDB
import Media
import Store
import Synchronization

/// The index file: an SQLite database in WAL mode. It can be deleted at any time, because all its data can be read from the pictures.
package final class IndexFile: Sendable {
    /// "LKIX".
    private static let applicationID: Int32 = 0x4C4B_4958
    /// Increase this number if the tables change or if more facts are read from pictures.
    private static let version: Int32 = 9
    /// Maximum wait in seconds for another process that uses the same file.
    private static let patience = 2.0

    let pool: DatabasePool
    private let equipment: Equipment
    private let ids: Mutex<EquipmentIDs>

    /// Maps the file's numbers of cameras and lenses to this process's numbers, and back.
    private struct EquipmentIDs {
        var ofNumber: [UInt16: Int64] = [:]
        var number: [Int64: UInt16] = [:]

        mutating func know(_ id: Int64, _ number: UInt16) {
            ofNumber[number] = id
            self.number[id] = number
        }
    }

    /// A picture to be written.
    struct Entry: Sendable {
        /// File name as in the file system.
        var name: [UInt8]
        var stamp: FileStamp
        var facts: PictureFacts
        var equipment: UInt16
    }

    /// The result of creating a picture's ThumbHash.
    package enum IndexedHash: Sendable, Equatable {
        case hash([UInt8])
        /// No ThumbHash can be created.
        case unavailable

        /// Placeholder for a ThumbHash that has not been tried. As long as a real hash, so that rows stay in place when the hash is
        /// written.
        static let unknown = Data(count: ThumbHashColumn.stride)

        /// - Returns: `nil` for ``unknown``.
        init?(stored: Data) {
            guard stored.contains(where: { $0 != 0 }) else { return nil }
            self = ThumbHash(prefixOf: [UInt8](stored)).map { .hash($0.bytes) } ?? .unavailable
        }

        /// The hash padded with zeros.
        var stored: Data {
            let bytes = if case .hash(let bytes) = self { bytes } else { [1] as [UInt8] }
            return Data(bytes + [UInt8](repeating: 0, count: max(0, ThumbHashColumn.stride - bytes.count)))
        }
    }

    /// Opens the index file in a directory, and renames a damaged one.
    ///
    /// - Parameter warn: receives a sentence for the operator if a file was renamed.
    init(directory: String, equipment: Equipment, warn: (String) -> Void) throws {
        self.equipment = equipment
        let path = directory.hasSuffix("/") ? directory + "index.sqlite" : directory + "/index.sqlite"
        let file = DatabaseFile(
            path: path, applicationID: Self.applicationID, version: Self.version, contents: "an index of pictures")
        let opened = try file.open {
            let pool = try Self.open(path)
            return (pool: pool, ids: try pool.read { db in try Self.equipmentIDs(db, equipment) })
        } setAside: { name, reason in
            warn("\(path) \(reason); it was renamed to \(name) and a new index was created.")
        }
        pool = opened.pool
        ids = Mutex(opened.ids)
    }

    private static func open(_ path: String) throws -> DatabasePool {
        var options = Configuration()
        options.busyMode = .timeout(patience)
        options.maximumReaderCount = 4
        options.label = "lookahead.index"
        options.prepareDatabase { db in
            // Facts lost in a crash are read again.
            if !db.configuration.readonly { try db.execute(sql: "PRAGMA synchronous = OFF") }
        }
        let pool = try DatabasePool(path: path, configuration: options)
        try pool.write { db in
            if try Int32.fetchOne(db, sql: "PRAGMA application_id") != applicationID { try db.execute(sql: schema) }
        }
        return pool
    }

    private static let schema = """
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(version);
        CREATE TABLE folder (id INTEGER PRIMARY KEY, root TEXT NOT NULL, path TEXT NOT NULL, UNIQUE (root, path)) STRICT;
        CREATE TABLE equipment (
          id INTEGER PRIMARY KEY, make TEXT NOT NULL, model TEXT NOT NULL, lens TEXT NOT NULL, UNIQUE (make, model, lens)
        ) STRICT;
        CREATE TABLE picture (
          folder INTEGER NOT NULL, name BLOB NOT NULL, stamp INTEGER NOT NULL, bytes INTEGER NOT NULL, added INTEGER NOT NULL,
          equipment INTEGER, facts BLOB NOT NULL, thumbHash BLOB NOT NULL, PRIMARY KEY (folder, name)
        ) STRICT, WITHOUT ROWID;
        """

    /// Writes the log to the file and closes both.
    func close() {
        _ = try? pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
        try? pool.close()
    }

    // MARK: Reading

    /// Calls `body` with the facts of the pictures directly in a folder, in no particular order. The name is valid only during the call.
    func forEach(
        in folder: String, of root: String, _ body: (UnsafeBufferPointer<UInt8>, FactRecord, IndexedHash?) -> Void
    ) throws {
        try pool.read { db in
            guard let id = try Self.folder(folder, of: root, db) else { return }
            let statement = try db.cachedStatement(
                sql: "SELECT \(Self.columns), name, thumbHash FROM picture WHERE folder = ?")
            let numbers = ids.withLock { $0.number }
            let rows = try Row.fetchCursor(statement, arguments: [id])
            while let row = try rows.next() {
                guard let (facts, stamp) = Self.facts(row) else { continue }
                let equipment = Self.number(row, 3).flatMap { numbers[$0] } ?? 0
                let record = FactRecord(facts, stamp: stamp, equipment: equipment)
                let hash = Data.fromDatabaseValue(row[6] as DatabaseValue).flatMap(IndexedHash.init(stored:))
                try row.withUnsafeData(atIndex: 5) { data in
                    data?.withUnsafeBytes { body($0.bindMemory(to: UInt8.self), record, hash) }
                }
            }
        }
    }

    /// Returns all known facts of a picture and the stamp of its file, or `nil` if unknown.
    package func facts(_ name: [UInt8], in folder: String, of root: String) throws -> (
        facts: PictureFacts, stamp: UInt64
    )? {
        try pool.read { db in
            guard let id = try Self.folder(folder, of: root, db),
                let row = try Row.fetchOne(
                    db.cachedStatement(sql: "SELECT \(Self.columns) FROM picture WHERE folder = ? AND name = ?"),
                    arguments: [id, Data(name)]),
                var found = Self.facts(row)
            else { return nil }
            let number = Self.number(row, 3)
            if let number = number.flatMap({ id in ids.withLock { $0.number[id] } }) {
                found.facts.camera = equipment[number]
            }
            return found
        }
    }

    /// The columns in the order that ``facts(_:)`` requires.
    private static let columns = "stamp, bytes, added, equipment, facts"

    private static func facts(_ row: Row) -> (facts: PictureFacts, stamp: UInt64)? {
        guard let stamp = number(row, 0).flatMap(UInt64.init(exactly:)), let bytes = number(row, 1),
            let added = number(row, 2), let coded = Data.fromDatabaseValue(row[4] as DatabaseValue),
            var facts = FactCoding.facts([UInt8](coded))
        else { return nil }
        (facts.bytes, facts.added) = (Int(bytes), added)
        return (facts, stamp)
    }

    /// A damaged page may contain anything, so the type of a column must be checked.
    private static func number(_ row: Row, _ column: Int) -> Int64? {
        Int64.fromDatabaseValue(row[column] as DatabaseValue)
    }

    static func folder(_ path: String, of root: String, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT id FROM folder WHERE root = ? AND path = ?"), arguments: [root, path])
    }

    // MARK: Cameras and lenses

    private static func equipmentIDs(_ db: Database, _ equipment: Equipment) throws -> EquipmentIDs {
        var ids = EquipmentIDs()
        for row in try Row.fetchAll(db, sql: "SELECT id, make, model, lens FROM equipment") {
            func text(_ index: Int) -> String? {
                String.fromDatabaseValue(row[index] as DatabaseValue).flatMap { $0.isEmpty ? nil : $0 }
            }
            guard let id = Int64.fromDatabaseValue(row[0] as DatabaseValue) else { continue }
            ids.know(id, equipment.number(of: PictureFacts.Camera(make: text(1), model: text(2), lens: text(3))))
        }
        return ids
    }

    /// Returns the file's number for one of the process's numbers, or `nil` if no camera is known.
    func id(of number: UInt16, _ db: Database) throws -> Int64? {
        if number == 0 { return nil }
        if let id = ids.withLock({ $0.ofNumber[number] }) { return id }
        let item = equipment[number]
        let values = [item.make ?? "", item.model ?? "", item.lens ?? ""]
        try db.execute(
            sql: "INSERT OR IGNORE INTO equipment (make, model, lens) VALUES (?, ?, ?)",
            arguments: StatementArguments(values))
        let id = try Int64.fetchOne(
            db, sql: "SELECT id FROM equipment WHERE make = ? AND model = ? AND lens = ?",
            arguments: StatementArguments(values))
        if let id { ids.withLock { $0.know(id, number) } }
        return id
    }
}
