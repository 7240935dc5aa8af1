import Catalog
import Media
import TestSupport
import Testing

@Suite("Paired RAW files", .timeLimit(.minutes(1))) struct PairedFilesTests {
    /// Names in natural order, each with the second it was taken in; `nil` for one without a date.
    private func pairs(_ files: [(name: String, taken: Int64?)]) -> PairedFiles? {
        var names = TextColumn()
        for file in files { _ = names.append(file.name.utf8) }
        return PairedFiles(
            names,
            files.map {
                var record = FactRecord(stamp: 2)
                record.taken = $0.taken ?? FactColumns.undated
                return record
            })
    }

    @Test(
        "a RAW file pairs with a picture of its name taken within three seconds",
        arguments: [
            ([("IMG_1.CR2", 100), ("IMG_1.JPG", 100)], [1]), ([("IMG_1.CR2", 100), ("IMG_1.JPG", 103)], [1]),
            ([("IMG_1.CR2", 100), ("IMG_1.JPG", 104)], nil), ([("IMG_1.CR2", nil), ("IMG_1.JPG", nil)], nil),
            ([("IMG_1.CR2", 100), ("IMG_1.JPG", nil)], nil), ([("IMG_1.CR2", 100), ("IMG_2.JPG", 100)], nil),
            ([("a.heic", 100), ("a.jpg", 100)], nil), ([("a.CR2", 100), ("a.dng", 100)], nil),
            ([("a.ARW", 9), ("a.heic", 500), ("a.jpg", 9)], [1, 2]), ([("a.jpg", 9), ("a.nef", 9)], [0]),
            ([("dsc4.cr3", 100), ("DSC4.JPG", 100)], [1]), ([("DSC04.JPG", 100), ("dsc4.cr3", 100)], nil),
        ] as [([(String, Int64?)], [UInt32]?)])
    func rule(files: [(String, Int64?)], shown: [UInt32]?) {
        #expect(pairs(files.map { (name: $0.0, taken: $0.1) })?.shown == shown)
    }

    @Test("a listing shows one item for a pair and finds it by either file")
    func listing() async throws {
        let folder = try TemporaryFolder()
        let cache = try TemporaryFolder()
        func photograph(_ second: Int) -> [UInt8] {
            var camera = CameraFile()
            camera.taken = "2019:07:31 14:03:0\(second)"
            return camera.bytes(around: Picture.jpeg(30, 20))
        }
        try folder.write("root/IMG_1.DNG", photograph(1))
        try folder.write("root/IMG_1.jpg", photograph(2))
        try folder.write("root/IMG_2.DNG", photograph(1))
        try folder.write("root/IMG_2.jpg", photograph(9))
        try folder.write("root/b/IMG_1.jpg", photograph(2))
        let index = PictureIndex(directory: cache.path) { Issue.record("\($0)") }
        let catalog = try FolderCatalog(path: "\(folder.path)/root", index: index)
        defer { catalog.stop() }
        let listing = await catalog.waitUntil { $0.isComplete && $0.itemCount == 4 && $0.factsKnown == 4 }
        #expect((0..<4).map { listing.item($0)?.fileName } == ["IMG_1.jpg", "IMG_2.DNG", "IMG_2.jpg", "IMG_1.jpg"])
        #expect(listing.sections.map(\.count) == [3, 1] && listing.sections.map(\.from) == [0, 3])
        #expect(listing.facts(0)?.pairedWith == ["IMG_1.DNG"] && listing.facts(2)?.pairedWith == [])
        #expect(listing.factColumns?.taken.count == 4 && listing.aspectRatios.count == 4)
        var names: [String] = []
        listing.forEachName { names.append(String(decoding: $0, as: UTF8.self)) }
        #expect(names == ["IMG_1.jpg", "IMG_2.DNG", "IMG_2.jpg", "IMG_1.jpg"])
        for item in 0..<4 { #expect(listing.item(item).flatMap { listing.index(of: $0.locator) } == item) }
        let root = FolderRoot(path: "\(folder.path)/root")
        #expect(listing.index(of: .file(path: "\(folder.path)/root/IMG_1.DNG", root: root)) == 0)
        listing.preferFacts(of: 0..<4)
    }
}
