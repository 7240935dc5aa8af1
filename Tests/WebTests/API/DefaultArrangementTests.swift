import JSON
import TestSupport
import Testing

/// Default arrangement of a gallery, and positions of its items in other orders.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct DefaultArrangementTests {
    /// Runs `body` with six pictures, five of which have a date in their names. The first by name is the oldest.
    private func withDates(_ body: (TestClient, TemporaryFolder, UInt16) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        for day in 1...5 { try folder.write("pictures/IMG_2019010\(day)_120000.jpg", Picture.jpeg(60, 40)) }
        try folder.write("pictures/scan.jpg", Picture.jpeg(60, 40))
        let server = try await LookaheadProcess(["serve", "\(folder.path)/pictures"])
        defer { server.stop() }
        let client = try TestClient(server.port)
        // The listing waits for the facts of a few files.
        try await eventually("six pictures") { try client.call("GET", "galleries/pictures").json["itemCount"] == 6 }
        try await eventually("a default arrangement") {
            try client.call("GET", "galleries/pictures").json["defaultArrangement"] != nil
        }
        try await body(client, folder, server.port)
    }

    private static let usual: JSON = ["sort": "taken", "order": "descending", "group": "month"]

    @Test("a folder with mostly dated pictures opens sorted by date, and the page embeds that arrangement")
    func page() async throws {
        try await withDates { client, _, _ in
            let base = try client.call("GET", "galleries/pictures").json
            #expect(base["defaultArrangement"] == Self.usual)
            // The arrangement has not been created yet.
            #expect(try embedded("arranged", client.get("/")) == .null)
            let made = try client.call(
                "POST", "galleries", ["of": "pictures", "sort": "taken", "order": "descending", "group": "month"]
            ).json
            #expect(made["arrangement"] == Self.usual && made["defaultArrangement"] == nil)
            for path in ["/", "/?sort=taken"] {
                let page = try client.get(path)
                #expect(try embedded("gallery", page) == base && embedded("arranged", page) == made, "\(path)")
            }
            for path in ["/?sort=path", "/?sort=taken&group=day", "/?text=scan", "/?sort=taken&text=scan"] {
                let page = try client.get(path)
                #expect(try embedded("gallery", page) == base && embedded("arranged", page) == .null, "\(path)")
            }
        }
    }

    @Test("items are located in another order, and filtered-out items have no place")
    func places() async throws {
        try await withDates { client, _, _ in
            func places(_ gallery: String, _ query: String) throws -> JSON? {
                try client.call("GET", "galleries/\(gallery)/places?\(query)").json["places"]
            }
            let byDate = try client.call("POST", "galleries", ["of": "pictures", "sort": "taken"]).json["id"]?.string
            let scans = try client.call("POST", "galleries", ["of": "pictures", "filter": ["text": "scan"]]).json["id"]?
                .string
            let (dated, found) = (try #require(byDate), try #require(scans))
            #expect(try places(dated, "of=pictures") == [4, 3, 2, 1, 0, 5])
            #expect(try places("pictures", "of=\(dated)") == [4, 3, 2, 1, 0, 5])
            #expect(try places(found, "of=\(dated)&from=4") == [.null, 0])
            #expect(try places(dated, "of=\(found)") == [5])
            #expect(try places(dated, "from=1&count=2") == [1, 2])
            let gone = try client.call("GET", "galleries/pictures/places?revision=77")
            #expect(gone.status == 404 && gone.json["detail"]?.string?.contains("Revision 77") == true)
        }
    }

    @Test("items of an earlier revision are located in the changed gallery")
    func former() async throws {
        try await withDates { client, folder, port in
            let made = try client.call("POST", "galleries", ["of": "pictures", "sort": "name"]).json
            let id = try #require(made["id"]?.string)
            let session = try client.call(
                "POST", "sessions", ["gallery": .string(id), "viewport": ["width": 600, "height": 400]]
            ).json
            let events = try EventReader(port, try #require(session["events"]?.string))
            try folder.write("pictures/AAA.jpg", Picture.jpeg(60, 40))
            _ = try events.next("gallery") { $0["id"] == .string(id) && $0["itemCount"] == 7 }
            let query = "of=\(id)&revision=\(made["revision"]?.integer ?? -1)"
            let now = try client.call("GET", "galleries/\(id)/places?\(query)")
            #expect(now.json["places"] == [1, 2, 3, 4, 5, 6], "\(now.text)")
            try folder.remove("pictures/IMG_20190103_120000.jpg")
            _ = try events.next("gallery") { $0["id"] == .string(id) && $0["itemCount"] == 6 }
            let later = try client.call("GET", "galleries/\(id)/places?\(query)")
            #expect(later.json["places"] == [1, 2, .null, 3, 4, 5], "\(later.text)")
        }
    }

    private func embedded(_ id: String, _ page: TestClient.Answer) throws -> JSON {
        let text = try #require(page.text.firstMatch(of: try Regex(#"id="\#(id)">(.*?)</script>"#)))[1].substring ?? ""
        return text.isEmpty ? .null : try JSON.parse(String(text))
    }
}
