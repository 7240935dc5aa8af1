import Catalog
import Foundation
import GRDB
import Glibc
import Media
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct FolderIndexTests {
    let folder: TemporaryFolder
    let cache: TemporaryFolder

    private final class Said: Sendable { let lines = Mutex<[String]>([]) }

    init() throws {
        folder = try TemporaryFolder()
        cache = try TemporaryFolder()
    }

    /// A camera's file.
    private func photograph(
        _ width: Int, _ height: Int, taken: String? = "2019:07:31 14:03:22", orientation: Int? = nil
    ) -> [UInt8] {
        var camera = CameraFile()
        camera.taken = taken
        camera.orientation = orientation
        return camera.bytes(around: Picture.jpeg(width, height))
    }

    private func index() -> PictureIndex { PictureIndex(directory: cache.path) { Issue.record("\($0)") } }

    /// Opens the folder, waits until all facts are known, and stops.
    private func listing(_ index: PictureIndex, path: String = "root") async throws -> Catalog {
        let catalog = try FolderCatalog(path: "\(folder.path)/\(path)", index: index)
        defer { catalog.stop() }
        return await catalog.waitUntil { $0.isComplete && $0.factsKnown == $0.itemCount }
    }

    @Test("the index reads sizes, dates and cameras in the background")
    func reads() async throws {
        try folder.write("root/1.jpg", photograph(30, 20))
        try folder.write("root/2.jpg", photograph(30, 20, orientation: 6))
        try folder.write("root/a/IMG_20180113_101112.jpg", Picture.jpeg(10, 10))
        try folder.write("root/a/broken.jpg", [1, 2, 3])
        let index = index()
        let listing = try await listing(index)
        #expect(listing.itemCount == 4 && listing.factsKnown == 4)
        #expect(listing.item(0)?.width == 30 && listing.item(0)?.height == 20)
        #expect(listing.item(1)?.width == 20 && listing.item(1)?.height == 30)
        #expect(listing.aspectRatios.isKnown(1) && abs(listing.aspectRatios[1] - 2.0 / 3) < 0.001)
        let broken = try #require((2..<4).first { listing.item($0)?.title == "broken" })
        #expect(listing.item(broken)?.width == nil && !listing.aspectRatios.isKnown(broken))
        let columns = try #require(listing.factColumns)
        #expect(columns.taken.count == 4 && columns.taken[broken] == FactColumns.undated)
        #expect(
            columns.cameras == ["", "Lookahead Painted 12"] && columns.camera[0] == 1 && columns.camera[broken] == 0)
        #expect(columns.bytes[broken] == 3 && columns.added[broken] > 1_700_000_000)
        let range = try #require(listing.takenRange)
        #expect(DateTaken(wallSeconds: range.lowerBound, millisecond: 0, offset: nil)?.text == "2018-01-13T10:11:12")
        #expect(DateTaken(wallSeconds: range.upperBound, millisecond: 0, offset: nil)?.text == "2019-07-31T14:03:22")
        let facts = try #require(listing.facts(0))
        #expect(facts.taken?.text == "2019-07-31T14:03:22" && facts.takenSource == .exif)
        #expect(facts.camera.make == "Lookahead" && facts.width == 30 && facts.mediaType == "image/jpeg")
        #expect(listing.facts(broken)?.takenSource == .file && listing.facts(4) == nil)
        index.close()
        // Without the index, the facts come from the picture itself.
        #expect(listing.facts(0) == facts)
    }

    @Test("pictures of one second keep their order by fraction, even after a restart")
    func burst() async throws {
        for (name, year, fraction) in [("a", 2022, "900"), ("m", 2022, "500"), ("z", 2022, "100"), ("y", 1950, "250")] {
            var camera = CameraFile()
            (camera.taken, camera.fraction) = ("\(year):01:01 10:00:00", fraction)
            try folder.write("root/\(name).jpg", camera.bytes(around: Picture.jpeg(30, 20)))
        }
        try folder.write("root/n.jpg", photograph(30, 20, taken: nil))
        for _ in 1...2 {
            let index = index()
            defer { index.close() }
            let listing = try await listing(index)
            // In the order of their names: a, m, n, y, z.
            #expect(listing.factColumns?.millisecond == [900, 500, 0, 250, 100])
            let dates = (0..<5).map { item in listing.factColumns?.taken[item] }
            #expect(dates[3] == DateTaken(wallSeconds: -631_116_000).wallSeconds && dates[0] == dates[4])
            let arranged = ArrangementSource(listing).arranged(Arrangement(sort: .taken, order: .ascending))
            #expect((0..<5).map { arranged.item($0)?.title } == ["y", "z", "m", "a", "n"])
        }
    }

    @Test("after a restart everything is known at once, and unchanged files are not read")
    func restart() async throws {
        let bytes = photograph(30, 20)
        for name in ["root/1.jpg", "root/a/2.jpg", "root/a/3.jpg"] { try folder.write(name, bytes) }
        let first = index()
        let before = try await listing(first)
        var known = before.facts(1)
        known?.added = 12
        first.close()
        // Facts that are read again lose this mark.
        let database = try DatabaseQueue(path: "\(cache.path)/index.sqlite")
        try await database.write { db in
            try db.execute(sql: "UPDATE picture SET added = 12 WHERE name = CAST('2.jpg' AS BLOB)")
        }
        try database.close()
        try folder.write("root/a/3.jpg", photograph(20, 60, taken: "2020:07:31 00:00:00"))
        let again = index()
        let catalog = try FolderCatalog(path: "\(folder.path)/root", index: again)
        defer { catalog.stop() }
        // The facts are known as soon as the folder is listed.
        let shown = await catalog.waitUntil { $0.isComplete }
        #expect(shown.factsKnown == 3 && shown.item(1)?.width == 30)
        let after = await catalog.waitUntil { $0.item(2)?.width == 20 }
        #expect(after.item(1)?.width == 30 && after.item(2)?.height == 60)
        #expect(after.factColumns?.added[1] == 12)
        #expect(known != nil && after.facts(1) == known && after.facts(2)?.taken?.year == 2020)
        #expect(after.factColumns?.cameras == before.factColumns?.cameras)
    }

    private static let hash: [UInt8] = [
        147, 10, 6, 12, 132, 50, 216, 72, 134, 149, 184, 224, 101, 198, 69, 188, 112, 248, 103,
    ]

    @Test("ThumbHashes and failed attempts survive restarts until their file changes")
    func hashes() async throws {
        for name in ["1", "2", "3", "4"] { try folder.write("root/\(name).jpg", photograph(30, 20)) }
        try folder.write("root/a/5.jpg", photograph(30, 20))
        let first = index()
        let listing = try #require(try await listing(first).items as? FolderListing)
        #expect(listing.itemsLackingThumbHash(in: 0..<5, limit: 9) == [0, 1, 2, 3, 4])
        #expect(listing.itemsLackingThumbHash(in: 1..<9, limit: 3) == [1, 2, 3])
        let hash = Self.hash
        listing.keep([0: hash, 1: nil, 3: hash, 4: hash, 7: hash])
        #expect((0..<6).map(listing.thumbHash) == [hash, nil, nil, hash, hash, nil])
        #expect(listing.itemsLackingThumbHash(in: 0..<5, limit: 9) == [2])
        first.close()
        try folder.write("root/4.jpg", photograph(40, 20))
        let catalog = try FolderCatalog(path: "\(folder.path)/root", index: index())
        defer { catalog.stop() }
        let shown = await catalog.waitUntil { $0.isComplete && $0.item(3)?.width == 40 }
        let again = try #require(shown.items as? FolderListing)
        #expect((0..<5).map(again.thumbHash) == [hash, nil, nil, nil, hash])
        #expect(again.itemsLackingThumbHash(in: 0..<5, limit: 9) == [2, 3])
        // The old listing cannot set a hash for the new file.
        listing.keep([3: hash])
        #expect(again.thumbHash(3) == nil)
    }

    @Test("an empty or missing folder keeps its index entries, and a deleted file loses its entry")
    func unreachable() async throws {
        let bytes = photograph(30, 20)
        for name in ["root/1.jpg", "root/2.jpg", "root/a/3.jpg"] { try folder.write(name, bytes) }
        let index = index()
        _ = try await listing(index)
        func known(_ name: String, in path: String = "") throws -> Bool {
            index.use { try $0.facts(Array(name.utf8), in: path, of: "\(folder.path)/root") }.flatMap { $0 } != nil
        }
        try folder.move("root", to: "away")
        try FileManager.default.createDirectory(atPath: "\(folder.path)/root/a", withIntermediateDirectories: true)
        #expect(try await listing(index).itemCount == 0)
        #expect(try known("1.jpg") && known("2.jpg") && known("3.jpg", in: "a"))
        try folder.remove("root")
        try folder.move("away", to: "root")
        try folder.remove("root/2.jpg")
        let back = try await listing(index)
        #expect(back.itemCount == 2 && back.item(0)?.width == 30)
        #expect(try known("1.jpg") && !known("2.jpg"))
    }

    @Test("the index reads a file again if an edit kept its size and modification time")
    func sameSizeAndTime() async throws {
        @Sendable func year(_ catalog: Catalog) -> Int? {
            guard let seconds = catalog.takenRange?.lowerBound else { return nil }
            return DateTaken(wallSeconds: seconds, millisecond: 0, offset: nil)?.year
        }
        let before = photograph(30, 20, taken: "2019:07:31 14:03:22")
        let after = photograph(30, 20, taken: "2021:07:31 14:03:22")
        try folder.write("root/1.jpg", before)
        var options = FolderOptions()
        options.settleTime = 20
        let index = index()
        let catalog = try FolderCatalog(path: "\(folder.path)/root", options: options, index: index)
        await catalog.waitUntil { year($0) == 2019 }
        try folder.overwriteKeepingTime("root/1.jpg", after)
        await catalog.waitUntil { year($0) == 2021 }
        catalog.stop()
        index.close()
        try folder.overwriteKeepingTime("root/1.jpg", before)
        let again = try FolderCatalog(path: "\(folder.path)/root", index: self.index())
        defer { again.stop() }
        await again.waitUntil { year($0) == 2019 }
    }

    @Test("the index follows files that are added, changed or removed")
    func changes() async throws {
        try folder.write("root/1.jpg", photograph(30, 20))
        var options = FolderOptions()
        options.settleTime = 20
        let catalog = try FolderCatalog(path: "\(folder.path)/root", options: options, index: index())
        defer { catalog.stop() }
        await catalog.waitUntil { $0.item(0)?.width == 30 }
        try folder.write("root/2.jpg", photograph(40, 20))
        await catalog.waitUntil { $0.item(0)?.width == 30 && $0.item(1)?.width == 40 }
        try folder.write("root/1.jpg", photograph(50, 20))
        await catalog.waitUntil { $0.item(0)?.width == 50 && $0.item(1)?.width == 40 }
        try folder.remove("root/1.jpg")
        await catalog.waitUntil { $0.itemCount == 1 && $0.item(0)?.width == 40 && $0.factsKnown == 1 }
        #expect(catalog.factsKnown == 1)
    }

    @Test("sidecars and archive files add facts, and their changes are noticed")
    func sidecars() async throws {
        for name in ["a.jpg", "b.jpg", "c.jpg"] { try folder.write("root/\(name)", Picture.jpeg(10, 10)) }
        try folder.write(
            "root/a.jpg.xmp", Array(#"<x exif:DateTimeOriginal="2011-01-31T10:00:00" xmp:Rating="3"/>"#.utf8))
        try folder.write("root/a.xmp", Array(#"<x exif:DateTimeOriginal="2012-01-31T10:00:00"/>"#.utf8))
        try folder.write("root/b.xmp", Array(#"<x xmp:Rating="1"/>"#.utf8))
        let archived =
            #"{"description":"Sea","photoTakenTime":{"timestamp":"1562940202"},"geoData":{"latitude":1.5,"longitude":2,"altitude":0}}"#
        try folder.write("root/c.jpg.supplemental-metadata.json", Array(archived.utf8))
        let index = index()
        let listing = try await listing(index)
        #expect(listing.itemCount == 3)
        let a = try #require(listing.facts(0)), c = try #require(listing.facts(2))
        #expect(a.taken?.year == 2011 && a.takenSource == .sidecar && a.rating == 3)
        #expect(listing.facts(1)?.rating == 1 && listing.facts(1)?.takenSource == .file)
        #expect(c.taken?.text == "2019-07-12T14:03:22" && c.taken?.offset == 0 && c.description == "Sea")
        #expect(c.location == PictureFacts.Location(latitude: 1.5, longitude: 2, altitude: 0))
        try folder.write("root/b.xmp", Array(#"<x xmp:Rating="5"/>"#.utf8))
        let catalog = try FolderCatalog(path: "\(folder.path)/root", index: index)
        defer { catalog.stop() }
        await catalog.waitUntil { $0.facts(1)?.rating == 5 }
    }

    @Test("the index reads links only as far as the folder allows")
    func links() async throws {
        try folder.write("other/far.jpg", photograph(70, 20))
        try folder.write("root/own/a.jpg", photograph(30, 20))
        try folder.link("root/alias.jpg", to: "own/a.jpg")
        var options = FolderOptions()
        options.followsLinks = true
        try folder.link("root/far.jpg", to: "../other/far.jpg")
        let inside = try await listing(index())
        #expect(inside.itemCount == 2 && inside.item(0)?.width == 30)
        let catalog = try FolderCatalog(path: "\(folder.path)/root", options: options, index: index())
        defer { catalog.stop() }
        await catalog.waitUntil { $0.itemCount == 3 && $0.item(1)?.width == 70 }
    }

    @Test("only its owner can read the index file")
    func file() async throws {
        try folder.write("root/1.jpg", photograph(30, 20))
        let index = index()
        defer { index.close() }
        _ = try await listing(index)
        var status = stat()
        #expect(stat(cache.path + "/index.sqlite", &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    /// The bytes of a file of the cache directory.
    private func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: "\(cache.path)/\(name)")))
    }

    /// Opens the index on the existing files, lists the folder and returns the log.
    private func lines() async throws -> [String] {
        let said = Said()
        let index = PictureIndex(directory: cache.path) { line in said.lines.withLock { $0.append(line) } }
        #expect(try await listing(index).item(0)?.width == 30)
        index.close()
        return said.lines.withLock { $0 }
    }

    @Test(
        "a damaged or foreign index file is set aside unchanged under its own name"
    )
    func setAside() async throws {
        try folder.write("root/1.jpg", photograph(30, 20))
        let other = try DatabaseQueue(path: cache.path + "/index.sqlite")
        try await other.write { db in
            try db.execute(sql: "CREATE TABLE diary (day TEXT); INSERT INTO diary VALUES ('one that is kept')")
        }
        try other.close()
        let diary = try bytes("index.sqlite")
        #expect(try await lines().count == 1)
        #expect(try bytes("index.sqlite.old") == diary)

        let garbage = Array("this is no database".utf8)
        try cache.write("index.sqlite", garbage)
        try cache.write("index.sqlite-wal", garbage)
        #expect(try await lines().first?.contains("index.sqlite.old-2") == true)
        #expect(try bytes("index.sqlite.old") == diary)
        #expect(try bytes("index.sqlite.old-2") == garbage && bytes("index.sqlite.old-2-wal") == garbage)

        // A log without its database may hold the only remaining data.
        for name in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"] { unlink("\(cache.path)/\(name)") }
        try cache.write("index.sqlite-wal", garbage)
        #expect(try await lines().count == 1)
        #expect(try bytes("index.sqlite.old-3-wal") == garbage)
        #expect(try await lines().isEmpty)
    }

    @Test("an index of a newer version is set aside, and an older one is removed", arguments: [0x7F, 1])
    func otherVersion(_ version: UInt8) async throws {
        try folder.write("root/1.jpg", photograph(30, 20))
        #expect(try await lines().isEmpty)
        var file = try bytes("index.sqlite")
        // Offset 60 of SQLite's header is the user version.
        file[63] = version
        try cache.write("index.sqlite", file)
        #expect(try await lines().count == (version == 1 ? 0 : 1))
        #expect(FileManager.default.fileExists(atPath: cache.path + "/index.sqlite.old") == (version != 1))
    }

    @Test("an index that cannot be opened is left unchanged and logged")
    func cannotBeOpened() async throws {
        try folder.write("root/1.jpg", photograph(30, 20))
        #expect(try await lines().isEmpty)
        let file = try bytes("index.sqlite")
        for end in ["-wal", "-shm"] { unlink("\(cache.path)/index.sqlite\(end)") }
        // SQLite returns SQLITE_CANTOPEN, as it does if descriptors run out.
        try FileManager.default.createDirectory(
            atPath: cache.path + "/index.sqlite-wal", withIntermediateDirectories: false)
        #expect(try await lines().count == 1)
        #expect(try bytes("index.sqlite") == file)
    }

    @Test("if its file is unusable, the index works in memory and logs this once")
    func unusable() async throws {
        try folder.write("root/1.jpg", photograph(30, 20))
        try cache.write("file")
        let said = Said()
        let index = PictureIndex(directory: cache.path + "/file/sub") { line in said.lines.withLock { $0.append(line) }
        }
        #expect(try await listing(index).item(0)?.width == 30)
        #expect(said.lines.withLock { $0.count } == 1)
    }
}
