import Catalog
import Glibc
import Media
import Synchronization
import TestSupport
import Testing

@Suite("Files left out of a listing", .timeLimit(.minutes(1))) struct LeftOutTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private final class Said: Sendable { let lines = Mutex<[String]>([]) }

    private func list(_ path: String? = nil, _ options: FolderOptions = FolderOptions()) async throws -> Catalog {
        let catalog = try FolderCatalog(path: path ?? folder.path, options: options)
        defer { catalog.stop() }
        return await catalog.waitUntil(\.isComplete)
    }

    private func names(_ listing: Catalog) -> [String] {
        (0..<listing.itemCount).map { listing.item($0)?.fileName ?? "?" }
    }

    /// Creates an empty file whose name may not be valid text.
    private func write(bytes name: String, _ last: UInt8, _ ending: String = "") throws {
        let path = Array("\(folder.path)/\(name)".utf8) + [last] + ending.utf8 + [0]
        let file = path.map(CChar.init(bitPattern:)).withUnsafeBufferPointer {
            $0.baseAddress.map { open($0, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600) } ?? -1
        }
        try #require(file >= 0)
        close(file)
    }

    @Test("system folders are skipped, and a Photos library shows only its originals")
    func passedOver() async throws {
        for name in [
            "@eaDir/1.jpg/SYNOPHOTO_THUMB_M.jpg", "#recycle/a.jpg", "$RECYCLE.BIN/a.jpg", "a/__MACOSX/a.jpg",
            "lost+found/a.jpg", "X.photoslibrary/originals/0/a.jpg", "X.photoslibrary/Masters/b.jpg",
            "X.photoslibrary/resources/derivatives/c.jpg", "X.photoslibrary/d.jpg",
            "X.photoslibrary/originals/0/resources/e.jpg", "originals.jpg",
        ] { try folder.write(name) }
        let listing = try await list()
        #expect(names(listing) == ["originals.jpg", "b.jpg", "a.jpg", "e.jpg"])
        #expect(listing.leftOut.isEmpty && listing.notShown.isEmpty)
        #expect(names(try await list(folder.path + "/X.photoslibrary")) == ["b.jpg", "a.jpg", "e.jpg"])
    }

    @Test("names that are not UTF-8 are counted and shown with escaped bytes")
    func names() async throws {
        try folder.write("a/1.jpg")
        try write(bytes: "caf", 0xE9, ".jpg")
        try write(bytes: "a/", 0xFF, "é.png")
        try write(bytes: "notes", 0xE9, ".txt")
        let listing = try await list()
        #expect(listing.leftOut == [LeftOut(.notUTF8, count: 2, names: ["a/\\xffé.png", "caf\\xe9.jpg"])])
        #expect(listing.leftOut.sentence == "2 names are not UTF-8: a/\\xffé.png, caf\\xe9.jpg")
    }

    @Test(
        "invalid bytes and control characters are escaped",
        arguments: [
            ([], ""), (Array("aé€😀".utf8), "aé€😀"), ([0x0A, 0x1B, 0x7F], "\\x0a\\x1b\\x7f"), ([0xC3], "\\xc3"),
            ([0xF0, 0x9F, 0x98, 0x61], "\\xf0\\x9f\\x98a"), ([0xC0, 0xAF, 0x80], "\\xc0\\xaf\\x80"),
            ([0xED, 0xA0, 0x80], "\\xed\\xa0\\x80"), ([0xC3, 0xA9, 0xA9], "é\\xa9"),
        ] as [([UInt8], String)])
    func escaped(bytes: [UInt8], text: String) { #expect(FilesLeftOut.escaped(bytes) == text) }

    @Test("links that lead out or nowhere are counted if they look like pictures or folders")
    func links() async throws {
        let other = try TemporaryFolder()
        try other.write("far.jpg")
        try folder.link("away", to: other.path)
        try folder.link("far.jpg", to: other.path + "/far.jpg")
        try folder.link("notes.txt", to: other.path + "/far.jpg")
        try folder.link("broken.jpg", to: "none")
        try folder.link("circle.png", to: "circle.png")
        try folder.link("broken", to: "none")
        try folder.link("inside", to: ".")
        let listing = try await list()
        #expect(
            listing.leftOut == [
                LeftOut(.leadsOut, count: 2, names: ["away", "far.jpg"]),
                LeftOut(.leadsNowhere, count: 2, names: ["broken.jpg", "circle.png"]),
            ])
        var options = FolderOptions()
        options.followsLinks = true
        let all = try await list(nil, options)
        #expect(all.leftOut.map(\.reason) == [.leadsNowhere] && names(all) == ["far.jpg", "far.jpg"])
    }

    @Test("an unreadable folder is logged once and shown once it is readable")
    func unreadable() async throws {
        try folder.write("1.jpg")
        try folder.write("private/2.jpg")
        let path = "\(folder.path)/private"
        chmod(folder.path, 0o755)
        chmod(path, 0)
        let said = Said()
        var options = FolderOptions()
        (options.settleTime, options.checkInterval, options.roundTime) = (20, 10, 10)
        let catalog = try asNobody {
            try FolderCatalog(path: folder.path, options: options) { line in said.lines.withLock { $0.append(line) } }
        }
        defer { catalog.stop() }
        let listing = await catalog.waitUntil(\.isComplete)
        #expect(listing.leftOut == [LeftOut(.unreadable, count: 1, names: ["private"])])
        try folder.write("3.jpg")
        let more = await catalog.waitUntil { $0.itemCount == 2 }
        #expect(more.leftOut == listing.leftOut)
        chmod(path, 0o755)
        let whole = await catalog.waitUntil { $0.itemCount == 3 }
        #expect(whole.leftOut.isEmpty)
        #expect(said.lines.withLock { $0 } == ["\(folder.path): 1 folder cannot be read: private."])
    }

    /// Runs a closure as the user nobody, because root may read everything. Threads that the closure starts keep that user.
    private func asNobody<Value>(_ body: () throws -> Value) rethrows -> Value {
        typealias Function = @convention(c) (UInt32) -> Int32
        let setfsuid = dlsym(nil, "setfsuid").map { unsafeBitCast($0, to: Function.self) }
        let before = setfsuid?(65_534)
        defer { if let before { _ = setfsuid?(UInt32(bitPattern: before)) } }
        return try body()
    }

    @Test("folders beyond the depth limit are counted once, even after changes")
    func changes() async throws {
        try folder.write("a/1.jpg")
        var options = FolderOptions()
        (options.maxDepth, options.settleTime) = (0, 20)
        let catalog = try FolderCatalog(path: folder.path, options: options)
        defer { catalog.stop() }
        for count in 1...3 {
            try folder.write("\(count).jpg")
            let listing = await catalog.waitUntil { $0.isComplete && $0.itemCount == count }
            #expect(listing.leftOut == [LeftOut(.tooDeep, count: 1, names: ["a"])])
        }
        try folder.remove("a")
        await catalog.waitUntil(\.leftOut.isEmpty)
    }
}

