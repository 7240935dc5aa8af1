import MicroHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RouterTests {
    @Test("the router prefers literals to parameters and parameters to rests, and backtracks")
    func precedence() async throws {
        var router = Router()
        for pattern in [
            "/", "/a", "/a/b", "/a/{x}", "/a/{x}/c", "/{y}/b/d", "/{x}/{y}/{z}", "/files/{rest...}", "/{any...}",
        ] {
            router.on(.get, pattern) { request in
                let values = ["x", "y", "z", "rest", "any"].compactMap { name in
                    request.parameter(name).map { "\(name)=\($0)" }
                }
                return .now(Response(text: ([request.route] + values).joined(separator: " ")))
            }
        }
        try await serving(router) { _, port in
            let client = try TestClient(port)
            for (path, found) in [
                ("/", "/"), ("/a", "/a"), ("/a/b", "/a/b"), ("/a/7", "/a/{x} x=7"), ("/a/7/c", "/a/{x}/c x=7"),
                ("/a/b/c", "/a/{x}/c x=b"), ("/a/b/d", "/{y}/b/d y=a"), ("/a/7/d", "/{x}/{y}/{z} x=a y=7 z=d"),
                ("/files/", "/files/{rest...} rest="), ("/files/p/q", "/files/{rest...} rest=p/q"),
                ("/b", "/{any...} any=b"), ("/b/", "/{any...} any=b/"), ("/1/2/3/4", "/{any...} any=1/2/3/4"),
                ("/a%20b/%C3%A4/c", "/{x}/{y}/{z} x=a b y=ä z=c"),
            ] {
                #expect(try client.get(path).text == found, "\(path)")
            }
        }
    }

    @Test("the most specific matching pattern decides the allowed methods")
    func particular() async throws {
        var router = Router()
        router.on(.post, "/api/sessions") { _ in .now(Response(status: 201)) }
        router.on(.delete, "/api/sessions/{s}") { _ in .now(Response(status: 204)) }
        router.on(.get, "/{file...}") { _ in .now(Response(text: "file")) }
        try await serving(router) { _, port in
            let client = try TestClient(port)
            let answer = try client.get("/api/sessions")
            #expect(answer.status == 405 && answer.header("allow") == "POST, OPTIONS")
            #expect(try client.get("/api/sessions/7", method: "PUT").header("allow") == "DELETE, OPTIONS")
            #expect(try client.get("/api").text == "file")
        }
    }

    @Test("a query with more than 100 parameters is refused")
    func parameters() throws {
        func request(_ count: Int) throws(RequestError) -> Request {
            try Request(.get, "/?" + Array(repeating: "a=%61", count: count - 1).joined(separator: "&") + "&b=1")
        }
        #expect(try request(100).query("b") == "1")
        #expect(throws: RequestError(status: 400, detail: "the query has more than 100 parameters")) {
            try request(101)
        }
    }

    @Test("a request built in code is checked like one from the network")
    func byHand() throws {
        let request = try Request(
            .get, "/a/../b%20c?x=1&y=a%2Bb+c&x=2",
            headers: [("X-A", "1"), ("x-a", "2"), ("Cookie", "a"), ("cookie", "b")])
        #expect(request.path == "/b c")
        #expect(request.query("x") == "1" && request.query("y") == "a+b c" && request.query("z") == nil)
        #expect(request.header("x-A") == "1, 2" && request.header("cookie") == "a; b")
        #expect(throws: RequestError(status: 400, detail: "the request target has an encoded NUL")) {
            try Request(.get, "/%00")
        }
    }
}
