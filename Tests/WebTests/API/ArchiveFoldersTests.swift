import Catalog
import Gallery
import TestSupport
import Testing
import Web

@Suite("The folders of an archive", .timeLimit(.minutes(1))) struct ArchiveFoldersTests {
    /// - Returns: the folders of all items of these ranges.
    private func folders(_ catalog: Catalog, _ ranges: [Range<Int>]) async -> [String] {
        let tree = await ArchiveFolders(GalleryContent(catalog: catalog, serial: 1), ranges: ranges)
        return ranges.joined().map { tree.folders(of: $0).joined(separator: "/") }
    }

    @Test("files keep their folders, without the outer ones that all of them share")
    func gallery() async throws {
        let folder = try TemporaryFolder()
        for path in ["x/2019/a/p.jpg", "x/2019/p.jpg", "x/2019/q.jpg", "x/2020/p.jpg", "z.jpg"] {
            try folder.write(path, Picture.jpeg(10, 10))
        }
        let source = try FolderCatalog(path: folder.path)
        defer { source.stop() }
        let catalog = await source.waitUntil { $0.isComplete && $0.itemCount == 5 }
        func all(_ folders: Set<String>) -> [Int] {
            catalog.sections.filter { folders.contains($0.title) }.flatMap { Array($0.range) }.sorted()
        }
        func found(_ items: [Int]) async -> Set<String> {
            Set(await self.folders(catalog, items.map { $0..<$0 + 1 }))
        }
        #expect(await found(Array(0..<5)) == ["", "x/2019", "x/2019/a", "x/2020"])
        #expect(await found(all(["x/2019", "x/2020"])) == ["2019", "2020"])
        #expect(await found(all(["x/2019", "x/2019/a"])) == ["", "a"])
        #expect(await found(all(["x/2020"])) == [""])
        #expect(await folders(catalog, [0..<5]).count == 5)
    }

    @Test("sections of a list become folders, and the paths of its URLs do not")
    func list() async throws {
        var builder = ListBuilder()
        for (url, section) in [
            ("http://example.com/a/1/p.jpg", "2019/Zoë"), ("http://example.com/a/2/p.jpg", "2020"),
            ("http://example.com/a/3/p.jpg", "Mine"),
        ] {
            try builder.append(ListEntry(url: url, section: section))
        }
        let catalog = builder.finish(title: "Mine").catalog
        #expect(await folders(catalog, [0..<3]) == ["2019/Zoë", "2020", ""])
        #expect(await folders(catalog, [0..<1]) == [""])
        var plain = ListBuilder()
        for number in 1...2 { try plain.append(ListEntry(url: "http://example.com/\(number)/p.jpg")) }
        #expect(await folders(plain.finish(title: "Plain").catalog, [0..<2]) == ["", ""])
    }
}
