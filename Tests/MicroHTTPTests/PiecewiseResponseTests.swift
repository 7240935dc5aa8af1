import MicroHTTP
import TestSupport
import Testing

/// Responses whose bodies are sent piece by piece, on sockets taken over from the parser.
@Suite(.timeLimit(.minutes(1)))
struct PiecewiseResponseTests {
    /// Serves `/file`, a deferred response of a million bytes.
    private func router(_ statuses: Recorder<Int> = Recorder(), opened: Recorder<ByteStream> = Recorder()) -> Router {
        var router = Router()
        router.on(.get, "/file") { _ in
            .later {
                Response(status: 206, headers: [("ETag", "\"a\"")], size: 1_000_000) { stream in
                    opened.add(stream)
                    Task {
                        for _ in 0..<10 {
                            stream.write([UInt8](repeating: 66, count: 100_000))
                            guard await stream.drained() else { return }
                        }
                        stream.finish(keepAlive: true)
                    }
                }
            }
        }
        router.on(.get, "/hello") { _ in .now(Response(text: "hello")) }
        router.extraHeaders = { _ in [("X-Extra", "1")] }
        router.observer = { statuses.add($0.status) }
        return router
    }

    @Test("a streamed response carries status, headers and length, and keeps its connection open")
    func keepsAlive() async throws {
        let statuses = Recorder<Int>()
        try await serving(router(statuses)) { server, port in
            let client = try TestClient(port)
            for _ in 0..<5 {
                let answer = try client.get("/file")
                #expect(answer.status == 206 && answer.body == [UInt8](repeating: 66, count: 1_000_000))
                #expect(answer.header("etag") == "\"a\"" && answer.header("x-extra") == "1")
                #expect(answer.header("connection") == nil && answer.header("date") != nil)
                #expect(try client.get("/hello").text == "hello")
            }
            #expect(server.metrics.streams == 0 && server.metrics.connections == 1)
            client.stay()
        }
        #expect(statuses.all.sorted() == [Int](repeating: 200, count: 5) + [Int](repeating: 206, count: 5))
    }

    @Test("HEAD of a streamed response returns its length and sends no body")
    func head() async throws {
        let opened = Recorder<ByteStream>()
        try await serving(router(opened: opened)) { _, port in
            let client = try TestClient(port)
            let answer = try client.get("/file", method: "HEAD")
            #expect(answer.status == 206 && answer.header("content-length") == "1000000")
            #expect(try client.get("/hello").text == "hello")
        }
        #expect(opened.all.isEmpty)
    }

    @Test(
        "the connection closes after a streamed response to an HTTP/1.0, close or pipelined request",
        arguments: [
            "GET /file HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n",
            "GET /file HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
            "GET /file HTTP/1.1\r\nHost: x\r\n\r\nGET /hello HTTP/1.1\r\nHost: x\r\n\r\n",
        ])
    func closes(request: String) async throws {
        try await serving(router()) { server, port in
            let client = try TestClient(port)
            client.send(request)
            let answer = try client.answer()
            #expect(answer.header("connection") == "close" && answer.body.count == 1_000_000)
            #expect(client.seesEnd())
            #expect(eventually { server.metrics.streams == 0 && server.metrics.connections == 0 })
        }
    }
}
