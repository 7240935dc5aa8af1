import JSON
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(1)))
struct FactsAPITests {
    @Test("an item returns its file's facts, and its gallery the range of dates")
    func facts() async throws {
        var camera = CameraFile()
        camera.offset = "+02:00"
        camera.fraction = "25"
        camera.orientation = 6
        let bytes = camera.bytes(around: Picture.jpeg(40, 30))
        let api = try await APIFixture(files: [
            "2019/IMG_1.jpg": bytes, "2019/IMG_20180113_101112.jpg": Picture.jpeg(10, 10),
        ])
        func get(_ path: String) throws -> JSON { try api.call("GET", path).json }
        func gallery(_ what: String, _ isWanted: (JSON) -> Bool) async throws -> JSON {
            try await eventually(what, of: { try get("galleries/pictures") }, satisfies: isWanted)
        }
        let indexed = try await gallery("both known") { $0["index"]?["known"] == 2 }
        #expect(indexed["index"] == ["known": 2, "of": 2])
        let gallery = try await gallery("when they were taken") { $0["taken"] != nil }
        #expect(gallery["taken"] == ["from": "2018-01-13T10:11:12", "to": "2019-07-12T14:03:22"])
        let facts = try get("galleries/pictures/items/0")
        let (id, version) = (try #require(facts["id"]), try #require(facts["version"]))
        #expect(id.string?.utf8.count == 11 && version.string?.utf8.count == 11)
        #expect(
            facts == [
                "item": 0, "id": id, "version": version, "title": "IMG 1", "name": "IMG_1.jpg",
                "path": "2019/IMG_1.jpg", "section": 0, "width": 30,
                "height": 40, "bytes": .number(Double(bytes.count)), "mediaType": "image/jpeg",
                "taken": ["time": "2019-07-12T14:03:22.25", "offset": "+02:00", "source": "exif"],
                "camera": ["make": "Lookahead", "model": "Painted 12"],
            ])
        let other = try get("galleries/pictures/items/1")
        #expect(other["taken"]?["source"] == "name" && other["camera"] == nil && other["location"] == nil)
        let items = try get("galleries/pictures/items")["items"]?.array ?? []
        #expect(items.map { $0["width"] } == [30, 10])
        #expect(items.first?["bytes"] == .number(Double(bytes.count)))
        for item in ["2", "-1", "x"] {
            #expect(try api.call("GET", "galleries/pictures/items/\(item)").status == 404)
        }
    }

    @Test("a UTC time is shown in the server's time zone")
    func zone() async throws {
        var movie = Movie()
        movie.created = Movie.since1904(1_563_057_000)
        let api = try await APIFixture(files: ["1.mp4": movie.bytes], environment: ["TZ": "NPT-5:45"])
        let facts = try await eventually(
            "the film", of: { try api.call("GET", "galleries/pictures/items/0").json },
            satisfies: { $0["taken"] != nil })
        #expect(
            facts["taken"]
                == ["time": "2019-07-14T04:15:00", "offset": "+05:45", "source": "quicktime", "offsetSource": "server"])
    }

    @Test("an item of a list returns the facts of the list")
    func list() async throws {
        let api = try await APIFixture()
        let made = try api.call(
            "POST", "galleries",
            ["title": "Mine", "items": [["url": "http://example.com/a.jpg", "width": 3, "height": 2]]])
        let id = try #require(made.json["id"]?.string)
        let facts = try api.call("GET", "galleries/\(id)/items/0").json
        let name = try #require(facts["id"])
        #expect(name.string?.utf8.count == 11)
        #expect(
            facts == ["item": 0, "id": name, "title": "a", "name": "a.jpg", "section": 0, "width": 3, "height": 2])
        #expect(try api.call("GET", "galleries/\(id)").json["index"] == ["known": 1, "of": 1])
    }
}
