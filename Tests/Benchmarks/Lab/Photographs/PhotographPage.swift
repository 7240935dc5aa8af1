import Glibc
import JSON
import Terminal

/// A page that looks at photographs: it notes when each item in sight had its preview, and when its picture.
final class PhotographPage {
    /// Cells of 200 x 180 px, 40 in sight at the top of a row.
    static let viewport = (width: 1600.0, height: 900.0)
    static let rowHeight = 180.0

    private let loop: LoadLoop
    private let port: UInt16
    private let client: LoadClient
    private var stream: PhotographStream?
    private var path = ""
    private var seq = 0
    private var isPosting = false
    private(set) var visible = 0..<0
    /// When the session was asked for.
    private let began: Int64
    /// When something of an item came first, and when the whole thumbnail did.
    private var seen: [Int: Int64] = [:]
    private var whole: [Int: Int64] = [:]

    /// Asks for a session that begins at `top`, and for its stream as soon as it is there.
    ///
    /// - Parameter began: when its times begin.
    init(_ loop: LoadLoop, port: UInt16, gallery: String, top: Double, began: Int64 = LoadLoop.now) throws {
        self.began = began
        self.loop = loop
        self.port = port
        client = try LoadClient(loop, port: port)
        let body = """
            {"gallery":"\(gallery)","viewport":{"width":\(Self.viewport.width),"height":\(Self.viewport.height),\
            "scrollTop":\(top)},"layout":{"kind":"grid","itemWidth":200,"itemHeight":180}}
            """
        client.ask("POST", "/api/v1/sessions", body) { [self] answer in
            guard let answer, answer.status == 201, let session = try? JSON.parse(answer.body) else { return }
            path = "/api/v1/sessions/\(session["id"]?.string ?? "")"
            take(session["visible"])
            stream = try? PhotographStream(loop, port: port, path: "\(path)/events")
            stream?.page = self
        }
    }

    private func take(_ range: JSON?) {
        guard let from = range?["from"]?.integer, let to = range?["to"]?.integer, from <= to else { return }
        visible = from..<to
    }

    fileprivate func came(_ item: Int, isWhole: Bool) {
        let now = LoadLoop.now
        if seen[item] == nil { seen[item] = now }
        if isWhole, whole[item] == nil { whole[item] = now }
    }

    /// Milliseconds from the request until everything in sight had something to show, and until it had its picture.
    ///
    /// - Throws: where that takes longer than `seconds`.
    func waitForScreen(seconds: Double) throws -> (seen: Double, whole: Double) {
        let isThere = loop.run(seconds: seconds) { !visible.isEmpty && visible.allSatisfy { whole[$0] != nil } }
        guard isThere else { throw CommandFailure("a screen was still not complete after \(seconds.text(0)) s") }
        return (last(seen), last(whole))
    }

    /// Milliseconds from the request until everything in sight had something to show.
    ///
    /// - Throws: where that takes longer than `seconds`.
    func waitForSomething(seconds: Double) throws -> Double {
        let isThere = loop.run(seconds: seconds) { !visible.isEmpty && lacking.seen == 0 }
        guard isThere else { throw CommandFailure("a screen was still partly blank after \(seconds.text(0)) s") }
        return last(seen)
    }

    private func last(_ times: [Int: Int64]) -> Double {
        Double((visible.compactMap { times[$0] }.max() ?? began) - began) / 1e6
    }

    /// Items in sight that have nothing to show, and those that lack their picture.
    var lacking: (seen: Int, whole: Int) {
        (visible.count { seen[$0] == nil }, visible.count { whole[$0] == nil })
    }

    // MARK: Scrolling

    /// Lets go at `speed`, CSS pixels a second, and glides as on iOS (WWDC 2018, session 803), until it stands still.
    func fling(from top: Double, speed: Double) {
        let decay = 500.0, start = LoadLoop.now
        let drag = 100.0
        var position = top
        var isOver = false
        func step() {
            let time = Double(LoadLoop.now - start) / 1e6
            let phase: String
            if time < drag {
                // The finger speeds up evenly.
                position = top + speed / 1e3 * time * time / (2 * drag)
                phase = "touch"
            } else {
                let gliding = time - drag
                position = top + speed / 1e3 * (drag / 2 + decay * (1 - exp(-gliding / decay)))
                isOver = speed * exp(-gliding / decay) < Self.stillness
                phase = isOver ? "idle" : "momentum"
            }
            post(position, time: time, phase: phase)
            if !isOver { loop.after(milliseconds: 33, step) }
        }
        step()
        loop.run(seconds: 10) { isOver && !isPosting }
    }

    /// Scrolls there, and waits for the answer.
    ///
    /// - Returns: nanoseconds until it came.
    func scroll(to top: Double) -> Int64 {
        let start = LoadLoop.now
        post(top, time: Double(start - began) / 1e6, phase: "touch")
        loop.run(seconds: 10) { !isPosting }
        return LoadLoop.now - start
    }

    /// CSS pixels, a whole number of rows, that lie between two flings which have nothing to do with each other.
    static func reach(ofFling speed: Double) -> Double {
        ((speed * 0.55 + 2 * viewport.height) / rowHeight).rounded(.up) * rowHeight
    }

    /// CSS pixels a second at which a glide ends.
    private static let stillness = 15.0

    private func post(_ top: Double, time: Double, phase: String) {
        guard !isPosting || phase == "idle" else { return }
        // The last one must not be lost.
        if isPosting { loop.run(seconds: 1) { !isPosting } }
        isPosting = true
        seq += 1
        let body = "{\"seq\":\(seq),\"time\":\(time),\"scrollTop\":\(top),\"phase\":\"\(phase)\"}"
        client.ask("POST", "\(path)/viewport", body) { [self] answer in
            isPosting = false
            if let answer, let plan = try? JSON.parse(answer.body) { take(plan["visible"]) }
        }
    }

    /// Ends the session, and with it what is under way for it.
    func close() throws {
        stream?.page = nil
        stream?.leave()
        client.leave()
        _ = try loop.ask(port, "POST", "\(path)/close")
    }
}

private final class PhotographStream: LoadEvents {
    weak var page: PhotographPage?

    override func event(_ name: [UInt8], _ data: [UInt8]) {
        guard name.elementsEqual("thumbnail".utf8), let item = Self.number(data.dropFirst(8)) else { return }
        page?.came(item, isWhole: data.firstRange(of: Array("\"tier\":\"full\"".utf8)) != nil)
    }
}
