import JSON
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(2)))
struct ArrangementAPITests {
    @Test("an arrangement is a gallery, created once, whose items carry their original numbers")
    func made() async throws {
        let api = try await APIFixture()
        let body: JSON = ["of": "pictures", "sort": "name", "order": "descending"]
        let made = try api.call("POST", "galleries", body)
        #expect(made.status == 201, "\(made.text)")
        let id = try #require(made.json["id"]?.string)
        #expect(made.header("location") == "/api/v1/galleries/\(id)")
        #expect(made.json["of"] == "pictures" && made.json["itemCount"] == 12 && made.json["source"] == "folder")
        #expect(made.json["arrangement"] == ["sort": "name", "order": "descending", "group": "none"])
        let again = try api.call("POST", "galleries", body)
        #expect(again.status == 200 && again.json == made.json)
        #expect(try api.call("GET", "galleries/\(id)").json == made.json)
        // The list has no arrangements.
        #expect(try api.call("GET", "galleries").json["galleries"]?.array?.count == 1)
        let items = try api.call("GET", "galleries/\(id)/items").json["items"]?.array ?? []
        #expect(items.map { $0["title"]?.string } == (1...12).reversed().map(String.init))
        #expect(items.map { $0["original"]?.integer } == Array((0...11).reversed()))
        #expect(try api.call("DELETE", "galleries/\(id)").status == 403)
    }

