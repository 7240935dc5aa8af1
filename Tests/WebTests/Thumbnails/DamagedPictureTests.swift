import Foundation
import JSON
import TestSupport
import Testing

/// A damaged file is shown as far as possible and marked in the list of items, also after a restart.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct DamagedPictureTests {
    private func item(_ index: Int, _ api: APIFixture) throws -> JSON {
        let page = try api.call("GET", "galleries/pictures/items?from=\(index)&count=1").json
        return try #require(page["items"]?.array?.first)
    }

    @Test("a truncated file is shown and marked as damaged until it is replaced")
    func folder() async throws {
        let whole = Picture.jpeg(400, 300)
        let api = try await APIFixture(files: ["a.jpg": Array(whole.prefix(whole.count * 2 / 3)), "b.jpg": whole])
        #expect(try item(0, api)["damaged"] == nil, "the file has not been read yet")
        for index in 0..<2 {
            #expect(try api.call("GET", "galleries/pictures/items/\(index)/thumbnail?width=128").status == 200)
        }
        for _ in 1...2 {
            #expect(try item(0, api)["damaged"] == true)
            #expect(try item(1, api)["damaged"] == nil)
            api.server.stop()
            try await api.server.restart()
        }
        // A replaced file is another picture.
        try api.folder.write("pictures/a.jpg", whole)
        _ = try api.call("GET", "galleries/pictures/items/0/thumbnail?width=128")
        #expect(try item(0, api)["damaged"] == nil)
    }
}
