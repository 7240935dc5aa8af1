import Demo
import MicroHTTP
import Synchronization

/// An origin whose responses a test writes. It can hold them back until the test releases them.
package final class ScriptedOrigin: Sendable {
    package typealias Respond = @Sendable (Request) -> Response

    private struct State {
        /// Whether requests wait for a response.
        var isHeld: Bool
        /// Streams of the requests that wait, with their responses.
        var held: [ByteStream.ID: (response: Response, stream: ByteStream)] = [:]
        var log: [(request: Request, status: Int)] = []
    }

    private final class Desk: Sendable {
        let state: Mutex<State>

        init(isHeld: Bool) { state = Mutex(State(isHeld: isHeld)) }

        func take(_ response: Response, _ stream: ByteStream) {
            let isHeld = state.withLock { state in
                if state.isHeld { state.held[stream.id] = (response, stream) }
                return state.isHeld
            }
            stream.onClose { [weak self] _ in self?.state.withLock { _ = $0.held.removeValue(forKey: stream.id) } }
            if !isHeld { ScriptedOrigin.send(response, stream) }
        }
    }

    package let port: UInt16
    private let desk: Desk
    private let server: Server

    package init(isHeld: Bool = false, _ respond: @escaping Respond) throws {
        let desk = Desk(isHeld: isHeld)
        self.desk = desk
        var router = Router()
        router.on(.get, "/{file...}") { request in
            let response = respond(request)
            desk.state.withLock { $0.log.append((request, response.status)) }
            return .stream(.bytes { stream in desk.take(response, stream) })
        }
        server = Server(router, configuration: ServerConfiguration())
        port = try server.start()
    }

    /// An origin of the demo's pictures that holds its responses.
    package static func heldDemo() throws -> ScriptedOrigin {
        try ScriptedOrigin(isHeld: true) { request in
            let sides = request.path.dropFirst().split(separator: "x").compactMap { Int($0) }
            guard sides.count == 2,
                let picture = DemoPicture(width: sides[0], height: sides[1], text: request.query("text") ?? "")
            else { return Response(status: 404, text: "There is no such picture.\n") }
            return Response(headers: [("Content-Type", "image/jpeg")], body: picture.jpeg() ?? [])
        }
    }

    /// An origin of the pictures `0.jpg`, `1.jpg` and so on that holds its responses.
    package static func held(_ pictures: [[UInt8]]) throws -> ScriptedOrigin {
        try ScriptedOrigin(isHeld: true) { request in
            let number = Int(request.path.dropFirst().prefix { $0.isNumber }) ?? -1
            guard pictures.indices.contains(number) else { return Response(status: 404, text: "nothing") }
            return Response(headers: [("Content-Type", "image/jpeg")], body: pictures[number])
        }
    }

    /// Returns the addresses of `0.jpg` to `count - 1`, a line each.
    package func list(_ count: Int) -> String { (0..<count).map { "http://127.0.0.1:\(port)/\($0).jpg\n" }.joined() }

    /// Statuses of the responses, in the order of their requests.
    package var statuses: [Int] { desk.state.withLock { $0.log.map(\.status) } }

    /// Number of requests for each item of the demo. A demo picture's text ends with its number, counted from 1.
    package var demoRequests: [Int: Int] {
        desk.state.withLock { state in
            state.log.reduce(into: [:]) { counts, entry in
                let number = (entry.request.query("text") ?? "").split(separator: " ").last.flatMap { Int($0) } ?? 0
                counts[number - 1, default: 0] += 1
            }
        }
    }

    /// Number of requests that wait for a response.
    package var heldCount: Int { desk.state.withLock { $0.held.count } }

    /// Sends the held responses, and from now on each response immediately.
    package func release() {
        let held = desk.state.withLock { state in
            state.isHeld = false
            defer { state.held = [:] }
            return state.held.values
        }
        for (response, stream) in held { Self.send(response, stream) }
    }

    private static func send(_ response: Response, _ stream: ByteStream) {
        let body = response.body
        var head = "HTTP/1.1 \(response.status) Scripted\r\n"
        for (name, value) in response.headers { head += "\(name): \(value)\r\n" }
        if response.status != 304 { head += "Content-Length: \(body.count)\r\n" }
        stream.write(Array("\(head)\r\n".utf8) + body)
        stream.finish()
    }

    package func stop() async {
        release()
        await server.shutdown(grace: .zero)
    }
}
