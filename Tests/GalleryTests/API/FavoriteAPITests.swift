import Foundation
import JSON
import TestSupport
import Testing

@Suite("Favourites over the API", .serialized, .timeLimit(.minutes(1)))
struct FavoriteAPITests {
    private static func beside(_ api: APIFixture) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: "\(api.folder.path)/pictures").filter { $0.contains("xmp") }
    }

    @Test("an item is made a favourite and no favourite again, in any order of the gallery, and filtered by")
    func favorite() async throws {
        let api = try await APIFixture(["--write-sidecars"])
        #expect(try api.call("GET", "galleries/pictures").json["favorites"] == true)
        let byName = try #require(
            try api.call("POST", "galleries", ["of": "pictures", "sort": "name", "order": "descending"]).json["id"]?
                .string)
        let favorites: JSON = ["of": "pictures", "filter": ["favorite": true]]
        func count() throws -> Int? { try api.call("POST", "galleries", favorites).json["itemCount"]?.integer }
        #expect(try count() == 0)
        #expect(try api.call("PUT", "galleries/pictures/items/1/favorite").status == 204)
        #expect(try api.call("PUT", "galleries/\(byName)/items/0/favorite").status == 204)
        #expect(try Self.beside(api).sorted() == ["a/2.jpg.xmp", "b/12.jpg.xmp"])
        #expect(try api.call("GET", "galleries/pictures/items/1").json["rating"] == 5)
        try await eventually("two favourites", of: count, satisfies: { $0 == 2 })
        let items = try api.call("GET", "galleries/pictures/items").json["items"]?.array ?? []
        #expect(items.indices.filter { items[$0]["favorite"] == true } == [1, 11])
        #expect(try api.call("DELETE", "galleries/pictures/items/1/favorite").status == 204)
        #expect(try api.call("GET", "galleries/pictures/items/1").json["rating"] == 0)
        try await eventually("one favourite", of: count, satisfies: { $0 == 1 })
        #expect(try api.call("PUT", "galleries/pictures/items/12/favorite").status == 404)
        #expect(try api.call("POST", "galleries", ["of": "pictures", "filter": ["favorite": 1]]).status == 422)
    }

    @Test("without the flag nothing is written, and the refusal names it")
    func flag() async throws {
        let api = try await APIFixture()
        for method in ["PUT", "DELETE"] {
            let refused = try api.call(method, "galleries/pictures/items/0/favorite")
            #expect(refused.status == 403)
            #expect(refused.json["detail"]?.string?.contains("--write-sidecars") == true)
        }
        #expect(try Self.beside(api) == [] && api.call("GET", "galleries/pictures").json["favorites"] == nil)
    }

    @Test("a list has nothing beside its pictures and says so; what lies beside a picture and is no XMP stays as it is")
    func refused() async throws {
        let api = try await APIFixture(["--write-sidecars"])
        let list = try api.call(
            "POST", "galleries", ["title": "Mine", "items": [["url": "http://example.com/a.jpg"]]]
        ).json
        #expect(list["favorites"] == nil)
        let none = try api.call("PUT", "galleries/\(list["id"]?.string ?? "")/items/0/favorite")
        #expect(none.status == 409 && none.json["detail"]?.string?.contains("is not a folder") == true)
        try api.folder.write("pictures/a/1.jpg.xmp", Array("mine".utf8))
        let broken = try api.call("PUT", "galleries/pictures/items/0/favorite")
        #expect(broken.status == 409 && broken.json["detail"]?.string?.contains("1.jpg.xmp is not an XMP file") == true)
    }

    @Test("who may only look may not")
    func viewer() async throws {
        let tokens = try TemporaryFolder()
        let (full, view) = ("full-token-0123456789", "view-token-0123456789")
        let api = try await APIFixture([
            "--write-sidecars", "--token-file", try tokens.write("full", Array(full.utf8)), "--view-token-file",
            try tokens.write("view", Array(view.utf8)),
        ])
        func put(_ token: String) throws -> Int {
            try TestClient(api.port).call(
                "PUT", "galleries/pictures/items/0/favorite", headers: "Authorization: Bearer \(token)\r\n"
            ).status
        }
        #expect(try put(view) == 403)
        #expect(try Self.beside(api) == [])
        #expect(try put(full) == 204)
        #expect(try Self.beside(api) == ["a/1.jpg.xmp"])
    }
}
