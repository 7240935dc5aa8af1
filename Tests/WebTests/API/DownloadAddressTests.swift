import Catalog
import JSON
import ServerFixtures
import TestSupport
import Testing
import Web

/// URLs at which a browser can get an archive once.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct DownloadAddressTests {
    private func offer(_ port: UInt16, _ body: JSON = ["items": [0, 1, 1]], headers: String = "") throws
        -> TestClient.Answer
    {
        try TestClient(port).call("POST", "galleries/pictures/downloads", body, headers: headers)
    }

    @Test("a download URL works for one GET, and HEAD does not use it up")
    func once() async throws {
        let api = try await APIFixture()
        let made = try offer(api.port)
        #expect(made.status == 201 && made.json["itemCount"] == 2 && made.json["seconds"] == 60)
        let address = try #require(made.header("location"))
        #expect(made.json["archive"]?.string == address)
        #expect(made.json["id"]?.string?.utf8.count == 32 && address.hasSuffix(made.json["id"]?.string ?? "-"))
        let head = try TestClient(api.port).get(address, method: "HEAD")
        #expect(head.status == 200 && head.header("content-type") == "application/zip")
        let other = try #require(
            try api.call("POST", "galleries", ["of": "pictures", "sort": "name"]).json["id"]?.string)
        let elsewhere = address.replacing("galleries/pictures/", with: "galleries/\(other)/")
        #expect(try TestClient(api.port).get(elsewhere).status == 404)
        let archive = try TestClient(api.port).get(address)
        #expect(archive.status == 200 && archive.body.starts(with: Array("PK\u{3}\u{4}".utf8)))
        #expect(archive.header("content-disposition") == "attachment; filename*=UTF-8''pictures.zip")
        for method in ["GET", "HEAD"] {
            #expect(try TestClient(api.port).get(address, method: method).status == 404, "\(method)")
        }
        #expect(try TestClient(api.port).get(address).json["detail"]?.string?.contains("works once") == true)
    }

    @Test("a download URL needs the token of its gallery")
    func token() async throws {
        let api = try await APIFixture(["--token", "0123456789abcdef"])
        let token = "Authorization: Bearer 0123456789abcdef\r\n"
        let address = try #require(try offer(api.port, headers: token).header("location"))
        #expect(try TestClient(api.port).get(address).status == 401)
        #expect(try TestClient(api.port).get(address, headers: token).status == 200)
    }

    @Test("up to 20,000 ranges are accepted, and a deleted gallery's archive is not sent")
    func bounds() async throws {
        let api = try await APIFixture()
        let range: JSON = ["from": 3, "to": 4]
        let maximum = try offer(api.port, ["ranges": .array(Array(repeating: range, count: 20_000))])
        #expect(maximum.status == 201 && maximum.json["itemCount"] == 1)
        let over = try offer(api.port, ["items": .array(Array(repeating: 0, count: 20_001))])
        #expect(over.status == 422 && over.json["field"] == "/items")
        let list = try api.call("POST", "galleries", ["items": [["url": "http://example.com/1.jpg"]]])
        let path = "galleries/\(try #require(list.json["id"]?.string))"
        let address = try #require(try api.call("POST", "\(path)/downloads", ["items": [0]]).header("location"))
        #expect(try api.call("DELETE", path).status == 204)
        #expect(try TestClient(api.port).get(address).status == 404)
    }

    @Test("unused download URLs expire after a minute and make room for others")
    func expiry() async throws {
        let folder = try TemporaryFolder()
        for number in 0..<2 { try folder.write("\(number).jpg", Picture.jpeg(30, 30)) }
        let catalog = try FolderCatalog(path: folder.path)
        await catalog.waitUntil { $0.itemCount == 2 }
        let gated = try await GatedServer()
        try gated.server.galleries.add(catalog, id: "pictures")
        let made = try (0..<gated.server.archives.maximum).map { _ in try offer(gated.port) }
        #expect(made.allSatisfy { $0.status == 201 })
        #expect(Set(made.map { $0.header("location") }).count == made.count)
        #expect(try offer(gated.port).status == 429)
        let used = try #require(made[0].header("location"))
        #expect(try await TestClient.exchange("GET", port: gated.port, path: used).status == 200)
        try await eventually("room for one more", of: { try offer(gated.port).status }, satisfies: { $0 == 201 })
        gated.server.offers.expire(at: .now + ArchiveOffers.lifetime)
        #expect(try offer(gated.port).status == 201)
        let late = try #require(made[1].header("location"))
        #expect(try await TestClient.exchange("GET", port: gated.port, path: late).status == 404)
        await gated.stop()
        _ = folder
    }
}
