import MicroHTTP
import Synchronization

/// An origin of pictures, `0.jpg` and so on, that answers nobody until it is told to.
final class HeldOrigin {
    private let server: Server
    private let gate = Gate()
    let port: UInt16

    private final class Gate: Sendable {
        private struct State {
            var isOpen = false
            var waiting: [CheckedContinuation<Void, Never>] = []
        }

        private let state = Mutex(State())

        func pass() async {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.waiting.append(continuation) }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
            }
        }

        func open() {
            let waiting = state.withLock { state in
                defer { state = State(isOpen: true) }
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
    }

    init(_ pictures: [[UInt8]]) throws {
        var router = Router()
        router.on(.get, "/{file...}") { [gate] request in
            let number = Int(request.path.dropFirst().prefix { $0.isNumber }) ?? -1
            guard pictures.indices.contains(number) else { return .text("nothing", status: 404) }
            return .later {
                await gate.pass()
                return Response(headers: [("Content-Type", "image/jpeg")], body: pictures[number])
            }
        }
        server = Server(router)
        port = try server.start()
    }

    /// The addresses of its pictures, a line each.
    func list(_ count: Int) -> String { (0..<count).map { "http://127.0.0.1:\(port)/\($0).jpg\n" }.joined() }

    /// Lets all go on that have asked, and whoever asks from now on.
    func release() { gate.open() }

    func stop() async {
        release()
        await server.shutdown(grace: .zero)
    }
}
