import Foundation
import JSON
import TestSupport
import Testing

@Suite(
    .serialized, .timeLimit(.minutes(2)), .enabled(if: NginxProxy.isInstalled, "needs nginx: apt install nginx-light"))
struct ProxyTests {
    static let token = "correct-horse-battery"

    /// A server behind nginx, and a client with the token's cookie.
    struct Fixture {
        let api: APIFixture
        let proxy: NginxProxy
        let host: String
        let cookie: String

        init() async throws {
            api = try await APIFixture([
                "--token", ProxyTests.token, "--allow-host", "pictures.example", "--trusted-proxy", "127.0.0.1",
                "--log-level", "debug",
            ])
            proxy = try await NginxProxy(to: api.port)
            host = "pictures.example:\(proxy.port)"
            let client = try TestClient(proxy.port)
            client.send("GET /pictures/?token=\(ProxyTests.token) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            let welcome = try client.answer()
            #expect(welcome.status == 303)
            #expect(welcome.header("location") == "./")
            let attributes = (welcome.header("set-cookie") ?? "").components(separatedBy: "; ")
            #expect(attributes.contains("Path=/pictures/"))
            cookie = attributes[0]
        }

        func send(_ method: String, _ path: String, _ body: JSON? = nil, headers: String = "") throws -> TestClient {
            let client = try TestClient(proxy.port)
            let bytes = body?.bytes ?? []
            let type = body == nil ? "" : "Content-Type: application/json\r\nContent-Length: \(bytes.count)\r\n"
            client.send(
                "\(method) /pictures/\(path) HTTP/1.1\r\nHost: \(host)\r\nCookie: \(cookie)\r\n\(type)\(headers)\r\n")
            client.send(bytes)
            return client
        }

        func call(_ method: String, _ path: String, _ body: JSON? = nil, headers: String = "") throws
            -> TestClient.Answer
        {
            try send(method, path, body, headers: headers).answer()
        }
    }

    @Test("the page and all its files load under a path prefix")
    func page() async throws {
        let fixture = try await Fixture()
        var waiting = [""]
        var seen: Set<String> = []
        while let path = waiting.popLast() {
            guard seen.insert(path).inserted else { continue }
            let answer = try fixture.call("GET", path)
            #expect(answer.status == 200, "\(path)")
            let patterns =
                path.hasSuffix(".js")
                ? [/(?:from|import)\s*\(?\s*'(?<name>[^']+)'/]
                : path.isEmpty ? [/(?:src|href)="(?<name>[^"#]+)"/] : [/url\("?(?<name>[^")]+)"?\)/]
            for match in patterns.flatMap({ answer.text.matches(of: $0) }) where !match.name.hasPrefix("data:") {
                #expect(!match.name.hasPrefix("/") && !match.name.contains("://"), "\(match.name) in \(path)")
                let base = try #require(URL(string: "http://x/\(path)"))
                waiting.append(String(try #require(URL(string: String(match.name), relativeTo: base)).path.dropFirst()))
            }
        }
        #expect(seen.count > 20)
    }

    @Test("sessions, events and updates pass through the proxy without buffering")
    func session() async throws {
        let fixture = try await Fixture()
        let origin = "Origin: http://\(fixture.host)\r\n"
        let body: JSON = [
            "gallery": "pictures", "viewport": ["width": 600, "height": 360],
            "layout": ["kind": "grid", "itemWidth": 200, "itemHeight": 180],
        ]
        let opened = try fixture.call("POST", "api/v1/sessions", body, headers: origin)
        #expect(opened.status == 201)
        let id = try #require(opened.json["id"]?.string)
        #expect(opened.header("location")?.hasSuffix("/pictures/api/v1/sessions/\(id)") == true)

        let stream = try fixture.send("GET", "api/v1/sessions/\(id)/events")
        #expect(try stream.head().header("content-type")?.hasPrefix("text/event-stream") == true)
        _ = try stream.read(until: "event: hello")
        _ = try stream.read(until: "event: thumbnail")
        let update: JSON = ["seq": 1, "time": 0, "scrollTop": 180]
        let plan = try fixture.call("POST", "api/v1/sessions/\(id)/viewport", update, headers: origin)
        #expect(plan.json["visible"] == ["from": 3, "to": 8])
        // The plan arrives although nothing follows it, so nginx does not buffer.
        _ = try stream.read(until: "\"seq\":1,")
        #expect(try fixture.call("POST", "api/v1/sessions/\(id)/close", headers: origin).status == 204)
        _ = try stream.read(until: "event: bye")
    }

    @Test("proxied requests are checked like direct ones, and the log has the client's address")
    func refusals() async throws {
        let fixture = try await Fixture()
        let client = try TestClient(fixture.proxy.port)
        client.send("GET /pictures/api/v1/galleries HTTP/1.1\r\nHost: \(fixture.host)\r\n\r\n")
        #expect(try client.answer().status == 401)
        client.send(
            "GET /pictures/api/v1/galleries HTTP/1.1\r\nHost: evil.example\r\nCookie: \(fixture.cookie)\r\n\r\n")
        #expect(try client.answer().status == 403)
        let foreign = "Origin: http://evil.example\r\n"
        #expect(try fixture.call("POST", "api/v1/sessions", [:], headers: foreign).status == 403)
        // The proxy's own address is trusted, so the forwarded address counts.
        #expect(try fixture.call("GET", "healthz", headers: "X-Forwarded-For: 192.0.2.9\r\n").status == 200)
        #expect(fixture.api.server.stop() == 0)
        let line = fixture.api.server.child.standardError().split(separator: "\n").first { $0.contains("/healthz") }
        #expect(line?.contains("client=192.0.2.9") == true)
        let id = line?.split(separator: " ").first { $0.hasPrefix("id=") }
        #expect(id?.count == "id=".count + 32)
    }
}
