import ArgumentParser
import Glibc
import MicroHTTP
import Terminal

/// The server that `lookahead-lab events` measures: the HTTP server alone, without galleries.
struct BenchEventServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "event-server", abstract: "Serve event streams until told to stop.", shouldDisplay: false)

    func run() async throws {
        let signals = StopSignals()
        let hub = EventHub()
        var router = Router()
        router.on(.get, "/events") { _ in .stream(.events { hub.add($0) }) }
        router.on(.get, "/count") { _ in .text("\(hub.count)") }
        router.on(.post, "/broadcast") { request in
            let bytes = Self.number("bytes", of: request) ?? 10_000
            // The parser's thread must not be held up.
            Task { hub.send(bytes: bytes) }
            return .now(Response(status: 202))
        }
        router.on(.post, "/pace") { request in
            let bytes = Self.number("bytes", of: request) ?? 10_000
            let seconds = Self.number("seconds", of: request) ?? 10
            hub.pace(bytes: bytes, seconds: seconds)
            return .now(Response(status: 202))
        }
        let server = Server(router)
        let port = try server.start()
        print("Listening on http://127.0.0.1:\(port)")
        fflush(nil)
        await signals.first()
        await server.shutdown(bye: Event(name: "bye", data: "{}"))
        withExtendedLifetime(signals) {}
    }

    private static func number(_ name: String, of request: Request) -> Int? {
        request.query(name).flatMap { Int($0) }
    }
}
