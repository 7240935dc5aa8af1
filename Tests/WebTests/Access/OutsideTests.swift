import Catalog
import Foundation
import Glibc
import JSON
import ServerFixtures
import TestSupport
import Testing

/// A folder serves its pictures, and no other files or files outside.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct OutsideTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("outside/far.png", Picture.jpeg(40, 30))
        try folder.write("pics/a.jpg", Picture.jpeg(30, 20))
        try folder.write("pics/page.jpg", Array("<html><script>alert(1)</script></html>".utf8))
        try folder.link("pics/far.png", to: folder.path + "/outside/far.png")
        try folder.link("pics/near.jpg", to: "a.jpg")
        try folder.link("pics/shadow.png", to: "/etc/shadow")
    }

    private func titles(_ port: UInt16) throws -> [String] {
        let items = try TestClient(port).call("GET", "galleries/pics/items").json["items"]?.array ?? []
        return items.compactMap { $0["title"]?.string }
    }

    private func status(_ item: Int, _ kind: String, _ port: UInt16) throws -> TestClient.Answer {
        try TestClient(port).call("GET", "galleries/pics/items/\(item)/\(kind)")
    }

    @Test("links that lead out of the folder are not listed, and a file that is not a picture is refused")
    func confined() async throws {
        let server = try await LookaheadProcess(["serve", folder.path + "/pics"])
        defer { server.stop() }
        #expect(try titles(server.port) == ["a", "near", "page"])
        for item in 0..<2 {
            let original = try status(item, "original", server.port)
            #expect(original.status == 200 && original.header("content-type") == "image/jpeg")
        }
        let page = try status(2, "original", server.port)
        #expect(page.status == 422)
        #expect(page.json["detail"] == "The picture is not available: not a picture: looks like HTML.")
    }

    @Test("a picture replaced with a link out of the folder is refused in every form")
    func swapped() async throws {
        var options = FolderOptions()
        options.settleTime = 60_000
        let pictures = try FolderCatalog(path: folder.path + "/pics", options: options)
        await pictures.waitUntil { $0.isComplete }
        let gated = try await GatedServer()
        try gated.server.galleries.add(pictures, id: "pics")
        #expect(try titles(gated.port).first == "a")
        unlink(folder.path + "/pics/a.jpg")
        try folder.link("pics/a.jpg", to: folder.path + "/outside/far.png")
        for kind in ["original", "thumbnail", "image"] {
            let answer = try status(0, kind, gated.port)
            #expect(answer.status == 422, "\(kind)")
            #expect(answer.json["detail"]?.string?.contains("--follow-links") == true, "\(answer.text)")
        }
        await gated.stop()
        pictures.stop()
    }

    @Test("--follow-links serves linked pictures, but no files other than pictures")
    func following() async throws {
        let server = try await LookaheadProcess(["serve", folder.path + "/pics", "--follow-links"])
        defer { server.stop() }
        #expect(try titles(server.port) == ["a", "far", "near", "page", "shadow"])
        #expect(try status(1, "original", server.port).status == 200)
        #expect(try status(1, "thumbnail", server.port).status == 200)
        #expect(try status(4, "original", server.port).status == 422)
    }
}