@Suite("Files without a telling name", .timeLimit(.minutes(1))) struct UnnamedFilesTests {
    private func list(_ folder: TemporaryFolder) async throws -> Catalog {
        let catalog = try FolderCatalog(path: folder.path)
        defer { catalog.stop() }
        return await catalog.waitUntil(\.isComplete)
    }

    private func names(_ listing: Catalog) -> [String] {
        (0..<listing.itemCount).map { listing.item($0)?.fileName ?? "?" }
    }

    @Test("files with picture bytes are pictures, and pipes do not block the listing")
    func bytes() async throws {
        let folder = try TemporaryFolder()
        let picture = Picture.jpeg(30, 20)
        try folder.write("IMG_0001", picture)
        try folder.write("scan.raw", picture)
        for (name, bytes) in [
            ("sound.raw", Array("RIFF".utf8)), ("camera.MRW", [0, 0x4D, 0x52, 0x4D]), ("notes", Array("<html>".utf8)),
            ("BMW", Array("BMW and other cars of ours".utf8)), ("film", Movie().bytes), ("empty", []),
        ] as [(String, [UInt8])] { try folder.write(name, bytes) }
        try folder.link("alias", to: "IMG_0001")
        try #require(mkfifo(folder.path + "/pipe", 0o600) == 0)
        try folder.link("tube", to: "pipe")
        let listing = try await list(folder)
        #expect(names(listing) == ["alias", "IMG_0001", "scan.raw"])
        #expect(listing.notShown == [KindNotShown(kind: "mrw", count: 1), KindNotShown(kind: "raw", count: 1)])
        #expect(listing.leftOut.isEmpty)
    }

    @Test("only a limited number of such files per folder is examined, and the rest is counted")
    func maximum() async throws {
        let folder = try TemporaryFolder(inMemory: true)
        for number in 0..<4_100 {
            let file = open("\(folder.path)/\(number)", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
            if file >= 0 { close(file) }
        }
        try folder.write("b/IMG_0001", Picture.jpeg(30, 20))
        let listing = try await list(folder)
        #expect(listing.leftOut.map(\.reason) == [.unexamined] && listing.leftOut.map(\.count) == [4])
        #expect(names(listing) == ["IMG_0001"])
    }

    @Test("rare picture extensions are recognised")
    func endings() async throws {
        let folder = try TemporaryFolder()
        let names = ["1.jfif", "2.JPE", "3.mpo", "4.apng", "5.dib", "6.insp"]
        for name in names + ["7.avifs"] { try folder.write(name) }
        let listing = try await list(folder)
        #expect(self.names(listing) == names + (PictureKind.avif.isListed ? ["7.avifs"] : []))
        #expect(listing.leftOut.isEmpty)
    }
}
