import Foundation
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// Hummingbird serving what `lookahead-lab` asks of a server: event streams, and viewport updates decoded and encoded
/// with Codable and nothing else done.
///
///     hummingbird-peer [PLANS]
///
/// PLANS is a file of plans, one JSON text a line, to answer in turn.
@main
struct Peer {
    static func main() async throws {
        let plans = try CommandLine.arguments.dropFirst().first.map(plans) ?? []
        let next = Atomic(0)
        let hub = Hub()
        let router = Hummingbird.Router()
        router.get("events") { _, _ -> Response in
            let (id, events) = hub.open()
            return Response(
                status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
                body: .init { writer in
                    defer { hub.close(id) }
                    try await writer.write(ByteBuffer(string: "retry: 2000\n\n"))
                    for await event in events.cancelOnGracefulShutdown() { try await writer.write(event) }
                    try await writer.finish(nil)
                })
        }
        router.get("count") { _, _ in "\(hub.count)" }
        router.post("broadcast") { request, _ -> HTTPResponse.Status in
            hub.send(bytes: request.uri.queryParameters.get("bytes", as: Int.self) ?? 10_000)
            return .accepted
        }
        router.post("pace") { request, _ -> HTTPResponse.Status in
            let bytes = request.uri.queryParameters.get("bytes", as: Int.self) ?? 10_000
            let seconds = request.uri.queryParameters.get("seconds", as: Int.self) ?? 10
            hub.pace(bytes: bytes, seconds: seconds)
            return .accepted
        }
        router.post("api/v1/sessions/:s/viewport") { request, context -> Plan in
            let update = try await request.decode(as: ViewportUpdate.self, context: context)
            guard !plans.isEmpty else { throw HTTPError(.notFound) }
            var plan = plans[next.add(1, ordering: .relaxed).oldValue % plans.count]
            plan.seq = update.seq
            return plan
        }
        var logger = Logger(label: "peer")
        logger.logLevel = .error
        let application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: 0), backlog: 4096),
            onServerRunning: { channel in
                print("Listening on http://127.0.0.1:\(channel.localAddress?.port ?? 0)")
                fflush(nil)
            }, logger: logger)
        try await application.runService()
    }

    private static func plans(_ path: String) throws -> [Plan] {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return try text.split(separator: "\n").map { try JSONDecoder().decode(Plan.self, from: Data($0.utf8)) }
    }
}
