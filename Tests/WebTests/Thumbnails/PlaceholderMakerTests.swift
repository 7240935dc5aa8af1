import Catalog
import Media
import ServerFixtures
import Synchronization
import TestSupport
import Testing

@Suite("Hashes made in idle time", .timeLimit(.minutes(2))) struct PlaceholderMakerTests {
    /// A request whose response the test delays.
    private struct Held {
        let answer: Task<TestClient.Answer, any Error>
        private let flag = Flag()
        private final class Flag: Sendable { let isRaised = Atomic(false) }

        var isAnswered: Bool { flag.isRaised.load(ordering: .acquiring) }

        init(_ port: UInt16, _ path: String) {
            answer = Task { [flag] in
                defer { flag.isRaised.store(true, ordering: .releasing) }
                return try await TestClient.exchange("GET", port: port, path: path)
            }
        }
    }

    private func open(_ path: String, _ gated: GatedServer, _ id: String) throws -> FolderCatalog {
        let folder = try FolderCatalog(path: path, index: PictureIndex(directory: nil))
        try gated.server.galleries.add(folder, id: id)
        return folder
    }

    @Test("a folder that does not respond does not delay another folder's hashes")
    func folders() async throws {
        let gated = try await GatedServer()
        let folder = try TemporaryFolder()
        for name in ["hung/1.jpg", "well/1.jpg"] { try folder.write(name, Picture.jpeg(30, 20)) }
        // Another gallery of the same folder keeps its threads busy.
        var other = GatedCatalog()
        other.root = FolderRoot(path: "\(folder.path)/hung")
        try gated.server.galleries.add(other, id: "other")
        let held = (0..<2).map { _ in
            Held(gated.port, "/api/v1/galleries/other/items?from=\(GatedCatalog.heldItem)&count=1")
        }
        for _ in held { await other.items.arrival() }
        let hung = try open("\(folder.path)/hung", gated, "hung")
        await hung.waitUntil { $0.isComplete && $0.factsKnown == 1 }
        let well = try open("\(folder.path)/well", gated, "well")
        try await eventually("a hash") { well.catalog.thumbHash(0) != nil }
        #expect(hung.catalog.thumbHash(0) == nil && !held.contains(where: \.isAnswered))
        other.items.open()
        for request in held { #expect(try await request.answer.value.status == 200) }
        try await eventually("a hash of the folder that responds again") { hung.catalog.thumbHash(0) != nil }
        hung.stop()
        well.stop()
        await gated.stop()
    }

    @Test("hashes of previews are made at once, and those of whole pictures wait until no request does")
    func previews() async throws {
        let gated = try await GatedServer()
        let folder = try TemporaryFolder()
        var camera = CameraFile()
        camera.preview = Picture.jpeg(160, 120)
        try folder.write("1.jpg", Picture.jpeg(80, 60))
        try folder.write("2.jpg", camera.bytes(around: Picture.jpeg(800, 600)))
        // Another request waits for a picture.
        var other = GatedCatalog()
        other.root = FolderRoot(path: "/nowhere/Other")
        try gated.server.galleries.add(other, id: "other")
        let gate = TestGate()
        let threads = gated.server.thumbnails.maker.statThreads.threads(for: other.root)
        for _ in 0..<4 { threads.start { gate.pass() } }
        for _ in 0..<4 { await gate.arrival() }
        let held = Held(gated.port, "/api/v1/galleries/other/items/0/thumbnail")
        try await eventually("a picture in flight") { gated.server.thumbnails.pool.counts.running.total > 0 }
        let pictures = try open(folder.path, gated, "pictures")
        try await eventually("a hash of the preview") { pictures.catalog.thumbHash(1) != nil }
        #expect(pictures.catalog.thumbHash(0) == nil && !held.isAnswered)
        gate.open()
        _ = try await held.answer.value
        try await eventually("a hash of the picture") { pictures.catalog.thumbHash(0) != nil }
        pictures.stop()
        await gated.stop()
    }
}
