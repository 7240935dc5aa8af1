import Foundation
import GRDB
import PhotoFacts
import Pictures
import Synchronization

/// The file of the index: SQLite in WAL mode. It can be thrown away at any time: everything in it is in the pictures.
package final class IndexFile: Sendable {
    /// "LKIX".
    private static let applicationID: Int32 = 0x4C4B_4958
    /// Grows when the tables change, or when more is read of pictures.
    private static let version: Int32 = 6
    /// How long another process on the same folder may hold the file, in seconds.
    private static let patience = 2.0

    let pool: DatabasePool
    private let equipment: Equipment
    private let ids: Mutex<EquipmentIDs>

    /// The file's own numbers of cameras and lenses, and the process's.
    private struct EquipmentIDs {
        var ofNumber: [UInt16: Int64] = [:]
        var number: [Int64: UInt16] = [:]

        mutating func know(_ id: Int64, _ number: UInt16) {
            ofNumber[number] = id
            self.number[id] = number
        }
    }

    /// A picture as it is written.
    struct Entry: Sendable {
        /// As the file system has it.
        var name: [UInt8]
        var stamp: FileStamp
        var facts: PictureFacts
        var equipment: UInt16
        /// Where in the file its preview lies.
        var preview: Range<Int>?
        var orientation: Orientation
    }

    /// The result of making a picture's ThumbHash.
    package enum IndexedHash: Sendable, Equatable {
        case hash([UInt8])
        /// None can be made.
        case unavailable

        /// As it is written: no bytes where none can be made.
        init(_ bytes: [UInt8]) { self = ThumbHash(bytes: bytes).map { .hash($0.bytes) } ?? .unavailable }

        var bytes: [UInt8] { if case .hash(let bytes) = self { bytes } else { [] } }
    }

    /// Opens the file of a folder, and sets aside one that cannot be trusted.
    ///
    /// - Parameter warn: told in a sentence for the operator when one was set aside.
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
          folder INTEGER NOT NULL, name BLOB NOT NULL,
          bytes INTEGER NOT NULL, modified INTEGER NOT NULL, inode INTEGER NOT NULL, sidecars INTEGER NOT NULL,
          taken INTEGER, source TEXT, width INTEGER, height INTEGER, equipment INTEGER,
          millisecond INTEGER, utcOffset INTEGER, orientation INTEGER, mediaType TEXT,
          seconds REAL, aperture REAL, iso INTEGER, focalLength REAL,
          latitude REAL, longitude REAL, altitude REAL, description TEXT, rating INTEGER,
          previewOffset INTEGER, previewLength INTEGER, motion TEXT, duration REAL,
          thumbHash BLOB,
          PRIMARY KEY (folder, name)
        ) STRICT, WITHOUT ROWID;
        """

    /// Moves what is in the log to the file and lets go of both.
    func close() {
        _ = try? pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
        try? pool.close()
    }

    // MARK: Reading

    /// The facts of a folder's own pictures, in no order. The name lasts as long as the call.
    func forEach(
        in folder: String, of root: String, _ body: (UnsafeBufferPointer<UInt8>, FactRecord, IndexedHash?) -> Void
    ) throws {
        try pool.read { db in
            guard let id = try Self.folder(folder, of: root, db) else { return }
            let statement = try db.cachedStatement(
                sql: """
                    SELECT name, bytes, modified, inode, sidecars, taken, source, width, height, equipment, motion, rating,
                      thumbHash, duration
                    FROM picture WHERE folder = ?
                    """)
            let numbers = ids.withLock { $0.number }
            let rows = try Row.fetchCursor(statement, arguments: [id])
            while let row = try rows.next() {
                // A damaged page may hold anything, so nothing is taken to be of its column's type.
                func number(_ index: Int) -> Int64? { Int64.fromDatabaseValue(row[index] as DatabaseValue) }
                guard let bytes = number(1), let modified = number(2), let inode = number(3), let sidecars = number(4)
                else { continue }
                let stamp = FileStamp(bytes: bytes, modified: modified, inode: inode, sidecars: sidecars)
                var record = FactRecord(stamp: stamp.hash)
                record.bytes = bytes
                record.added = stamp.added
                if let taken = number(5),
                    String.fromDatabaseValue(row[6] as DatabaseValue) != PictureFacts.DateSource.file.rawValue
                {
                    record.taken = taken
                }
                record.width = UInt32(clamping: number(7) ?? 0)
                record.height = UInt32(clamping: number(8) ?? 0)
                record.equipment = number(9).flatMap { numbers[$0] } ?? 0
                record.motion = Self.motion(row[10] as DatabaseValue)
                record.rating = UInt8(clamping: number(11) ?? 0)
                record.duration = Self.duration(row[13] as DatabaseValue)
                let hash = Data.fromDatabaseValue(row[12] as DatabaseValue).map { IndexedHash([UInt8]($0)) }
                try row.withUnsafeData(atIndex: 0) { data in
                    data?.withUnsafeBytes { body($0.bindMemory(to: UInt8.self), record, hash) }
                }
            }
        }
    }

    /// All that is known of a picture, and of which state of its file; `nil` where nothing is.
    package func facts(_ name: [UInt8], in folder: String, of root: String) throws -> (
        facts: PictureFacts, stamp: UInt64
    )? {
        try pool.read { db in
            guard let id = try Self.folder(folder, of: root, db),
                let row = try Row.fetchOne(
                    db.cachedStatement(sql: "SELECT * FROM picture WHERE folder = ? AND name = ?"),
                    arguments: [id, Data(name)])
            else { return nil }
            return facts(row)
        }
    }

    private func facts(_ row: Row) -> (facts: PictureFacts, stamp: UInt64)? {
        func value<T: DatabaseValueConvertible>(_ column: String) -> T? {
            T.fromDatabaseValue(row[column] as DatabaseValue)
        }
        guard let bytes: Int64 = value("bytes"), let modified: Int64 = value("modified"),
            let inode: Int64 = value("inode"), let sidecars: Int64 = value("sidecars")
        else { return nil }
        let stamp = FileStamp(bytes: bytes, modified: modified, inode: inode, sidecars: sidecars)
        var facts = PictureFacts()
        let source: String? = value("source")
        if let taken: Int64 = value("taken"), let source = source.flatMap(PictureFacts.DateSource.init(rawValue:)) {
            facts.taken = DateTaken(
                wallSeconds: taken, millisecond: value("millisecond") ?? 0, offset: value("utcOffset"))
            facts.takenSource = facts.taken == nil ? nil : source
        }
        let number: Int64? = value("equipment")
        if let number = number.flatMap({ id in ids.withLock { $0.number[id] } }) { facts.camera = equipment[number] }
        facts.exposure = PictureFacts.Exposure(
            seconds: value("seconds"), aperture: value("aperture"), iso: value("iso"), focalLength: value("focalLength")
        )
        if let latitude: Double = value("latitude"), let longitude: Double = value("longitude") {
            facts.location = PictureFacts.Location(
                latitude: latitude, longitude: longitude, altitude: value("altitude"))
        }
        facts.description = value("description")
        facts.rating = value("rating")
        facts.width = value("width")
        facts.height = value("height")
        facts.mediaType = value("mediaType")
        facts.motion = Self.motion(row["motion"] as DatabaseValue)
        facts.duration = value("duration")
        facts.bytes = Int(bytes)
        facts.added = stamp.added
        return (facts, stamp.hash)
    }

    private static func motion(_ value: DatabaseValue) -> PictureFacts.Motion? {
        String.fromDatabaseValue(value).flatMap(PictureFacts.Motion.init(rawValue:))
    }

    private static func duration(_ value: DatabaseValue) -> Float { Float(Double.fromDatabaseValue(value) ?? 0) }

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

    /// The file's number for one of the process's; `nil` where no camera is known.
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
