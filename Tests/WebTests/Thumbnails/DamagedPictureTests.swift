import Foundation
import JSON
import TestSupport
import Testing

/// A damaged file is shown as far as possible and marked in the list of items, also after a restart.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct DamagedPictureTests {
    private func item(_ index: Int, _ port: UInt16) throws -> JSON {
        let page = try TestClient(port).call("GET", "galleries/pics/items?from=\(index)&count=1").json
        return try #require(page["items"]?.array?.first)
    }

    @Test("a truncated file is shown and marked as damaged until it is replaced")
    func folder() async throws {
        let folder = try TemporaryFolder()
        let whole = Picture.jpeg(400, 300)
        try folder.write("pics/a.jpg", Array(whole.prefix(whole.count * 2 / 3)))
        try folder.write("pics/b.jpg", whole)
        let server = try await LookaheadProcess(["serve", folder.path + "/pics"])
        defer { server.stop() }
        #expect(try item(0, server.port)["damaged"] == nil, "the file has not been read yet")
        for index in 0..<2 {
            let answer = try TestClient(server.port).call("GET", "galleries/pics/items/\(index)/thumbnail?width=128")
            #expect(answer.status == 200)
        }
        #expect(try item(0, server.port)["damaged"] == true)
        #expect(try item(1, server.port)["damaged"] == nil)
        server.stop()
        try await server.restart()
        #expect(try item(0, server.port)["damaged"] == true)
        #expect(try item(1, server.port)["damaged"] == nil)
        // A replaced file is another picture.
        try folder.write("pics/a.jpg", whole)
        _ = try TestClient(server.port).call("GET", "galleries/pics/items/0/thumbnail?width=128")
        #expect(try item(0, server.port)["damaged"] == nil)
    }
}
