import Glibc
import MicroHTTP
import Numbers
import TestSupport
import Testing

/// Responses to malformed, unusual and hostile requests, byte for byte (RFC 9110 and 9112).
@Suite(.timeLimit(.minutes(1)))
struct HostileRequestTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: String
        /// 0 if the connection closes without a response.
        let status: Int
        var testDescription: String { name }
        init(_ name: String, _ bytes: String, _ status: Int) {
            (self.name, self.bytes, self.status) = (name, bytes, status)
        }
    }

    static let refused: [Case] = [
        .init(
            "Content-Length with Transfer-Encoding",
            "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        .init(
            "Transfer-Encoding with Content-Length",
            "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n", 400),
        .init(
            "two different Content-Lengths",
            "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", 400),
        .init(
            "two equal Content-Lengths",
            "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc", 400),
        .init("a list of Content-Lengths", "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3, 3\r\n\r\nabc", 400),
        .init("a signed Content-Length", "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: +3\r\n\r\nabc", 400),
        .init("a negative Content-Length", "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: -3\r\n\r\nabc", 400),
        .init("an empty Content-Length", "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length:\r\n\r\n", 400),
        .init("a Content-Length of text", "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n", 400),
        .init(
            "a huge Content-Length",
            "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999999\r\n\r\n", 413),
        .init(
            "a Content-Length above the limit",
            "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999999\r\n\r\n", 413),
        .init("an unknown transfer coding", "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
        .init(
            "gzip before chunked",
            "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501),
        .init(
            "chunked twice",
            "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            400),
        .init(
            "an obscured chunked",
            "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: \u{0b}chunked\r\n\r\n0\r\n\r\n", 400),
        .init(
            "Transfer-Encoding in HTTP/1.0",
            "POST /echo HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        .init(
            "a broken chunk size",
            "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n", 400),
        .init("a space before the colon", "GET /hello HTTP/1.1\r\nHost : x\r\n\r\n", 400),
        .init("a folded header", "GET /hello HTTP/1.1\r\nHost: x\r\nX-A: one\r\n two\r\n\r\n", 400),
        .init(
            "a folded Transfer-Encoding",
            "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chu\r\n nked\r\n\r\n0\r\n\r\n", 400),
        .init("a folded first header", "GET /hello HTTP/1.1\r\n folded\r\nHost: x\r\n\r\n", 400),
        .init("line ends without CR", "GET /hello HTTP/1.1\nHost: x\n\n", 400),
        .init("one line end without CR", "GET /hello HTTP/1.1\r\nHost: x\nX-A: b\r\n\r\n", 400),
        .init("a request line without CR", "GET /hello HTTP/1.1\nHost: x\r\n\r\n", 400),
        .init("a bare CR in a header", "GET /hello HTTP/1.1\r\nHost: x\r\nX-A: one\rX-B: two\r\n\r\n", 400),
        .init("a NUL in a header", "GET /hello HTTP/1.1\r\nHost: x\r\nX-A: one\0two\r\nX-B: c\r\n\r\n", 400),
        .init("a NUL at the end of a header", "GET /hello HTTP/1.1\r\nHost: x\r\nX-A: one\0\r\nX-B: c\r\n\r\n", 400),
        .init("a NUL at the end of the last header", "GET /hello HTTP/1.1\r\nHost: x\r\nX-A: one\0\r\n\r\n", 400),
        .init("NULs at the end of the last header", "GET /hello HTTP/1.1\r\nHost: x\r\nX-A: one\0\0\0\r\n\r\n", 400),
        .init("a last header of NULs", "GET /hello HTTP/1.1\r\nHost: x\r\nX-A: \0\0\r\n\r\n", 400),
        .init("a NUL in the name of the last header", "GET /hello HTTP/1.1\r\nHost: x\r\nX\0A: b\r\n\r\n", 400),
        .init("a NUL before the last header", "GET /hello HTTP/1.1\r\nHost: x\r\n\0X-A: b\r\n\r\n", 400),
        .init("a line of NUL that looks like the end of the head", "GET /hello HTTP/1.1\r\nHost: x\r\n\0\r\n\r\n", 400),
        .init("a NUL after the method", "GET\0X /hello HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        .init("a NUL in the target", "GET /hello\0.jpg HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        .init("a NUL in the query", "GET /hello?a=\0b HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        .init("a NUL after the version", "GET /hello HTTP/1.1\0\r\nHost: x\r\n\r\n", 400),
        .init("a NUL after the version, and no header", "GET /hello HTTP/1.0\0\r\n\r\n", 400),
        .init("two spaces before the target", "GET  /hello HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        .init("a space after the version", "GET /hello HTTP/1.1 \r\nHost: x\r\n\r\n", 400),
        .init("a last header without CR", "GET /hello HTTP/1.1\r\nHost: x\r\nX-A: b\n\r\n", 400),
        .init("an empty line without CR", "GET /hello HTTP/1.1\r\nHost: x\r\nX-A: b\r\n\n", 400),
        .init("an empty line without CR, and no header", "GET /hello HTTP/1.0\r\n\n", 400),
        .init("a control character in a header", "GET /hello HTTP/1.1\r\nHost: x\r\nX-A: one\u{01}two\r\n\r\n", 400),
        .init("a header name with a space", "GET /hello HTTP/1.1\r\nHost: x\r\nX A: b\r\n\r\n", 400),
        .init("a header without a name", "GET /hello HTTP/1.1\r\nHost: x\r\n: b\r\n\r\n", 400),
        .init("a header without a colon", "GET /hello HTTP/1.1\r\nHost: x\r\nnothing\r\n\r\n", 400),
        .init("no Host", "GET /hello HTTP/1.1\r\n\r\n", 400),
        .init("no Host, and a body", "POST /echo HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", 400),
        .init(
            "cookies too large for the memory limit",
            "GET /hello HTTP/1.1\r\nHost: x\r\nCookie: \(String(repeating: "a=b; ", count: 6000))\r\n\r\n", 431),
        .init("a request line without a version", "GET /hello\r\n\r\n", 400),
        .init("HTTP/0.9", "GET /hello HTTP/0.9\r\n\r\n", 505),
        .init("two Hosts", "GET /hello HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400),
        .init("an unknown method", "FOO /hello HTTP/1.1\r\nHost: x\r\n\r\n", 501),
        .init("a method in lower case", "get /hello HTTP/1.1\r\nHost: x\r\n\r\n", 501),
        .init("a method that is no token", "G(T /hello HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        .init("CONNECT", "CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n\r\n", 501),
        .init("TRACE", "TRACE /hello HTTP/1.1\r\nHost: x\r\n\r\n", 405),
        .init("HTTP/1.2", "GET /hello HTTP/1.2\r\nHost: x\r\n\r\n", 505),
        .init("HTTP/2.0", "GET /hello HTTP/2.0\r\nHost: x\r\n\r\n", 505),
        .init("HTTP/1.10", "GET /hello HTTP/1.10\r\nHost: x\r\n\r\n", 400),
        .init("an unknown protocol", "GET /hello FTP/1.1\r\nHost: x\r\n\r\n", 400),
        .init("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
        .init(
            "an unknown expectation",
            "POST /echo HTTP/1.1\r\nHost: x\r\nExpect: a miracle\r\nContent-Length: 3\r\n\r\nabc", 417),
        .init("an encoded NUL in the path", "GET /hel%00lo HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        .init("an encoded NUL in the query", "GET /hello?a=%00 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        .init("a broken percent-encoding", "GET /hel%zzlo HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        .init("a percent-encoding cut off", "GET /hello% HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        .init("a half percent-encoding", "GET /hello%4 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        .init("a path that is not UTF-8", "GET /%ff HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        .init("an overlong encoding", "GET /%c0%ae%c0%ae/x HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        .init("a space in the path", "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n", 0),
        .init("a fragment", "GET /hello#a HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        .init("a control character in the path", "GET /hel\u{01}lo HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        .init("a relative path", "GET hello HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        .init("an asterisk with GET", "GET * HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        .init("another scheme", "GET ftp://x/hello HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        .init("user information in the target", "GET http://me@x/hello HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        .init("dots beyond the root", "GET /../../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n", 404),
        .init(
            "a header too large",
            "GET /hello HTTP/1.1\r\nHost: x\r\nX-A: \(String(repeating: "a", count: 70_000))\r\n\r\n", 431),
        .init(
            "too many headers", "GET /hello HTTP/1.1\r\nHost: x\r\n\(String(repeating: "X-A: b\r\n", count: 9000))\r\n",
            431),
        .init("a target too long", "GET /\(String(repeating: "a", count: 70_000)) HTTP/1.1\r\nHost: x\r\n\r\n", 414),
    ]

    static let accepted: [Case] = [
        .init("plain", "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n", 200),
        .init("HTTP/1.0 without Host", "GET /hello HTTP/1.0\r\n\r\n", 200),
        .init("an empty line before", "\r\nGET /hello HTTP/1.1\r\nHost: x\r\n\r\n", 200),
        .init("spaces around a value", "GET /hello HTTP/1.1\r\nHost:x\r\nX-A: \t b \t \r\nX-B:\r\n\r\n", 200),
        .init("an absolute target", "GET http://x/hello HTTP/1.1\r\nHost: y\r\n\r\n", 200),
        .init("an absolute target in capitals", "GET HTTP://X:80/hello HTTP/1.1\r\nHost: y\r\n\r\n", 200),
        .init("an encoded path", "GET /%68ello HTTP/1.1\r\nHost: x\r\n\r\n", 200),
        .init("dots and slashes", "GET //a/.././%2e/b/%2E%2e/hello HTTP/1.1\r\nHost: x\r\n\r\n", 200),
        .init(
            "a query of many parameters",
            "GET /hello?\(String(repeating: "a&", count: 99)) HTTP/1.1\r\nHost: x\r\n\r\n", 200),
        .init("a query with anything", "GET /hello?a=/../b&c=%ff HTTP/1.1\r\nHost: x\r\n\r\n", 200),
        .init(
            "a long header", "GET /hello HTTP/1.1\r\nHost: x\r\nX-A: \(String(repeating: "a", count: 20_000))\r\n\r\n",
            200),
        .init("bytes above ASCII in a header", "GET /hello HTTP/1.1\r\nHost: x\r\nX-A: é\r\n\r\n", 200),
        .init(
            "chunks with an extension and a trailer",
            "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n3;a=b\r\nabc\r\n0\r\nX-T: 1\r\n\r\n",
            200),
        .init("Expect in HTTP/1.0", "POST /echo HTTP/1.0\r\nExpect: a miracle\r\nContent-Length: 3\r\n\r\nabc", 200),
    ]

    private var router: Router {
        var router = Router()
        router.errorResponse = { status, detail, _ in Response(status: status, type: "x/problem", text: detail) }
        router.on(.get, "/hello") { _ in .now(Response(text: "hello")) }
        router.on(.post, "/echo") { .now(Response(body: $0.body)) }
        return router
    }

    @Test(
        "a malformed request gets its error status and smuggles no second request", arguments: refused
    )
    func refuses(_ one: Case) async throws {
        try await serving(router) { server, port in
            let client = try TestClient(port)
            client.send(one.bytes + "GET /hello HTTP/1.1\r\nHost: smuggled\r\n\r\n")
            if one.status == 0 {
                #expect(try client.readToEnd().isEmpty)
                return
            }
            let answer = try client.answer()
            #expect(answer.status == one.status, "\(one.name)")
            #expect(answer.header("content-type") == "x/problem", "\(one.name): not this server's own response")
            #expect(!answer.text.contains("HTTP/1.1 4"), "\(one.name): a second head in the response")
            if one.status != 404 && one.status != 405 {
                #expect(try client.readToEnd().isEmpty, "\(one.name): the connection stays open")
                #expect(eventually { server.metrics.requestsInFlight == 0 })
            }
            let other = try TestClient(port)
            #expect(try other.get("/hello").text == "hello")
        }
    }

    @Test("a malformed request is refused after a valid one and for HEAD")
    func refusedLater() async throws {
        try await serving(router) { _, port in
            let client = try TestClient(port)
            client.send("GET /hello HTTP/1.1\r\nHost: x\r\n\r\nPOST /echo HTTP/1.1\r\nContent-Length: +15\r\n\r\n")
            #expect(try client.answer().text == "hello")
            let refusal = try client.answer()
            #expect(refusal.status == 400 && refusal.header("content-type") == "x/problem")
            #expect(try client.readToEnd().isEmpty)
            let head = try TestClient(port)
            head.send("HEAD /hello HTTP/1.1\r\n\r\n")
            #expect(try head.answer(isHead: true).status == 400)
            #expect(try head.readToEnd().isEmpty)
        }
    }

    @Test("an unusual but valid request succeeds and keeps its connection open", arguments: accepted)
    func accepts(_ one: Case) async throws {
        try await serving(router) { _, port in
            let client = try TestClient(port)
            client.send(one.bytes)
            let answer = try client.answer()
            #expect(answer.status == 200, "\(one.name)")
            if !one.bytes.contains("HTTP/1.0") { #expect(try client.get("/hello").text == "hello", "\(one.name)") }
        }
    }

    @Test("Expect: 100-continue gets 100 before the body, or the error status")
    func expectContinue() async throws {
        try await serving(router) { _, port in
            let client = try TestClient(port)
            client.send("POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\nContent-Length: 3\r\n\r\n")
            #expect(try client.head().status == 100)
            client.send("abc")
            #expect(try client.answer().text == "abc")
            client.send("POST /nowhere HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
            #expect(try client.head().status == 404)
        }
    }

    @Test("pipelined requests get responses in order, and noise from other clients does no harm")
    func pipelining() async throws {
        try await serving(router) { _, port in
            let client = try TestClient(port)
            client.send(String(repeating: "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi", count: 50))
            for _ in 0..<50 { #expect(try client.answer().text == "hi") }
            var generator = SeededRandom(seed: 3)
            for _ in 0..<50 {
                let noise = try TestClient(port)
                noise.send((0..<300).map { _ in UInt8(truncatingIfNeeded: generator.next()) } + Array("\r\n\r\n".utf8))
                noise.leave()
            }
            #expect(try client.get("/hello").text == "hello")
        }
    }

    @Test("a request cut at any byte leaves no connection open")
    func cutAnywhere() async throws {
        let whole = Array(
            "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n".utf8)
        // libmicrohttpd may miss a client that sends part of a request and leaves: the deadlines catch it.
        try await serving(router) {
            $0.requestDeadline = .milliseconds(500)
            $0.idleTimeout = .seconds(3600)
        } _: { server, port in
            let other = try clientThatAsked(port, "/hello")
            for end in whole.indices {
                let client = try TestClient(port)
                client.send(whole[..<end])
                client.leave()
                #expect(try other.get("/hello").status == 200)
            }
            other.leave()
            #expect(
                eventually { server.metrics.connections == 0 && server.metrics.requestsInFlight == 0 },
                "\(server.metrics)")
        }
    }
}
