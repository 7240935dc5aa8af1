import Foundation
import Numbers
import Synchronization
import Terminal

/// Clients that ask for whatever takes a server long, at ten million items, again and again, on a thread of their own.
final class Crowd: Sendable {
    /// The work of a client; every client has one.
    enum Chore: String, CaseIterable, Sendable {
        /// Opens a session, of each kind of layout, in a width that nobody had before; closes it.
        case open
        /// Opens a session in a width that others have, too.
        case reopen
        /// Posts a viewport of another width.
        case resize
        /// Changes the layout of its session.
        case relayout
        /// Lists a thousand items: of the ten million, and of a folder whose thumbnails are in the store.
        case items
        /// Opens the event stream of a session that holds a thousand pictures; every other one is a dashboard's.
        case stream
    }

    struct Figures: Sendable {
        var times: [Chore: Durations] = [:]
        /// Answers that were no success, by status.
        var refused: [Int: Int] = [:]
    }

    private struct State {
        var figures = Figures()
        var failure: String?
    }

    let port: UInt16
    /// A session of the folder, which was sent all its pictures.
    let shown: String
    private let state = Mutex(State())
    private let over = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)

    init(port: UInt16, shown: String) {
        self.port = port
        self.shown = shown
        Thread.detachNewThread { [self] in
            run()
            ended.signal()
        }
    }

    var isOver: Bool { over.load(ordering: .relaxed) }

    /// Has the clients end, and waits for their last answers.
    func stop() throws -> Figures {
        over.store(true, ordering: .relaxed)
        ended.wait()
        let state = state.withLock { $0 }
        if let failure = state.failure { throw CommandFailure(failure) }
        return state.figures
    }

    func note(_ chore: Chore, _ nanoseconds: Int64, status: Int) {
        state.withLock { state in
            if (200...299).contains(status) {
                state.figures.times[chore, default: Durations()].add(nanoseconds)
            } else {
                state.figures.refused[status, default: 0] += 1
            }
        }
    }

    private func run() {
        let loop = LoadLoop()
        do {
            let members = try Chore.allCases.flatMap { chore in
                try CrowdMember.Layout.allCases.map { layout in
                    try CrowdMember(loop, self, chore, layout)
                }
            }
            for member in members { member.start() }
            loop.run { isOver && members.allSatisfy(\.isDone) }
        } catch {
            state.withLock { $0.failure = "\(error)" }
        }
    }
}

/// One client of a ``Crowd``. It rests a moment after each answer.
final class CrowdMember {
    enum Layout: Int, CaseIterable {
        case grid, justified, masonry

        /// - Parameter number: tells one layout of a kind from another.
        func json(_ number: Int) -> String {
            let side = 120 + number % 100
            return switch self {
            case .grid: "{\"kind\":\"grid\",\"itemWidth\":\(side),\"itemHeight\":180}"
            case .justified: "{\"kind\":\"justified\",\"rowHeight\":\(side)}"
            case .masonry: "{\"kind\":\"masonry\",\"columnWidth\":\(side)}"
            }
        }
    }

    /// Between an answer and the next request, milliseconds.
    private static let pause = 20.0
    /// How long a stream stays, milliseconds.
    private static let stay = 100.0

    private let loop: LoadLoop
    private let crowd: Crowd
    private let chore: Crowd.Chore
    private let layout: Layout
    private let client: LoadClient
    private var random: SeededRandom
    private var session: String?
    private var number = 0
    private(set) var isDone = false

    init(_ loop: LoadLoop, _ crowd: Crowd, _ chore: Crowd.Chore, _ layout: Layout) throws {
        self.loop = loop
        self.crowd = crowd
        self.chore = chore
        self.layout = layout
        client = try LoadClient(loop, port: crowd.port)
        random = SeededRandom(seed: UInt64(layout.rawValue))
    }

    func start() {
        guard chore == .resize || chore == .relayout else { return next() }
        open(width: 1200) { [self] _ in next() }
    }

    private func next() {
        guard !crowd.isOver, client.isOpen else {
            client.leave()
            isDone = true
            return
        }
        number += 1
        switch chore {
        case .open: openAndClose(width: 500 + number)
        case .reopen: openAndClose(width: 1200)
        case .resize:
            let update = "\"seq\":\(number),\"time\":\(100 * number),\"scrollTop\":\(top)"
            ask("POST", "\(path)/viewport", "{\(update),\"width\":\(600 + number % 700),\"phase\":\"idle\"}")
        case .relayout:
            let kind = Layout.allCases[(layout.rawValue + number) % Layout.allCases.count]
            ask("PATCH", path, "{\"layout\":\(kind.json(number))}")
        case .items:
            let wide = "wide/items?count=1000&from=\(random.below(9_000_000))"
            ask("GET", "/api/v1/galleries/" + (number.isMultiple(of: 2) ? wide : "shown/items?count=1000"))
        case .stream: watch()
        }
    }

    private var path: String { "/api/v1/sessions/\(session ?? "none")" }
    private var top: Int { random.below(1_000_000) }

    private func ask(_ method: String, _ path: String, _ body: String = "") {
        let sent = LoadLoop.now
        client.ask(method, path, body) { [self] answer in
            crowd.note(chore, LoadLoop.now - sent, status: answer?.status ?? 0)
            rest()
        }
    }

    private func rest() { loop.after(milliseconds: Self.pause) { [self] in next() } }

    private func open(width: Int, _ then: @escaping (LoadClient.Answer?) -> Void) {
        let viewport = "{\"width\":\(width),\"height\":900,\"scrollTop\":\(top)}"
        let body = "{\"gallery\":\"wide\",\"viewport\":\(viewport),\"layout\":\(layout.json(0))}"
        client.ask("POST", "/api/v1/sessions", body) { [self] answer in
            session = answer?.text("id")
            then(answer)
        }
    }

    private func openAndClose(width: Int) {
        let sent = LoadLoop.now
        open(width: width) { [self] answer in
            crowd.note(chore, LoadLoop.now - sent, status: answer?.status ?? 0)
            guard session != nil else { return rest() }
            client.ask("DELETE", path) { [self] _ in rest() }
        }
    }

    private func watch() {
        let query = number.isMultiple(of: 2) ? "?only=stats,progress" : ""
        let sent = LoadLoop.now
        do {
            let stream = try CrowdStream(loop, port: crowd.port, path: "/api/v1/sessions/\(crowd.shown)/events\(query)")
            var isOpen = false
            stream.onOpen = { [self, weak stream] in
                guard !isOpen else { return }
                isOpen = true
                crowd.note(chore, LoadLoop.now - sent, status: stream?.status ?? 0)
            }
            loop.after(milliseconds: Self.stay) { [self] in
                if !isOpen { crowd.note(chore, LoadLoop.now - sent, status: 200) }
                stream.onOpen = nil
                stream.leave()
                rest()
            }
        } catch {
            crowd.note(chore, 0, status: 0)
            rest()
        }
    }
}

private final class CrowdStream: LoadEvents {
    var onOpen: (() -> Void)?
    override func opened() { onOpen?() }
}
