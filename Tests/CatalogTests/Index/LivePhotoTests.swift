import Catalog
import Media
import TestSupport
import Testing

@Suite("Live Photos", .timeLimit(.minutes(1))) struct LivePhotoTests {
    private struct Case: Sendable {
        var taken: String?
        var offset: String?
        var identifier: String?
        /// `2019-07-12T14:03:22+0200`.
        var creationDate: String?
        /// Seconds since 1970, UTC.
        var created: Int?
        var videoIdentifier: String?
        var areOne: Bool
    }

    /// 2019-07-12 12:03:22, UTC.
    private static let seconds = 1_562_933_002

    private static let cases = [
        // Dates within three seconds.
        Case(taken: "2019:07:12 14:03:22", creationDate: "2019-07-12T14:03:25+0200", areOne: true),
        Case(taken: "2019:07:12 14:03:22", creationDate: "2019-07-12T14:03:26+0200", areOne: false),
        // The same moment on clocks of two zones.
        Case(taken: "2019:07:12 14:03:22", offset: "+02:00", created: seconds, areOne: true),
        Case(taken: "2019:07:12 12:03:22", offset: "+02:00", created: seconds, areOne: false),
        Case(taken: "2019:07:12 12:03:21", created: seconds, areOne: true),
        // Apple's date goes before the header's own.
        Case(taken: "2019:07:12 14:03:22", creationDate: "2018-07-12T14:03:22+0200", created: seconds, areOne: false),
        // If either side has no date, the name alone proves nothing.
        Case(taken: "2019:07:12 14:03:22", areOne: false),
        Case(creationDate: "2019-07-12T14:03:22+0200", areOne: false), Case(areOne: false),
        // Identifiers decide, with or without dates.
        Case(identifier: "AAAA-1", videoIdentifier: "AAAA-1", areOne: true),
        Case(identifier: "AAAA-1", videoIdentifier: "AAAA-2", areOne: false),
        Case(taken: "2019:07:12 14:03:22", identifier: "AAAA-1", videoIdentifier: "AAAA-1", areOne: true),
        Case(taken: "2019:07:12 14:03:22", videoIdentifier: "AAAA-1", areOne: false),
        Case(
            taken: "2019:07:12 14:03:22", identifier: "AAAA-1", creationDate: "2019-07-12T14:03:22+0200",
            videoIdentifier: "BBBB-2", areOne: false),
    ]

    private func files(_ pair: Case) -> (picture: [UInt8], video: [UInt8]) {
        var camera = CameraFile(), movie = Movie()
        (camera.taken, camera.offset, camera.contentIdentifier) = (pair.taken, pair.offset, pair.identifier)
        movie.created = pair.created.map(Movie.since1904) ?? 0
        (movie.creationDate, movie.contentIdentifier) = (pair.creationDate, pair.videoIdentifier)
        return (camera.bytes(around: Picture.jpeg(30, 20)), movie.bytes)
    }

    @Test("a picture and a video pair by date or by Apple's identifier, never by name alone", arguments: cases.indices)
    func rule(index: Int) async throws {
        let pair = Self.cases[index]
        let folder = try TemporaryFolder()
        let (picture, video) = files(pair)
        try folder.write("root/IMG_1.JPG", picture)
        try folder.write("root/IMG_1.MOV", video)
        let listing = try await listing(folder)
        // A video that belongs to no picture is an item of its own.
        #expect(listing.itemCount == (pair.areOne ? 1 : 2))
        #expect(listing.facts(0)?.motion == (pair.areOne ? .mov : nil))
        #expect(listing.companions(0) == (pair.areOne ? ["IMG_1.MOV"] : []))
        #expect(listing.notShown.isEmpty)
    }

    private func listing(_ folder: TemporaryFolder, cache: TemporaryFolder? = nil) async throws -> Catalog {
        let index = PictureIndex(directory: cache?.path) { Issue.record("\($0)") }
        defer { index.close() }
        let catalog = try FolderCatalog(path: "\(folder.path)/root", index: index)
        defer { catalog.stop() }
        return await catalog.waitUntil { $0.isComplete && $0.factsKnown == $0.itemCount }
    }

    @Test("only videos without a picture are shown, in any letter case and after a restart")
    func listing() async throws {
        let folder = try TemporaryFolder(), cache = try TemporaryFolder()
        let (picture, video) = files(Self.cases[0])
        let (_, other) = files(Self.cases[1])
        for (name, bytes) in [
            ("IMG_1.DNG", picture), ("IMG_1.jpg", picture), ("IMG_1.mov", video), ("IMG_2.jpg", picture),
            ("img_2.Mp4", video), ("IMG_3.jpg", picture), ("IMG_3.MOV", other), ("IMG_4.MOV", video),
            ("IMG_5.jpg", picture), ("film.mkv", video), ("b/IMG_5.MOV", video),
        ] { try folder.write("root/\(name)", bytes) }
        for _ in 0..<2 {
            let listing = try await listing(folder, cache: cache)
            #expect(
                (0..<listing.itemCount).map { listing.item($0)?.fileName } == [
                    "IMG_1.jpg", "IMG_2.jpg", "IMG_3.jpg", "IMG_3.MOV", "IMG_4.MOV", "IMG_5.jpg", "IMG_5.MOV",
                ])
            #expect((0..<4).map(listing.companions) == [["IMG_1.DNG", "IMG_1.mov"], ["img_2.Mp4"], [], []])
            #expect((0..<4).map { listing.facts($0)?.motion } == [.mov, .mp4, nil, nil])
            #expect(listing.facts(0)?.pairedWith == ["IMG_1.DNG", "IMG_1.mov"])
            #expect(listing.notShown == [KindNotShown(kind: "mkv", count: 1)])
            let arranged = ArrangementSource(listing).arranged(Arrangement(sort: .name, order: .descending))
            let second = try #require((0..<7).first { arranged.item($0)?.fileName == "IMG_2.jpg" })
            #expect(arranged.companions(second) == ["img_2.Mp4"] && arranged.facts(second)?.motion == .mp4)
        }
    }

    @Test("a video that is added or removed is noticed")
    func changes() async throws {
        let folder = try TemporaryFolder()
        let (picture, video) = files(Self.cases[0])
        try folder.write("root/IMG_1.jpg", picture)
        var options = FolderOptions()
        options.settleTime = 20
        let catalog = try FolderCatalog(
            path: "\(folder.path)/root", options: options, index: PictureIndex(directory: nil))
        defer { catalog.stop() }
        await catalog.waitUntil { $0.isComplete && $0.factsKnown == 1 }
        try folder.write("root/IMG_1.MOV", video)
        await catalog.waitUntil { $0.companions(0) == ["IMG_1.MOV"] && $0.notShown.isEmpty }
        try folder.remove("root/IMG_1.MOV")
        await catalog.waitUntil { $0.companions(0) == [] && $0.facts(0)?.motion == nil }
    }

    @Test("a picture's record takes 48 bytes of memory")
    func size() { #expect(MemoryLayout<FactRecord>.stride == 48) }
}
