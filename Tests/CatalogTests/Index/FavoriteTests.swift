import Catalog
import Foundation
import Glibc
import Pictures
import TestSupport
import Testing

@Suite("Favourites kept beside the pictures", .timeLimit(.minutes(1))) struct FavoriteTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["a.jpg", "b.jpg", "c.jpg"] { try folder.write("root/\(name)", Picture.jpeg(10, 10)) }
    }

    private func open(_ options: FolderOptions = FolderOptions()) async throws -> FolderCatalog {
        let catalog = try FolderCatalog(
            path: "\(folder.path)/root", options: options, index: PictureIndex(directory: nil))
        await catalog.waitUntil { $0.isComplete && $0.factsKnown == $0.itemCount }
        return catalog
    }

    private func set(_ isFavorite: Bool, _ name: String, in catalog: FolderCatalog) throws {
        let root = FolderRoot(path: "\(folder.path)/root")
        try catalog.setFavorite(isFavorite, of: .file(path: "\(folder.path)/root/\(name)", root: root))
    }

    private func text(_ name: String) -> String? {
        (try? Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/root/\(name)"))).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/root").sorted() }
    }

    @Test("a favourite has a new file beside it, is known at once, and filtered by; taken back, its stars are none")
    func new() async throws {
        let catalog = try await open()
        defer { catalog.stop() }
        try set(true, "b.jpg", in: catalog)
        #expect(try files == ["a.jpg", "b.jpg", "b.jpg.xmp", "c.jpg"])
        #expect(
            (0..<3).map(catalog.catalog.isFavorite) == [false, true, false] && catalog.catalog.facts(1)?.rating == 5)
        var filter = ItemFilter()
        filter.isFavorite = true
        func found() -> [Int?] {
            let arranged = ArrangementSource(catalog.catalog).arranged(Arrangement(filter: filter))
            return (0..<arranged.itemCount).map { arranged.isFavorite($0) ? arranged.original($0) : nil }
        }
        #expect(found() == [1])
        // The listing, which has found the new file meanwhile, says the same.
        await catalog.waitUntil { catalog in
            let page = (catalog.items as? FolderListing)?.pages.first
            return page?.hasSidecar("b.jpg.xmp") == true && catalog.isFavorite(1)
        }
        try set(false, "b.jpg", in: catalog)
        #expect(!catalog.catalog.isFavorite(1) && catalog.catalog.facts(1)?.rating == 0 && found() == [])
        #expect(text("b.jpg.xmp")?.contains(#"xmp:Rating="0""#) == true)
        // An item that is no favourite needs no file to say so.
        try set(false, "c.jpg", in: catalog)
        #expect(try files == ["a.jpg", "b.jpg", "b.jpg.xmp", "c.jpg"])
    }

    @Test("a file that is there keeps all else it says, and its mode")
    func existing() async throws {
        let before =
            #"<x:xmpmeta><rdf:Description dc:subject="lake" xmp:Rating="2"><crs:Tint>+4</crs:Tint></rdf:Description></x:xmpmeta>"#
        let path = try folder.write("root/a.xmp", Array(before.utf8))
        chmod(path, 0o640)
        let catalog = try await open()
        defer { catalog.stop() }
        try set(true, "a.jpg", in: catalog)
        #expect(text("a.xmp") == before.replacing("\"2\"", with: "\"5\""))
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
        #expect(try files == ["a.jpg", "a.xmp", "b.jpg", "c.jpg"] && catalog.catalog.isFavorite(0))
    }

    @Test("nothing is written through a link, nor into what is no XMP, and nothing is left lying")
    func refused() async throws {
        try folder.write("outside/a.jpg.xmp", Array("<rdf:Description/>".utf8))
        try folder.write("outside/far.jpg", Picture.jpeg(10, 10))
        try folder.link("root/a.jpg.xmp", to: "../outside/a.jpg.xmp")
        try folder.write("root/b.jpg.xmp", Array("no XML".utf8))
        try folder.link("root/away", to: "../outside")
        var options = FolderOptions()
        options.followsLinks = true
        let catalog = try await open(options)
        defer { catalog.stop() }
        await catalog.waitUntil { $0.itemCount == 4 }
        for (name, reason) in [
            ("a.jpg", "a.jpg.xmp is a link"), ("b.jpg", "b.jpg.xmp is not an XMP file"), ("away/far.jpg", "leads out"),
            ("gone.jpg", "no longer"),
        ] {
            do {
                try set(true, name, in: catalog)
                Issue.record("\(name)")
            } catch let error as SidecarFailure {
                #expect(error.description.contains(reason), "\(error)")
            }
        }
        #expect(try files == ["a.jpg", "a.jpg.xmp", "away", "b.jpg", "b.jpg.xmp", "c.jpg"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/outside").sorted() == [
                "a.jpg.xmp", "far.jpg",
            ])
        #expect(text("b.jpg.xmp") == "no XML")
    }

    @Test("a file has a name only once it is whole, so that a server that is killed while it writes leaves nothing")
    func whole() async throws {
        let catalog = try await open()
        defer { catalog.stop() }
        let watch = inotify_init1(O_NONBLOCK | O_CLOEXEC)
        defer { close(watch) }
        #expect(inotify_add_watch(watch, "\(folder.path)/root", UInt32(IN_CREATE | IN_MODIFY)) >= 0)
        try set(true, "b.jpg", in: catalog)
        try set(false, "b.jpg", in: catalog)
        var events = [UInt8](repeating: 0, count: 4096)
        let count = read(watch, &events, events.count)
        var (seen, offset) = ([String](), 0)
        while offset < count {
            let (kind, length) = events.withUnsafeBytes {
                (
                    $0.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self),
                    $0.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self)
                )
            }
            let name = String(decoding: events[(offset + 16)...].prefix(Int(length)).prefix { $0 != 0 }, as: UTF8.self)
            seen.append((kind & UInt32(IN_MODIFY) != 0 ? "modified " : "created ") + name)
            offset += 16 + Int(length)
        }
        // One without a name is told of as a number, after #.
        seen.removeAll { $0.contains(" #") }
        #expect(seen.count == 2 && seen.allSatisfy { $0.hasPrefix("created .lookahead-") }, "\(seen)")
    }

    @Test("a link to a picture has its stars beside itself")
    func link() async throws {
        try folder.write("outside/far.jpg", Picture.jpeg(10, 10))
        try folder.link("root/alias.jpg", to: "../outside/far.jpg")
        var options = FolderOptions()
        options.followsLinks = true
        let catalog = try await open(options)
        defer { catalog.stop() }
        try set(true, "alias.jpg", in: catalog)
        #expect(text("alias.jpg.xmp")?.contains("Rating=\"5\"") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/outside") == ["far.jpg"])
    }
}
