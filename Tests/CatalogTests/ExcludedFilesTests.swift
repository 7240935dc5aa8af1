import Catalog
import TestSupport
import Testing

@Suite("Excluded files and .nomedia folders", .timeLimit(.minutes(1)))
struct ExcludedFilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(excluding patterns: [String] = []) throws -> FolderCatalog {
        var options = FolderOptions()
        options.settleTime = 20
        options.excludes = try ExcludePatterns(patterns)
        return try FolderCatalog(path: folder.path, options: options)
    }

    private func list(excluding patterns: [String] = []) async throws -> Catalog {
        let catalog = try open(excluding: patterns)
        defer { catalog.stop() }
        return await catalog.waitUntil(\.isComplete)
    }

    private func paths(_ listing: Catalog) -> [String] {
        (0..<listing.itemCount).map { index in
            guard case .file(let path, _)? = listing.item(index)?.locator else { return "?" }
            return String(path.dropFirst(folder.path.utf8.count + 1))
        }
    }

    @Test("a folder with a .nomedia file is left out with its subfolders, counted and named")
    func noMedia() async throws {
        for name in ["1.jpg", "a/2.jpg", "a/b/3.jpg", "a/.nomedia", "c/.nomedia/4.jpg", "c/5.jpg"] {
            try folder.write(name)
        }
        let listing = try await list()
        #expect(paths(listing) == ["1.jpg", "c/5.jpg"])
        #expect(listing.leftOut == [LeftOut(.noMedia, count: 1, names: ["a"])])
        #expect(listing.leftOut.sentence == "1 folder has a .nomedia file: a")
    }

    @Test("the gallery's root folder is left out if it holds a .nomedia file")
    func ownFolder() async throws {
        for name in ["1.jpg", "a/2.jpg", ".nomedia"] { try folder.write(name) }
        let listing = try await list()
        #expect(listing.itemCount == 0)
        #expect(listing.leftOut == [LeftOut(.noMedia, count: 1, names: ["."])])
    }

    @Test("adding a .nomedia file hides its folder, and removing the file shows it again")
    func changes() async throws {
        for name in ["1.jpg", "a/2.jpg", "a/b/3.jpg"] { try folder.write(name) }
        let catalog = try open()
        defer { catalog.stop() }
        let before = await catalog.waitUntil { $0.isComplete && $0.itemCount == 3 }
        let hidden = try #require(before.item(1)?.locator)
        for _ in 1...2 {
            try folder.write("a/.nomedia")
            let listing = await catalog.waitUntil { $0.isComplete && $0.itemCount == 1 }
            #expect(listing.leftOut == [LeftOut(.noMedia, count: 1, names: ["a"])])
            #expect(listing.index(of: hidden) == nil)
            try folder.remove("a/.nomedia")
            let shown = await catalog.waitUntil { $0.isComplete && $0.itemCount == 3 }
            #expect(shown.leftOut.isEmpty)
        }
        // A folder that is shown again is watched again.
        try folder.write("a/b/4.jpg")
        await catalog.waitUntil { $0.isComplete && $0.itemCount == 4 }
    }

    @Test("excluded files and folders are left out, counted and named by pattern")
    func excluded() async throws {
        for name in [
            "1.jpg", "2.jpg", "notes.txt", "raw/3.jpg", "a/raw/4.jpg", "a/5.jpg", "a/6.PNG", "b/7.jpg", "b/keep.jpg",
        ] { try folder.write(name) }
        let listing = try await list(excluding: ["raw/", "/2.*", "*.PNG", "*.txt", "b/*", "!b/keep.jpg", "# none"])
        #expect(paths(listing) == ["1.jpg", "a/5.jpg", "b/keep.jpg"])
        #expect(
            listing.leftOut == [
                LeftOut(.excluded, count: 1, names: ["a/6.PNG"], pattern: "*.PNG"),
                LeftOut(.excluded, count: 1, names: ["2.jpg"], pattern: "/2.*"),
                LeftOut(.excluded, count: 1, names: ["b/7.jpg"], pattern: "b/*"),
                LeftOut(.excluded, count: 2, names: ["a/raw", "raw"], pattern: "raw/"),
            ])
        #expect(listing.leftOut.sentence?.hasSuffix("2 files and folders match --exclude raw/: a/raw, raw") == true)
    }

    @Test("a pattern cannot re-include files below an excluded folder")
    func below() async throws {
        for name in ["raw/1.jpg", "raw/keep.jpg", "2.jpg"] { try folder.write(name) }
        #expect(paths(try await list(excluding: ["raw/", "!raw/keep.jpg", "!keep.jpg"])) == ["2.jpg"])
    }

    @Test("a file that appears later is excluded, too")
    func later() async throws {
        try folder.write("1.jpg")
        let catalog = try open(excluding: ["*.png"])
        defer { catalog.stop() }
        await catalog.waitUntil { $0.isComplete && $0.itemCount == 1 }
        try folder.write("2.png")
        try folder.write("3.jpg")
        let listing = await catalog.waitUntil { $0.isComplete && $0.itemCount == 2 }
        #expect(paths(listing) == ["1.jpg", "3.jpg"])
    }

    @Test("each pattern names only the first three files it excludes")
    func names() async throws {
        for number in 1...5 { try folder.write("\(number)/\(number).jpg") }
        let leftOut = try await list(excluding: ["*.jpg"]).leftOut
        #expect(leftOut.map(\.count) == [5] && leftOut.map(\.names.count) == [3])
    }
}
