import Fetch
import TestSupport
import Testing

/// Limit on the size of all concurrent uploads together.
@Suite(.timeLimit(.minutes(1)))
struct UploadLimitTests {
    @Test("uploads over twice the longest list's size are refused with Retry-After until another one ends")
    func total() async throws {
        let api = try await APIFixture(["--max-upload", "1024"])
        let line = "{\"url\":\"http://example.com/1.jpg\"}\n"
        let head =
            "POST /api/v1/galleries HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
        let clients = try (0..<2).map { _ in try TestClient(api.port) }
        for client in clients {
            client.send(head + "Expect: 100-continue\r\nContent-Length: 1024\r\n\r\n")
            #expect(try client.head().status == 100)
        }
        func send(_ framing: String, _ body: String) throws -> TestClient.Answer {
            let client = try TestClient(api.port)
            client.send(head + "\(framing)\r\n\r\n\(body)")
            return try client.answer()
        }
        let length = "Content-Length: \(line.utf8.count)"
        let chunk = "\(String(line.utf8.count, radix: 16))\r\n\(line)\r\n"
        for (framing, body) in [(length, line), ("Transfer-Encoding: chunked", chunk + "0\r\n\r\n")] {
            let refused = try send(framing, body)
            #expect(refused.status == 503 && refused.header("retry-after") == "5", "\(refused.text)")
            #expect(refused.text.contains("lists are being uploaded"))
        }
        clients[0].leave()
        try await eventually("the first list no longer counts") { try send(length, line).status == 201 }
        clients[1].stay()
    }
}
