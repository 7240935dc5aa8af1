import MicroHTTP
import TestSupport
import Testing

/// Tests of event streams: a route that opens them, and clients that read them.
protocol ServesEvents {}

extension ServesEvents {
    /// Serves `/events`, and hands each opened stream to the test.
    func router(_ opened: Recorder<EventStream>) -> Router {
        var router = Router()
        router.on(.get, "/events") { _ in
            .stream(.events(headers: [("X-More", "1")]) { opened.add($0) })
        }
        router.on(.get, "/hello") { _ in .now(Response(text: "hello")) }
        return router
    }

    func open(_ port: UInt16, headers: String = "", receiveBuffer: Int32? = nil) throws -> TestClient {
        let client = try TestClient(port, receiveBuffer: receiveBuffer)
        client.send("GET /events HTTP/1.1\r\nHost: x\r\n\(headers)\r\n")
        return client
    }

    func first(_ opened: Recorder<EventStream>, _ index: Int = 0) throws -> EventStream {
        try #require(opened.wait(for: index + 1))
        return opened.all[index]
    }
}
