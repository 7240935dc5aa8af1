import Foundation
import JSON
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(2)))
struct PlaceholderAPITests {
    private let none = [UInt8](repeating: 0, count: 25)

    private func placeholders(_ api: APIFixture, _ query: String, of gallery: String = "pictures") throws -> [[UInt8]] {
        let answer = try api.call("GET", "galleries/\(gallery)/placeholders?\(query)")
        try #require(answer.status == 200, "\(answer.text)")
        #expect(answer.header("content-type") == "application/octet-stream")
        #expect(answer.body.count % 25 == 0)
        return stride(from: 0, to: answer.body.count, by: 25).map { Array(answer.body[$0..<$0 + 25]) }
    }

    /// Placeholders of the fixture, once every valid picture has one.
    private func allPlaceholders(_ api: APIFixture) async throws -> [[UInt8]] {
        try await eventually("the folder's placeholders", of: { try placeholders(api, "from=0&count=12") }) {
            $0.count == 12 && !$0.dropLast().contains(none)
        }
    }

    @Test(
        "every valid picture of a folder gets a placeholder without being requested"
    )
    func folder() async throws {
        let api = try await APIFixture()
        let all = try await allPlaceholders(api)
        #expect(all.count == 12 && all.last == none)
        #expect(Set(all).count > 6, "pictures of different colours and shapes have different hashes")
        #expect(try placeholders(api, "from=9&count=1024") == Array(all[9...]))
        #expect(try placeholders(api, "from=12&count=3").isEmpty)
        // The same hash as the rendered picture's.
        #expect(try api.call("GET", "galleries/pictures/items/2/thumbnail").status == 200)
        let items = try api.call("GET", "galleries/pictures/items?from=2&count=1").json["items"]
        let rendered = try #require(items?.array?.first?["thumbHash"]?.string)
        let hash = try #require(Data(base64Encoded: rendered))
        #expect(hash.prefix(3) == Data(all[2].prefix(3)))
    }

    @Test("placeholders of an arrangement are in its order")
    func arranged() async throws {
        let api = try await APIFixture()
        let all = try await allPlaceholders(api)
        let made = try api.call(
            "POST", "galleries", ["of": "pictures", "sort": "name", "order": "descending", "group": "none"])
        let id = try #require(made.json["id"]?.string, "\(made.text)")
        let items = try api.call("GET", "galleries/\(id)/items?count=12").json["items"]?.array ?? []
        let originals = items.compactMap { $0["original"]?.number.map { Int($0) } }
        try #require(originals.count == 12 && originals != Array(0..<12))
        #expect(try placeholders(api, "from=0&count=12", of: id) == originals.map { all[$0] })
    }

    @Test("placeholders of a list are returned")
    func list() async throws {
        let api = try await APIFixture()
        let items: JSON = [
            ["url": "http://example.com/a.jpg"],
            ["url": "http://example.com/b.jpg", "thumbHash": "kwoGDIQy2EiGlbjgZcZFvHD4Zw=="],
        ]
        let made = try api.call("POST", "galleries", ["title": "Mine", "items": items])
        let id = try #require(made.json["id"]?.string, "\(made.text)")
        let hash = try #require(Data(base64Encoded: "kwoGDIQy2EiGlbjgZcZFvHD4Zw=="))
        #expect(
            try placeholders(api, "count=2", of: id) == [none, hash + [UInt8](repeating: 0, count: 25 - hash.count)])
    }

    @Test("placeholders are known after a restart")
    func restart() async throws {
        let api = try await APIFixture()
        let made = try await allPlaceholders(api)
        api.server.stop()
        try await api.server.restart()
        let known = try await eventually("the folder", of: { try placeholders(api, "count=12") }) { $0.count == 12 }
        #expect(known == made)
    }
}