    @Test("a filtered gallery is shown in a session and reuses rendered thumbnails")
    func shown() async throws {
        let api = try await APIFixture()
        // Rendered for the original gallery.
        #expect(try api.call("GET", "galleries/pictures/items/9/thumbnail?width=256").status == 200)
        let filter: JSON = ["text": "1", "folder": "b"]
        let id = try #require(
            try api.call("POST", "galleries", ["of": "pictures", "group": "folder", "filter": filter]).json["id"]?
                .string)
        let items = try api.call("GET", "galleries/\(id)/items").json["items"]?.array ?? []
        #expect(items.map { $0["title"] } == ["10", "11", "12"])
        #expect(items.first?["state"] == "ready" && items.first?["width"] == 300)
        let session = try api.call(
            "POST", "sessions", ["gallery": .string(id), "viewport": ["width": 600, "height": 400]])
        #expect(session.status == 201 && session.json["itemCount"] == 3)
        let events = try api.events(session.json)
        var (seen, failed): (Set<Int>, Set<Int>) = ([], [])
        while seen.count + failed.count < 3 {
            let event = try events.next()
            guard let item = event.data["item"]?.integer else { continue }
            if event.name == "thumbnail" { seen.insert(item) }
            if event.name == "failed" { failed.insert(item) }
        }
        #expect(seen == [0, 1] && failed == [2])
        #expect(try api.call("GET", "galleries/\(id)/items/0/thumbnail").status == 200)
        #expect(
            try api.call("GET", "galleries/\(id)/items/0/original").header("content-disposition")?
                .hasSuffix("10.jpg") == true)
    }

    @Test("a picture added to the folder is added to its arrangements, and their sessions are notified")
    func grows() async throws {
        let api = try await APIFixture()
        let id = try #require(
            try api.call("POST", "galleries", ["of": "pictures", "sort": "name"]).json["id"]?.string)
        let session = try api.call(
            "POST", "sessions", ["gallery": .string(id), "viewport": ["width": 600, "height": 400]]
        ).json
        let events = try api.events(session)
        try api.folder.write("pictures/b/0.jpg", Picture.jpeg(300, 200, red: 7))
        _ = try events.next("gallery") { $0["id"] == .string(id) && $0["itemCount"] == 13 }
        let first = try api.call("GET", "galleries/\(id)/items?count=1").json["items"]?.array?.first
        #expect(first?["title"] == "0" && first?["original"] == 8)
    }

    @Test("a gallery sorted by date has a timeline, and another returns 409 with the order to use")
    func timeline() async throws {
        let demo = try await LookaheadProcess(["demo", "--items", "3000", "--latency", "0"])
        defer { demo.stop() }
        let client = try TestClient(demo.port)
        let timeline = try client.call("GET", "galleries/demo/timeline").json
        #expect(
            timeline["months"]
                == [
                    ["month": "2025-10", "from": 0, "count": 1000], ["month": "2025-09", "from": 1000, "count": 1000],
                    ["month": "2025-08", "from": 2000, "count": 1000],
                ])
        #expect(timeline["undated"] == ["from": 3000, "count": 0])
        let byName = try client.call("POST", "galleries", ["of": "demo", "sort": "name"]).json["id"]?.string ?? ""
        let refused = try client.call("GET", "galleries/\(byName)/timeline")
        #expect(refused.status == 409 && refused.json["detail"]?.string?.contains("\"sort\":\"taken\"") == true)
        let oldest = try client.call(
            "POST", "galleries", ["of": "demo", "sort": "taken", "order": "ascending", "group": "month"])
        #expect(
            oldest.json["sections"]?.array?.map { $0["title"] } == ["August 2025", "September 2025", "October 2025"])
        let id = oldest.json["id"]?.string ?? ""
        let months = try client.call("GET", "galleries/\(id)/timeline").json["months"]?.array
        #expect(months?.map { $0["month"] } == ["2025-08", "2025-09", "2025-10"])
    }

    @Test("a filter shows only the pictures with five stars in their sidecars")
    func fiveStars() async throws {
        let api = try await APIFixture()
        for (name, stars) in [("1", 4), ("2", 5)] {
            try api.folder.write("pictures/a/\(name).jpg.xmp", Array(#"<x xmp:Rating="\#(stars)"/>"#.utf8))
        }
        let rated: JSON = ["of": "pictures", "filter": ["fiveStars": true]]
        func items() throws -> [JSON?] {
            let id = try api.call("POST", "galleries", rated).json["id"]?.string ?? ""
            return try api.call("GET", "galleries/\(id)/items").json["items"]?.array?.map { $0["title"] } ?? []
        }
        _ = try await eventually("the rated picture", of: items, satisfies: { $0 == ["2"] })
        #expect(try api.call("GET", "galleries/pictures/items/1").json["rating"] == 5)
    }

    @Test("an invalid arrangement is refused with the wrong field")
    func refused() async throws {
        let api = try await APIFixture()
        let id = try #require(try api.call("POST", "galleries", ["of": "pictures"]).json["id"]?.string)
        let bodies: [(JSON, String)] = [
            (["of": "none"], "/of"), (["of": .string(id)], "/of"), (["of": 1], "/of"),
            (["of": "pictures", "sort": "color"], "/sort"), (["of": "pictures", "order": "up"], "/order"),
            (["of": "pictures", "group": "week"], "/group"), (["of": "pictures", "filter": 1], "/filter"),
            (["of": "pictures", "filter": ["text": .string(String(repeating: "a", count: 201))]], "/filter/text"),
            (["of": "pictures", "filter": ["taken": ["from": "12.7.2019"]]], "/filter/taken/from"),
            (["of": "pictures", "filter": ["taken": ["from": "2019", "to": "2018"]]], "/filter/taken/to"),
            (["of": "pictures", "filter": ["kinds": ["jpeg", "doc"]]], "/filter/kinds/1"),
            (["of": "pictures", "filter": ["fiveStars": 1]], "/filter/fiveStars"),
        ]
        for (body, field) in bodies {
            let answer = try api.call("POST", "galleries", body)
            #expect(answer.status == 422 && answer.json["field"]?.string == field, "\(answer.text)")
            #expect(answer.json["detail"]?.string?.isEmpty == false)
        }
        let forgotten = try api.call("GET", "galleries/pictures~0123456789abcdef")
        #expect(forgotten.status == 404 && forgotten.json["detail"]?.string?.contains("create it again") == true)
    }

    @Test("viewers may create arrangements but no lists")
    func viewers() async throws {
        let folder = try TemporaryFolder()
        let demo = try await LookaheadProcess([
            "demo", "--items", "20", "--latency", "0",
            "--token-file", try folder.write("full", Array("full-token-0123456789".utf8)),
            "--view-token-file", try folder.write("view", Array("view-token-0123456789".utf8)),
        ])
        defer { withExtendedLifetime(folder) { _ = demo.stop() } }
        let client = try TestClient(demo.port)
        let headers = "Authorization: Bearer view-token-0123456789\r\n"
        let arranged = try client.call("POST", "galleries", ["of": "demo", "sort": "name"], headers: headers)
        #expect(arranged.status == 201)
        let list: JSON = ["items": [["url": "http://example.com/a.jpg"]], "title": "of"]
        #expect(try client.call("POST", "galleries", list, headers: headers).status == 403)
    }
}
