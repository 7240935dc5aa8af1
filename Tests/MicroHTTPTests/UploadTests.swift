import MicroHTTP
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct UploadTests {
    private final class Sum: Sendable {
        let state = Mutex((bytes: 0, largest: 0, sum: 0, atOnce: 0))
        let abandoned = Promise<Bool>()
    }

    private func router(_ sum: Sum, limit: Int = 1 << 30) -> Router {
        var router = Router()
        router.upload(.post, "/upload", limit: limit) { request in
            if request.header("content-type") == "application/json" {
                return .collect(limit: 100) { .now(Response(text: "whole \($0.body.count)")) }
            }
            if request.header("content-type") == "text/bad" { return .refuse(Response(status: 415)) }
            return .accept(
                Upload(
                    receive: { piece in
                        sum.state.withLock {
                            $0.atOnce += 1
                            $0.bytes += piece.count
                            $0.largest = max($0.largest, piece.count)
                            $0.sum = piece.reduce($0.sum) { $0 &+ Int($1) }
                        }
                        // Counts another piece that arrives in the meantime.
                        await Task.detached {}.value
                        return sum.state.withLock {
                            $0.atOnce -= 1
                            if $0.atOnce != 0 { return Response(status: 500) }
                            return piece.contains(33) ? Response(status: 422, text: "no !") : nil
                        }
                    },
                    finish: { Response(status: 201, text: "\(sum.state.withLock { $0.bytes })") },
                    abandoned: { sum.abandoned.fulfil(true) }))
        }
        router.on(.get, "/hello") { _ in .now(Response(text: "hello")) }
        return router
    }

    @Test("a long body arrives in ordered pieces, one at a time")
    func pieces() async throws {
        let sum = Sum()
        try await serving(router(sum)) { _, port in
            let client = try TestClient(port, seconds: 50)
            let body = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0) | 64 }
            let answer = try client.post("/upload", body)
            #expect(answer.status == 201 && answer.text == "5000000")
            #expect(sum.state.withLock { $0.largest } <= 32 * 1024)
            #expect(sum.state.withLock { $0.sum } == body.reduce(0) { $0 + Int($1) })
            #expect(try client.get("/hello").text == "hello")
            client.send(
                "POST /upload HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
            )
            #expect(try client.answer().text == "5000005")
            #expect(try client.post("/upload", []).text == "5000005")
            #expect(!sum.abandoned.isFulfilled)
        }
    }

    @Test("the request head decides if an upload is streamed, collected or refused")
    func decides() async throws {
        try await serving(router(Sum())) { _, port in
            let client = try TestClient(port)
            #expect(
                try client.post("/upload", [1, 2, 3], headers: "Content-Type: application/json\r\n").text == "whole 3")
            #expect(try client.post("/upload", [1, 2, 3], headers: "Content-Type: text/bad\r\n").status == 415)
            #expect(
                try client.post(
                    "/upload", Array(repeating: 1, count: 101), headers: "Content-Type: application/json\r\n"
                ).status == 413)
        }
    }

    @Test("an upload refused midway gets its response while the client still sends")
    func refusedMidway() async throws {
        let sum = Sum()
        try await serving(router(sum)) { _, port in
            let client = try TestClient(port)
            client.send("POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\n\r\nabc!")
            for _ in 0..<100 { client.send([UInt8](repeating: 65, count: 10_000)) }
            let answer = try client.answer()
            #expect(answer.status == 422 && answer.text == "no !")
            #expect(try sum.abandoned.wait())
        }
    }

    @Test("a chunked upload over the limit gets 413")
    func tooLarge() async throws {
        let sum = Sum()
        try await serving(router(sum, limit: 100_000)) { _, port in
            let client = try TestClient(port)
            client.send("POST /upload HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "2710\r\n" + String(repeating: "a", count: 10_000) + "\r\n"
            for _ in 0..<20 { client.send(chunk) }
            let answer = try client.answer()
            #expect(answer.status == 413)
            #expect(try sum.abandoned.wait())
            #expect(sum.state.withLock { $0.bytes } <= 100_000)
        }
    }

    @Test("a client that leaves during its upload abandons the upload")
    func abandoned() async throws {
        let sum = Sum()
        try await serving(router(sum)) { server, port in
            let client = try TestClient(port)
            client.send("POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\n\r\nabc")
            #expect(eventually { sum.state.withLock { $0.bytes } == 3 })
            client.leave()
            #expect(try sum.abandoned.wait())
            #expect(eventually { server.metrics.connections == 0 && server.metrics.requestsInFlight == 0 })
        }
    }
}
