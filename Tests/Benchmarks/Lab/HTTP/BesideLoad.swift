import JSON
import Replay
import Terminal

/// How long viewport updates take while others ask for whatever takes long, and how soon a session opens.
struct BesideLoad {
    /// Updates that each page posts a second.
    private static let rate = 30.0
    /// Pictures of the folder whose streams are opened again and again.
    static let shownPictures = 1000

    private var alone = Durations()
    private var beside = Durations()
    /// How late a thread woke meanwhile that only slept.
    private var wakeDelays = Durations()
    private var crowd = Crowd.Figures()
    /// Milliseconds until a session was open: of a layout that nobody had, and of one that somebody has.
    private var opening: [(layout: String, cold: Double, warm: Double)] = []

    static func measure(pages: Int, seconds: Double, onStep: () -> Void) throws -> BesideLoad {
        let server = try BenchServer.own(["gallery-server", "--pictures", "\(shownPictures)"])
        defer { server.stop() }
        let loop = LoadLoop()
        var load = BesideLoad()
        let layouts = CrowdMember.Layout.allCases
        for layout in layouts {
            let cold = try open(loop, server, layout)
            load.opening.append(("\(layout)", cold, try open(loop, server, layout)))
        }
        let sessions = try layouts.enumerated().flatMap { number, layout in
            try UpdateLoad.open(
                loop, server, count: (pages + number) / layouts.count, gallery: "wide",
                body: "\"viewport\":{\"width\":1200,\"height\":900,\"scrollTop\":1000000},\"layout\":\(layout.json(0))")
        }
        let listeners = try sessions.map {
            try LoadEvents(loop, port: server.port, path: "/api/v1/sessions/\($0)/events")
        }
        defer { for listener in listeners { listener.leave() } }
        let shown = try show(loop, server)
        onStep()
        let updates = try UpdateLoad(loop, server, sessions: sessions)
        let rate = rate * Double(sessions.count)
        _ = updates.pace(rate: rate, seconds: 1)
        load.alone = updates.pace(rate: rate, seconds: seconds).times
        onStep()
        let crowd = Crowd(port: server.port, shown: shown)
        let sleeper = WakeDelays()
        let figures = updates.pace(rate: rate, seconds: seconds)
        load.wakeDelays = sleeper.stop()
        load.crowd = try crowd.stop()
        load.beside = figures.times
        onStep()
        guard figures.status.keys.allSatisfy({ $0 == 200 }) else {
            throw CommandFailure("some updates failed: \(figures.status)")
        }
        return load
    }

    private static func open(_ loop: LoadLoop, _ server: BenchServer, _ layout: CrowdMember.Layout) throws -> Double {
        let body = "{\"gallery\":\"wide\",\"viewport\":{\"width\":1300,\"height\":900},\"layout\":\(layout.json(0))}"
        let began = LoadLoop.now
        let answer = try loop.ask(server.port, "POST", "/api/v1/sessions", body)
        guard answer.status == 201 else { throw CommandFailure("could not open a session: status \(answer.status)") }
        return Double(LoadLoop.now - began) / 1e6
    }

    /// Opens a session that shows the whole folder, and waits for its pictures.
    private static func show(_ loop: LoadLoop, _ server: BenchServer) throws -> String {
        let sessions = try UpdateLoad.open(
            loop, server, count: 1, gallery: "shown",
            body: "\"viewport\":{\"width\":3200,\"height\":3200},\"layout\":{\"kind\":\"grid\",\"itemWidth\":64,"
                + "\"itemHeight\":64}")
        let stream = try PictureCount(loop, port: server.port, path: "/api/v1/sessions/\(sessions[0])/events")
        defer { stream.leave() }
        guard loop.run(seconds: 120, until: { stream.count >= shownPictures }) else {
            throw CommandFailure("only \(stream.count) of \(shownPictures) pictures came")
        }
        return sessions[0]
    }

    private final class PictureCount: LoadEvents {
        private(set) var count = 0
        override func event(_ name: [UInt8], _ data: [UInt8]) {
            if name.elementsEqual("thumbnail".utf8) { count += 1 }
        }
    }

    // MARK: Printing

    private static let shares = [0.5, 0.9, 0.99, 0.999, 1]

    private static func title(_ share: Double) -> String {
        share == 0.5 ? "median" : share == 1 ? "longest" : "\((share * 100).text(share == 0.999 ? 1 : 0)) %"
    }

    func text(_ format: BenchFormat) -> String { format == .json ? json : table }

    private var table: String {
        var updates = TextTable([
            "ms to the answer of a viewport update", "alone", "beside others", "a thread woke late by",
        ])
        for share in Self.shares {
            let values = [alone, beside, wakeDelays].map { $0.milliseconds(at: share).text(2) }
            updates.add([Self.title(share)] + values)
        }
        updates.add(["count", "\(alone.count)", "\(beside.count)", "\(wakeDelays.count)"])
        var others = TextTable(["ms to the others' answers"] + Self.shares.map(Self.title) + ["answers"])
        for chore in Crowd.Chore.allCases {
            guard let times = crowd.times[chore] else { continue }
            let values = Self.shares.map { times.milliseconds(at: $0).text(1) }
            others.add([chore.rawValue] + values + ["\(times.count)"])
        }
        for (status, count) in crowd.refused.sorted(by: { $0.key < $1.key }) {
            others.add(["answered \(status)"] + Self.shares.map { _ in "" } + ["\(count)"])
        }
        var opened = TextTable(["ms to open a session at ten million items", "first", "again"])
        for (layout, cold, warm) in opening { opened.add([layout, cold.text(1), warm.text(1)]) }
        return [updates.text, others.text, opened.text].joined(separator: "\n\n")
    }

    private var json: String {
        func write(_ times: Durations, to writer: inout JSONWriter) {
            writer.object {
                for share in Self.shares { $0.member("p\((share * 100).text(1))", times.milliseconds(at: share)) }
                $0.member("count", times.count)
            }
        }
        return JSONWriter.text { writer in
            writer.member("alone") { write(alone, to: &$0) }
            writer.member("beside") { write(beside, to: &$0) }
            writer.member("wakeDelays") { write(wakeDelays, to: &$0) }
            writer.member("others") {
                $0.object { others in
                    for (chore, times) in crowd.times { others.member(chore.rawValue) { write(times, to: &$0) } }
                }
            }
            writer.member("opening") {
                $0.object { opened in
                    for (layout, cold, warm) in opening {
                        opened.member(layout) {
                            $0.object {
                                $0.member("first", cold)
                                $0.member("again", warm)
                            }
                        }
                    }
                }
            }
        }
    }
}
