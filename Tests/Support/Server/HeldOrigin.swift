import Demo
import MicroHTTP
import Synchronization

/// An origin of the demo's pictures that responds to no request before the test releases them.
package final class HeldOrigin: Sendable {
    private struct State {
        /// Requests that wait for a response, with the requested pictures.
        var held: [ByteStream.ID: (picture: DemoPicture, stream: ByteStream)] = [:]
        var requests: [Int: Int] = [:]
        var isReleased = false
    }

    private final class Desk: Sendable {
        let state = Mutex(State())

        func take(_ picture: DemoPicture, _ stream: ByteStream) {
            let isReleased = state.withLock { state in
                state.requests[(picture.number ?? 0) - 1, default: 0] += 1
                if !state.isReleased { state.held[stream.id] = (picture, stream) }
                return state.isReleased
            }
            stream.onClose { [weak self] _ in self?.state.withLock { _ = $0.held.removeValue(forKey: stream.id) } }
            if isReleased { HeldOrigin.answer(picture, stream) }
        }
    }

    package let port: UInt16
    private let desk = Desk()
    private let server: Server

    package init() throws {
        var router = Router()
        router.on(.get, "/{size}") { [desk] request in
            let sides = (request.parameter("size") ?? "").split(separator: "x").compactMap { Int($0) }
            guard sides.count == 2,
                let picture = DemoPicture(width: sides[0], height: sides[1], text: request.query("text") ?? "")
            else { return .now(Response(status: 404, text: "There is no such picture.\n")) }
            return .stream(.bytes { stream in desk.take(picture, stream) })
        }
        server = Server(router, configuration: ServerConfiguration())
        port = try server.start()
    }

    package var requests: [Int: Int] { desk.state.withLock { $0.requests } }

    /// Number of requests that wait for a response.
    package var held: Int { desk.state.withLock { $0.held.count } }

    /// Responds to the waiting requests, and from now on to each request immediately.
    package func release() {
        let held = desk.state.withLock { state in
            state.isReleased = true
            defer { state.held = [:] }
            return state.held.values
        }
        for (picture, stream) in held { Self.answer(picture, stream) }
    }

    private static func answer(_ picture: DemoPicture, _ stream: ByteStream) {
        let body = picture.jpeg() ?? []
        let head = "HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: \(body.count)\r\n\r\n"
        stream.write(Array(head.utf8) + body)
        stream.finish()
    }

    package func stop() async {
        release()
        await server.shutdown(grace: .zero)
    }
}
