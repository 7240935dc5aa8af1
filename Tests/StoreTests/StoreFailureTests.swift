import Foundation
import GRDB
import Media
import Store
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct StoreFailureTests {
    let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    private func thumbnail(_ number: Int) -> Thumbnail { StoreFixture.thumbnail(number, bytes: 12_000) }

    /// Fills the file and closes it.
    private func fill(_ count: Int) async {
        let store = fixture.store()
        for number in 0..<count { store.save(thumbnail(number), as: "\(number)") }
        await store.close()
    }

    /// Whether a store on this folder saves and reads thumbnails again.
    private func works() async -> Bool {
        let first = fixture.store()
        first.save(thumbnail(4242), as: "after")
        await first.close()
        let second = fixture.store()
        let found = await second.thumbnail("after")
        await second.close()
        return found == thumbnail(4242)
    }

    @Test(
        "an unusable folder is reported once, and the store works in memory",
        arguments: ["/proc", "file/below"])
    func unusable(_ place: String) async throws {
        try Data([1]).write(to: URL(fileURLWithPath: fixture.path + "/file"))
        let store = fixture.store { $0.directory = place.hasPrefix("/") ? place : "\(fixture.path)/\(place)" }
        for number in 0..<200 { store.save(thumbnail(number), as: "\(number)") }
        await store.flush()
        #expect(await store.thumbnail("199") == thumbnail(199))
        #expect(!store.statistics.hasDisk)
        #expect(fixture.told.count == 1)
        guard case .memoryOnly? = fixture.told.first else {
            Issue.record("warnings: \(fixture.told)")
            return
        }
        await store.close()
    }

    @Test("a full disk is reported once, and the file can still be read")
    func fullDisk() async throws {
        await fill(20)
        let store = fixture.store { $0.maxPages = 60 }
        for number in 100..<200 { store.save(thumbnail(number), as: "\(number)") }
        await store.flush()
        for number in 200..<300 { store.save(thumbnail(number), as: "\(number)") }
        await store.flush()
        #expect(fixture.told.count == 1)
        guard case .notWriting? = fixture.told.first else {
            Issue.record("warnings: \(fixture.told)")
            return
        }
        #expect("\(fixture.told[0])".contains("full"))
        #expect(store.memory("250") == thumbnail(250))
        #expect(await store.thumbnail("3") == thumbnail(3))
        #expect(store.statistics.dropped > 0)
        await store.close()
    }

    @Test("a file that is not a database is set aside and replaced")
    func notADatabase() async throws {
        let garbage = (0..<50_000).map { UInt8($0 * 7 & 0xFF) }
        try fixture.write(garbage)
        #expect(await works())
        #expect(fixture.told.count == 1)
        guard case .setAside(_, let name, let reason)? = fixture.told.first else {
            Issue.record("warnings: \(fixture.told)")
            return
        }
        #expect(reason == "is damaged")
        #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: name))) == garbage)

        // The next file gets another name.
        try fixture.write([1, 2, 3])
        #expect(await works())
        #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: name))) == garbage)
    }

    @Test("a file without lifetimes is migrated")
    func withoutLifetimes() async throws {
        let first = fixture.store()
        first.save(thumbnail(3), as: "3")
        await first.close()
        try await DatabaseQueue(path: fixture.file).write {
            try $0.execute(sql: "ALTER TABLE thumbnail DROP COLUMN lifetime")
        }
        let second = fixture.store()
        #expect(await second.thumbnail("3") == thumbnail(3))
        second.save(thumbnail(4), as: "4")
        await second.close()
        let third = fixture.store()
        #expect(await third.thumbnail("4") == thumbnail(4))
        #expect(fixture.told.isEmpty)
        await third.close()
    }

    @Test("nothing is overwritten if all set-aside names are taken, and the fix is named")
    func noFreeName() async throws {
        for end in [""] + (2...9).map({ "-\($0)" }) {
            try Data([7]).write(to: URL(fileURLWithPath: "\(fixture.file).old\(end)"))
        }
        try fixture.write([1, 2, 3])
        let store = fixture.store()
        await store.flush()
        #expect(!store.statistics.hasDisk)
        #expect("\(fixture.told)".contains("move them away"))
        await store.close()
        #expect(try fixture.bytes() == [1, 2, 3])
    }

    @Test(
        "only errors in the file itself make it distrusted",
        arguments: [
            ResultCode.SQLITE_FULL, .SQLITE_CANTOPEN, .SQLITE_IOERR, .SQLITE_BUSY, .SQLITE_NOMEM, .SQLITE_READONLY,
        ])
    func trusted(_ code: ResultCode) {
        #expect(DatabaseFile.distrust(DatabaseError(resultCode: code), isOpening: true) == nil)
        #expect(DatabaseFile.distrust(DatabaseError(resultCode: .SQLITE_NOTADB)) != nil)
    }

    @Test("a file of another version or program is set aside", arguments: [60, 68])
    func otherFile(_ offset: Int) async throws {
        await fill(3)
        var bytes = try fixture.bytes()
        // Offset 60 of SQLite's header is the user version, offset 68 the application's id.
        bytes[offset + 3] = 0x7F
        try fixture.write(bytes)
        #expect(await works())
        #expect(fixture.told.count == 1)
        let store = fixture.store()
        #expect(await store.thumbnail("1") == nil)
        await store.close()
    }

    @Test(
        "a damaged or truncated file is set aside and never yields a wrong thumbnail",
        arguments: [nil, 1, 2, 5, 40])
    func damaged(keptPages: Int?) async throws {
        await fill(200)
        var bytes = try fixture.bytes()
        if let keptPages {
            bytes = Array(bytes.prefix(8192 * keptPages))
        } else {
            // The first pages stay whole, so the damage is found when a later page is read.
            for index in stride(from: 8192 * 3, to: bytes.count, by: 512) { bytes[index] ^= 0xFF }
        }
        try fixture.write(bytes)
        let store = fixture.store()
        for number in 0..<200 {
            let found = await store.thumbnail("\(number)")
            #expect(found == nil || found == thumbnail(number))
        }
        store.save(thumbnail(1), as: "new")
        await store.close()
        #expect(fixture.told.count <= 1)
        #expect(await works())
        #expect(fixture.told.contains { if case .setAside = $0 { true } else { false } })
    }

    @Test("a thumbnail with a flipped bit is dropped")
    func flippedBit() async throws {
        await fill(1)
        var bytes = try fixture.bytes()
        let needle = thumbnail(0).bytes.prefix(64)
        let place = try #require(
            (0..<(bytes.count - 64)).first { bytes[$0] == needle[0] && bytes[$0..<$0 + 64].elementsEqual(needle) })
        bytes[place + 5] ^= 1
        try fixture.write(bytes)
        let store = fixture.store()
        #expect(await store.thumbnail("0") == nil)
        store.save(thumbnail(0), as: "0")
        await store.close()
        let again = fixture.store()
        #expect(await again.thumbnail("0") == thumbnail(0))
        await again.close()
    }

    @Test("a copy taken during writes opens and yields no wrong thumbnail")
    func liveCopy() async throws {
        let store = fixture.store()
        for number in 0..<200 { store.save(thumbnail(number), as: "\(number)") }
        await store.flush()
        for number in 200..<2000 { store.save(thumbnail(number), as: "\(number)") }
        let copy = try StoreFixture()
        // Copy the log first, so pages that move from the log to the file are in both copies.
        for suffix in ["-wal", ""] {
            try FileManager.default.copyItem(atPath: fixture.file + suffix, toPath: copy.file + suffix)
        }
        let other = copy.store()
        for number in 0..<2000 {
            let found = await other.thumbnail("\(number)")
            #expect(found == thumbnail(number) || found == nil)
        }
        #expect(copy.told.count <= 1)
        await other.close()
        await store.close()
        #expect(fixture.told.isEmpty)
    }

    @Test("a killed process loses at most its unflushed thumbnails")
    func killed() async throws {
        let path = fixture.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let store = ThumbnailStore(StoreConfiguration(directory: path))
            for number in 0..<300 { store.save(StoreFixture.thumbnail(number, bytes: 12_000), as: "\(number)") }
            await store.flush()
            // Many batches are in flight when the process is killed.
            for number in 300..<3000 { store.save(StoreFixture.thumbnail(number, bytes: 12_000), as: "\(number)") }
            try await eventually("500 written") { store.statistics.written >= 500 }
            kill(getpid(), SIGKILL)
        }
        let store = fixture.store()
        for number in 0..<300 { #expect(await store.thumbnail("\(number)") == thumbnail(number)) }
        for number in 300..<3000 {
            let found = await store.thumbnail("\(number)")
            #expect(found == nil || found == thumbnail(number))
        }
        #expect(fixture.told.isEmpty)
        await store.close()
        #expect(await works())
    }

    @Test("any stored time of use is accepted", arguments: [Int64.min, .max])
    func used(at time: Int64) async throws {
        await fill(1)
        let queue = try DatabaseQueue(path: fixture.file)
        try await queue.write { db in try db.execute(sql: "UPDATE thumbnail SET used = ?", arguments: [time]) }
        try queue.close()
        let store = fixture.store()
        #expect(await store.thumbnail("0") == thumbnail(0))
        await store.close()
    }

    @Test("two processes can write to one file at the same time")
    func otherProcess() async throws {
        let path = fixture.path
        let store = fixture.store()
        store.save(thumbnail(0), as: "0")
        await store.flush()
        async let own: Void = {
            for number in 1..<300 {
                store.save(StoreFixture.thumbnail(number, bytes: 12_000), as: "\(number)")
                if number % 30 == 0 { await store.flush() }
            }
        }()
        await #expect(processExitsWith: .success) { [path = path as String] in
            let store = ThumbnailStore(StoreConfiguration(directory: path))
            for number in 1000..<1300 {
                store.save(StoreFixture.thumbnail(number, bytes: 12_000), as: "\(number)")
                if number % 30 == 0 { await store.flush() }
            }
            let isRead = await store.thumbnail("0") == StoreFixture.thumbnail(0, bytes: 12_000)
            await store.close()
            exit(isRead ? 0 : 1)
        }
        await own
        await store.flush()
        for number in Array(0..<300) + Array(1000..<1300) {
            #expect(await store.thumbnail("\(number)") == thumbnail(number))
        }
        #expect(fixture.told.isEmpty)
        #expect(store.statistics.dropped == 0)
        await store.close()
    }
}
