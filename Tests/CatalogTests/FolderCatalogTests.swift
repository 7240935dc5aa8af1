import Catalog
import Glibc
import Media
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct FolderCatalogTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The paths of the pictures, relative to the folder.
    private func paths(_ listing: FolderListing) -> [String] {
        (0..<listing.itemCount).map { index in
            guard case .file(let path, _)? = listing.item(index)?.locator else { return "?" }
            return String(path.dropFirst(folder.path.count + 1))
        }
    }

    private func list(_ options: FolderOptions = FolderOptions()) async throws -> FolderListing {
        let catalog = try FolderCatalog(path: folder.path, options: options)
        defer { catalog.stop() }
        return try #require(await catalog.waitUntil { $0.isComplete }.items as? FolderListing)
    }

    @Test("a folder's own pictures come before its subfolders, in natural order")
    func order() async throws {
        for name in ["img10.jpg", "img2.JPEG", "b/2.png", "b/1.webp", "a10/x.gif", "a9/x.jpg", "a9/deep/er/y.jpg"] {
            try folder.write(name)
        }
        let listing = try await list()
        #expect(
            paths(listing) == [
                "img2.JPEG", "img10.jpg", "a9/x.jpg", "a9/deep/er/y.jpg", "a10/x.gif", "b/1.webp", "b/2.png",
            ])
        #expect(listing.sections.dropFirst().map(\.title) == ["a9", "a9/deep/er", "a10", "b"])
        #expect(listing.sections.map(\.count) == [2, 1, 1, 1, 2])
        #expect(listing.sections.map(\.from) == [0, 2, 3, 4, 5])
        #expect(listing.sections.first?.title == listing.title)
    }

    @Test("hidden files, other files and pipes with picture names are skipped")
    func passedOver() async throws {
        for name in [".hidden.jpg", ".cache/a.jpg", "notes.txt", "jpg", ".jpg", "movie.jpgx", "ok.jpg"] {
            try folder.write(name)
        }
        try #require(mkfifo(folder.path + "/pipe.jpg", 0o600) == 0)
        let listing = try await list()
        #expect(paths(listing) == ["ok.jpg"])
    }

    @Test("links inside the folder are followed, links that lead out only if allowed")
    func links() async throws {
        let other = try TemporaryFolder()
        try other.write("far.jpg")
        try other.link("home", to: folder.path)
        try other.link("again", to: other.path)
        try folder.write("own/a.jpg")
        try folder.link("alias.jpg", to: "own/a.jpg")
        try folder.link("loop", to: ".")
        try folder.link("sister", to: "own")
        try folder.link("away", to: other.path)
        try folder.link("broken.jpg", to: "nowhere")
        try folder.link("absolute.jpg", to: folder.path + "/own/a.jpg")
        try folder.link("far.jpg", to: other.path + "/far.jpg")
        try folder.link("own/up.jpg", to: "../../\(other.path.split(separator: "/").last ?? "")/far.jpg")
        let listing = try await list()
        #expect(paths(listing) == ["absolute.jpg", "alias.jpg", "own/a.jpg"])
        var options = FolderOptions()
        options.followsLinks = true
        let all = try await list(options)
        #expect(paths(all) == ["absolute.jpg", "alias.jpg", "far.jpg", "away/far.jpg", "own/a.jpg", "own/up.jpg"])
    }

    @Test("depth and count are bounded, and the rest is counted and named")
    func limits() async throws {
        for name in ["1.jpg", "2.jpg", "3.jpg", "a/4.jpg", "a/b/5.jpg", "a/b/c/6.jpg"] { try folder.write(name) }
        var options = FolderOptions()
        options.maxDepth = 1
        let shallow = try await list(options)
        #expect(paths(shallow) == ["1.jpg", "2.jpg", "3.jpg", "a/4.jpg"])
        #expect(shallow.leftOut == [LeftOut(.tooDeep, count: 1, names: ["a/b"])])
        options = FolderOptions()
        options.maxItems = 2
        let few = try await list(options)
        #expect(paths(few) == ["1.jpg", "2.jpg"])
        #expect(
            few.leftOut == [LeftOut(.tooMany, count: 4, names: ["3.jpg", "a/4.jpg", "a/b/5.jpg", "a/b/c/6.jpg"])])
        options = FolderOptions()
        options.maxFolders = 2
        #expect(try await list(options).leftOut == [LeftOut(.tooMany, count: 1, names: ["a/b"])])
    }

    @Test("unsupported pictures and videos are counted by kind, but no other files")
    func notShown() async throws {
        for name in [
            "1.jpg", "2.PSD", "3.psd", "a/4.psd", "a/5.MKV", "a/6.avi", "notes.txt", "a/.DS_Store", "a/._7.psd",
            "psd", ".psd", "b/8.png.xmp",
        ] { try folder.write(name) }
        let listing = try await list()
        #expect(paths(listing) == ["1.jpg"])
        #expect(listing.notShown.map(\.kind) == ["psd", "avi", "mkv"])
        #expect(listing.notShown.map(\.count) == [3, 1, 1])
        #expect(listing.notShown.sentence == "5 files are not shown: 3 PSD, 1 AVI, 1 MKV")
        #expect([KindNotShown]().sentence == nil)
    }

    @Test("RAW files with supported previews are shown, and others are counted")
    func raw() async throws {
        let shown = [
            "3FR", "arw", "cr2", "cr3", "dcr", "dng", "erf", "fff", "gpr", "kdc", "mef", "mos", "NEF", "nrw", "orf",
            "pef", "raf", "rw2", "rwl", "sr2", "srf", "srw",
        ]
        for ending in shown + ["crw", "x3f"] { try folder.write("1.\(ending)") }
        let listing = try await list()
        #expect(paths(listing).sorted() == shown.map { "1.\($0)" }.sorted())
        #expect(listing.notShown.map(\.kind) == ["crw", "x3f"])
    }

    @Test("a name that ends with spaces or dots keeps the extension before them")
    func trailing() async throws {
        for name in ["1.jpg ", "2.JPG.", "my_3.png. . ", "4.psd ", "5.txt ", "6 . ", "7.jpg .x"] {
            try folder.write(name)
        }
        let listing = try await list()
        #expect(paths(listing) == ["1.jpg ", "2.JPG.", "my_3.png. . "])
        #expect((0..<3).map { listing.item($0)?.title } == ["1", "2", "my 3"])
        #expect(listing.notShown.map(\.kind) == ["psd"])
    }

    @Test("pictures of optional formats are shown, or counted with the format named")
    func optionalFormats() async throws {
        for name in ["1.heic", "2.HIF", "3.avif", "4.TIFF", "5.bmp", "6.NEF", "7.cr3", "8.MP4", "9.mov", "A.jxl"] {
            try folder.write(name)
        }
        let listing = try await list()
        let optional: [(PictureKind, [String])] = [
            (.heic, ["1.heic", "2.HIF"]), (.avif, ["3.avif"]), (.tiff, ["4.TIFF"]), (.video, ["8.MP4", "9.mov"]),
            (.jxl, ["A.jxl"]),
        ]
        let shown = (optional.filter(\.0.isListed).flatMap(\.1) + ["5.bmp", "6.NEF", "7.cr3"]).sorted()
        #expect(paths(listing) == shown)
        let missing = optional.filter { !$0.0.isListed }
        #expect(listing.notShown.reduce(0) { $0 + $1.count } == missing.reduce(0) { $0 + $1.1.count })
        let names = missing.map(\.0.rawValue).joined(separator: ", ")
        if !names.isEmpty { #expect(listing.notShown.sentence?.hasSuffix("; this build is without \(names)") == true) }
    }

    @Test("an item's index is found by its file, and its title comes from its name")
    func lookup() async throws {
        for name in ["my_holiday_1.jpg", "x/a.b.jpg", "x/10.jpg", "x/9.jpg"] { try folder.write(name) }
        let listing = try await list()
        #expect(listing.item(0)?.title == "my holiday 1")
        #expect(listing.item(3)?.title == "a.b")
        for index in 0..<4 { #expect(listing.index(of: try #require(listing.item(index)).locator) == index) }
        #expect(listing.index(of: .file(path: folder.path + "/x/11.jpg", root: listing.root)) == nil)
        #expect(listing.index(of: .file(path: folder.path + "/y/9.jpg", root: listing.root)) == nil)
        #expect(listing.item(4) == nil)
        #expect(listing.item(-1) == nil)
    }

    @Test("an empty folder is an empty gallery, and a missing folder is a clear error")
    func emptyAndMissing() async throws {
        let listing = try await list()
        #expect(listing.itemCount == 0)
        #expect(listing.sections.isEmpty)
        #expect { try FolderCatalog(path: folder.path + "/none") } throws: { error in
            "\(error)".contains("/none: No such file")
        }
        try folder.write("file.jpg")
        #expect(throws: FolderError.self) { try FolderCatalog(path: folder.path + "/file.jpg") }
    }
}
