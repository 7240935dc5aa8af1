import Foundation
import JSON
import TestSupport
import Testing

/// Access and rate limits of a running server.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct AccessTests {
    @Test("the cookie that replaces the URL's token gives access to the page, the API and the streams")
    func token() async throws {
        let token = "correct-horse-battery"
        let folder = try TemporaryFolder()
        let file = try folder.write("token", Array("\(token)\n".utf8))
        let api = try await APIFixture(["--token-file", file])
        let client = try TestClient(api.port)
        for path in ["/", "/js/main.js", "/metrics", "/api/v1/galleries", "/nothing"] {
            let refused = try client.get(path)
            #expect(refused.status == 401, "\(path)")
            #expect(refused.json["detail"]?.string?.contains("?token=") == true)
        }
        #expect(try client.get("/healthz").status == 200 && client.get("/readyz").status == 200)
        #expect(try client.get("/?token=wrong-horse-battery").status == 401)
        let welcome = try client.get("/?token=\(token)")
        #expect(welcome.status == 303)
        #expect(welcome.header("location") == "./")
        let cookie = try #require(welcome.header("set-cookie")?.split(separator: ";").first)
        let headers = "Cookie: \(cookie)\r\n"
        #expect(try client.get("/", headers: headers).status == 200)
        let body: JSON = ["gallery": "pictures", "viewport": ["width": 600, "height": 400]]
        let session = try client.call("POST", "sessions", body, headers: headers)
        #expect(session.status == 201)
        let path = try #require(session.json["events"]?.string)
        #expect(try EventReader(api.port, path).head.status == 401)
        #expect(try EventReader(api.port, path, headers: headers).next().name == "hello")
        #expect(try client.call("GET", "galleries", headers: "Authorization: Bearer \(token)\r\n").status == 200)
        #expect(try client.call("POST", "sessions", body).status == 401)
    }

    @Test("requests for another host name, and writes from another origin, are refused")
    func strangers() async throws {
        let api = try await APIFixture(["--allow-host", "pictures.example"])
        let client = try TestClient(api.port)
        client.send("GET /api/v1/galleries HTTP/1.1\r\nHost: evil.example\r\n\r\n")
        let rebound = try client.answer()
        #expect(rebound.status == 403)
        #expect(rebound.json["detail"]?.string?.contains("--allow-host evil.example") == true)
        client.send("GET /api/v1/galleries HTTP/1.1\r\nHost: pictures.example\r\n\r\n")
        #expect(try client.answer().status == 200)
        let body: JSON = ["gallery": "pictures", "viewport": ["width": 600, "height": 400]]
        let foreign = try client.call("POST", "sessions", body, headers: "Origin: http://evil.example\r\n")
        #expect(foreign.status == 403)
        #expect(foreign.headers.allSatisfy { !$0.name.hasPrefix("access-control") })
        let own = try client.call("POST", "sessions", body, headers: "Origin: http://127.0.0.1\r\n")
        #expect(own.status == 201)
    }

    @Test("updates over the rate are refused with Retry-After and change nothing")
    func updateRate() async throws {
        let api = try await APIFixture(["--max-updates", "1"])
        let session = try api.session()
        var answers: [TestClient.Answer] = []
        // On any machine, one update follows the previous one within a second.
        repeat {
            answers.append(try api.post(session, seq: answers.count, scrollTop: 10))
        } while answers.last?.status == 200 && answers.count < 50
        let refused = try #require(answers.last)
        #expect(refused.status == 429)
        #expect(refused.header("retry-after") == "1")
        #expect(refused.header("content-type") == "application/problem+json")
        #expect(try api.call("GET", "sessions/\(APIFixture.id(session))").json["seq"]?.integer == answers.count - 2)
        let other = try api.session()
        #expect(try api.post(other, seq: 1, scrollTop: 10).status == 200)
    }

    @Test(
        "the 65th stream of a session, of its followers and of gallery events is refused, and the others stay open",
        arguments: ["session", "followers", "galleries"])
    func streams(kind: String) async throws {
        let api = try await APIFixture()
        let session = try api.session()
        let (events, follow) = (session["events"]?.string ?? "", session["follow"]?.string ?? "")
        let path = ["session": events, "followers": "\(follow)/events", "galleries": "/api/v1/events"][kind] ?? ""
        let streams = try (0..<64).map { _ in try EventReader(api.port, path) }
        for stream in streams { #expect(try stream.next().name == "hello") }
        let refused = try EventReader(api.port, path).head
        #expect(refused.status == 429)
        #expect(refused.header("retry-after") != nil)
        #expect(refused.header("content-type") == "application/problem+json")
        api.server.child.signal(SIGTERM)
        for stream in streams { #expect(try stream.next("bye").name == "bye") }
    }
}
