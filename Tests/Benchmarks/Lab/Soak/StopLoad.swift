import Glibc
import Terminal

/// One server's life: streams are opened, pages scroll, pictures are asked for, and in the midst of it the server is told to
/// stop.
struct StopLoad {
    struct Outcome {
        var status: Int32 = 0
        var seconds = 0.0
        var streams = 0
        /// Streams that heard `bye` and then ended.
        var farewells = 0
        /// Requests that were answered in full.
        var answers = 0
    }

    var streams: Int
    /// Milliseconds of load before the signal.
    var delay: Double
    /// Seconds after which it is late.
    var limit: Double

    private final class Reader: LoadEvents {
        var isReady = false
        var heardBye = false
        var hasEnded = false

        override func event(_ name: [UInt8], _ data: [UInt8]) {
            isReady = true
            if name.elementsEqual("bye".utf8) { heardBye = true }
        }
        override func ended() { hasEnded = true }
    }

    func run(_ loop: LoadLoop) throws -> Outcome {
        let server = try BenchServer.lookahead([
            "demo", "--port", "0", "--latency", "20", "--max-sessions", "\(streams + 100)",
        ])
        var outcome = Outcome(streams: streams)
        do {
            try load(loop, server, &outcome)
        } catch {
            server.stop()
            throw error
        }
        return outcome
    }

    private func load(_ loop: LoadLoop, _ server: BenchServer, _ outcome: inout Outcome) throws {
        let viewport = "\"viewport\":{\"width\":600,\"height\":400,\"scrollTop\":20000}"
        let sessions = try UpdateLoad.open(loop, server, count: streams, gallery: "demo", body: viewport)
        let readers = try sessions.map { try Reader(loop, port: server.port, path: "/api/v1/sessions/\($0)/events") }
        guard loop.run(seconds: 60, until: { readers.allSatisfy(\.isReady) }) else {
            throw CommandFailure("only \(readers.count { $0.isReady }) of \(streams) streams opened")
        }
        let answers = try ask(loop, server, sessions)
        loop.run(seconds: 30) { answers.count >= 20 }
        loop.run(seconds: delay / 1000)
        let began = LoadLoop.now
        server.signal(SIGTERM)
        loop.run(seconds: max(30, limit)) { !server.isRunning }
        outcome.seconds = Double(LoadLoop.now - began) / 1e9
        if server.isRunning { server.signal(SIGKILL) }
        outcome.status = server.wait()
        // Bytes that the kernel still holds for them.
        loop.run(seconds: 5) { readers.allSatisfy(\.hasEnded) }
        outcome.farewells = readers.count { $0.heardBye && $0.hasEnded }
        outcome.answers = answers.count
        for reader in readers { reader.leave() }
        answers.leave()
    }

    /// Clients that go on for as long as they are answered.
    private final class Answers {
        var count = 0
        var clients: [LoadClient] = []
        func leave() { for client in clients { client.leave() } }
    }

    private func ask(_ loop: LoadLoop, _ server: BenchServer, _ sessions: [String]) throws -> Answers {
        let answers = Answers()
        for session in sessions.prefix(6) {
            let client = try LoadClient(loop, port: server.port)
            answers.clients.append(client)
            let page = ScrollingPage(client, session: session, top: 20_000)
            func post() {
                page.update { answer in
                    guard answer?.status == 200 || answer?.status == 429 else { return }
                    answers.count += 1
                    // A page's pace, not the most there is: or its limit of updates would be all that is asked.
                    loop.after(milliseconds: 10, post)
                }
            }
            post()
        }
        for number in 0..<4 {
            let client = try LoadClient(loop, port: server.port)
            answers.clients.append(client)
            var item = number
            func get() {
                item += 4
                client.ask("GET", "/api/v1/galleries/demo/items/\(item)/thumbnail") { answer in
                    guard answer?.status == 200 else { return }
                    answers.count += 1
                    get()
                }
            }
            get()
        }
        return answers
    }
}
