import Catalog
import Foundation
import Media
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct FolderWatchTests {
    let folder: TemporaryFolder
    private let options: FolderOptions

    init() throws {
        folder = try TemporaryFolder()
        var options = FolderOptions()
        options.settleTime = 20
        self.options = options
    }

    private func paths(_ listing: Catalog) -> [String] {
        (0..<listing.itemCount).map { index in
            guard case .file(let path, _)? = listing.item(index)?.locator else { return "?" }
            return String(path.dropFirst(folder.path.utf8.count + 1))
        }
    }

    /// Waits until the catalogue shows exactly these pictures. If it never does, the suite's time limit fails the test.
    private func expect(_ catalog: FolderCatalog, _ expected: [String], _ place: SourceLocation = #_sourceLocation)
        async
    {
        let listing = await catalog.waitUntil { $0.isComplete && paths($0) == expected }
        #expect(paths(listing) == expected, sourceLocation: place)
    }

    @Test("files that are added, removed or renamed appear without a request")
    func files() async throws {
        try folder.write("2.jpg")
        let catalog = try FolderCatalog(path: folder.path, options: options)
        defer { catalog.stop() }
        await expect(catalog, ["2.jpg"])
        let revision = catalog.catalog.revision
        try folder.write("10.jpg")
        try folder.write("1.jpg")
        await expect(catalog, ["1.jpg", "2.jpg", "10.jpg"])
        #expect(catalog.catalog.revision > revision)
        try folder.move("2.jpg", to: "3.txt")
        try folder.remove("10.jpg")
        await expect(catalog, ["1.jpg"])
        try folder.link("4.jpg", to: "1.jpg")
        await expect(catalog, ["1.jpg", "4.jpg"])
    }

    @Test("folders that are added, removed, moved or replaced update their pictures")
    func folders() async throws {
        try folder.write("a/1.jpg")
        try folder.write("b/c/2.jpg")
        let catalog = try FolderCatalog(path: folder.path, options: options)
        defer { catalog.stop() }
        await expect(catalog, ["a/1.jpg", "b/c/2.jpg"])
        try folder.write("d/e/f/3.jpg")
        await expect(catalog, ["a/1.jpg", "b/c/2.jpg", "d/e/f/3.jpg"])
        try folder.move("b/c", to: "a/c")
        await expect(catalog, ["a/1.jpg", "a/c/2.jpg", "d/e/f/3.jpg"])
        // A moved folder is still watched, at its new place.
        try folder.write("a/c/4.jpg")
        await expect(catalog, ["a/1.jpg", "a/c/2.jpg", "a/c/4.jpg", "d/e/f/3.jpg"])
        try folder.remove("a/c")
        try folder.write("a/c/5.jpg")
        await expect(catalog, ["a/1.jpg", "a/c/5.jpg", "d/e/f/3.jpg"])
        try folder.write("a/c/6.jpg")
        await expect(catalog, ["a/1.jpg", "a/c/5.jpg", "a/c/6.jpg", "d/e/f/3.jpg"])
        try folder.remove("d")
        try folder.remove("a")
        await expect(catalog, [])
        #expect(catalog.catalog.sections.isEmpty)
    }

    @Test("a change of a file's permissions or times is a new revision")
    func attributes() async throws {
        let path = try folder.write("1.jpg")
        let catalog = try FolderCatalog(path: folder.path, options: options)
        defer { catalog.stop() }
        await expect(catalog, ["1.jpg"])
        let revision = catalog.catalog.revision
        #expect(chmod(path, 0o600) == 0)
        let changed = await catalog.waitUntil { $0.revision > revision }
        let times = [timespec(tv_sec: 12, tv_nsec: 0), timespec(tv_sec: 12, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
        await catalog.waitUntil { $0.revision > changed.revision }
    }

    @Test("a permission change does not show a new file before it is complete")
    func attributesOfHalfWritten() async throws {
        try folder.write("a/1.jpg")
        let catalog = try FolderCatalog(path: folder.path, options: options)
        defer { catalog.stop() }
        await expect(catalog, ["a/1.jpg"])
        let handle = try #require(fopen(folder.path + "/2.jpg", "w"))
        #expect(fchmod(fileno(handle), 0o600) == 0)
        // Once a later change elsewhere is shown, the watch has seen this one.
        try folder.write("a/3.jpg")
        await expect(catalog, ["a/1.jpg", "a/3.jpg"])
        fclose(handle)
        await expect(catalog, ["2.jpg", "a/1.jpg", "a/3.jpg"])
    }

    @Test("a file is not shown while it is being written")
    func halfWritten() async throws {
        try folder.write("w/1.jpg")
        let catalog = try FolderCatalog(path: folder.path, options: options)
        defer { catalog.stop() }
        await expect(catalog, ["w/1.jpg"])
        let handle = try #require(fopen(folder.path + "/w/2.jpg", "w"))
        fputs("half", handle)
        fflush(handle)
        // Once a later file elsewhere is shown, the watch has seen the open file, too.
        try folder.write("other.jpg")
        await expect(catalog, ["other.jpg", "w/1.jpg"])
        fclose(handle)
        await expect(catalog, ["other.jpg", "w/1.jpg", "w/2.jpg"])
    }

    @Test("a periodic round through the folders finds changes without notice")
    func round() async throws {
        for name in ["a/1.jpg", "b/1.jpg", "c/1.jpg"] { try folder.write(name) }
        var options = options
        (options.checkInterval, options.roundTime) = (10, 30)
        let catalog = try FolderCatalog(path: folder.path, options: options)
        defer { catalog.stop() }
        await expect(catalog, ["a/1.jpg", "b/1.jpg", "c/1.jpg"])
        // inotify reports a file when it is closed, and these stay open.
        let handles = try ["a/2.jpg", "b/2.jpg"].map { try #require(fopen("\(folder.path)/\($0)", "w")) }
        defer { for handle in handles { fclose(handle) } }
        await expect(catalog, ["a/1.jpg", "a/2.jpg", "b/1.jpg", "b/2.jpg", "c/1.jpg"])
    }

    @Test("a snapshot does not change, and the next snapshot has the new positions")
    func values() async throws {
        try folder.write("5.jpg")
        try folder.write("z/9.jpg")
        let catalog = try FolderCatalog(path: folder.path, options: options)
        defer { catalog.stop() }
        await expect(catalog, ["5.jpg", "z/9.jpg"])
        let before = catalog.catalog
        let nine = try #require(before.item(1)).locator
        try folder.write("1.jpg")
        try folder.write("k/1.jpg")
        await expect(catalog, ["1.jpg", "5.jpg", "k/1.jpg", "z/9.jpg"])
        #expect(before.itemCount == 2)
        #expect(before.index(of: nine) == 1)
        #expect(catalog.catalog.index(of: nine) == 3)
        #expect(catalog.catalog.revision > before.revision)
    }

    @Test("changes report growing revisions and end when the catalogue stops")
    func changes() async throws {
        let catalog = try FolderCatalog(path: folder.path, options: options)
        await catalog.waitUntil { $0.isComplete }
        let changes = catalog.changes
        try folder.write("1.jpg")
        var seen: [Int] = []
        for await revision in changes {
            seen.append(revision)
            if seen.count == 1 { try folder.write("2.jpg") } else { catalog.stop() }
        }
        #expect(seen.count >= 2)
        #expect(seen == seen.sorted() && Set(seen).count == seen.count)
        for await _ in catalog.changes { Issue.record("a stopped catalogue reported a change") }
    }

    @Test("a released catalogue closes its descriptors")
    func released() async throws {
        func open() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
                return target?.contains("inotify") == true
            }
        }
        // Other tests run at the same time, so check only that fifty catalogues do not leave fifty descriptors.
        let before = try open()
        for _ in 0..<50 {
            let catalog = try FolderCatalog(path: folder.path, options: options)
            await catalog.waitUntil { $0.isComplete }
        }
        try await eventually("descriptors closed", of: { try open() }) { $0 <= before + 20 }
    }
}
