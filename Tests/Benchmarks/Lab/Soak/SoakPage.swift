import Glibc
import Numbers

/// One page of a soak: it scrolls, rests until all it shows has come, and then scrolls on, loses its stream and comes
/// back, leaves, or vanishes without a word.
final class SoakPage {
    private let soak: Soak
    private var random: SeededRandom
    private var client: LoadClient?
    private var stream: SoakStream?
    private var session: String?

    private var seq = 0
    private var began: Int64 = 0
    private var top = 0.0
    private var step = 0.0
    private var updatesLeft = 0
    private var visible = 0..<0
    private var held: Set<Int> = []
    private var restsSince: Int64?
    private var lastID: Int?

    init(_ soak: Soak, seed: UInt64) {
        self.soak = soak
        random = SeededRandom(seed: seed)
    }

    func start() {
        guard !soak.isEnding else { return soak.finished(self) }
        do {
            let client = try LoadClient(soak.loop, port: soak.port)
            self.client = client
            (seq, top, lastID, held, visible) = (0, 0, nil, [], 0..<0)
            top = Double(random.below(soak.contentHeight))
            began = LoadLoop.now
            let viewport = "{\"width\":600,\"height\":380,\"scrollTop\":\(top)}"
            client.ask("POST", "/api/v1/sessions", "{\"gallery\":\"demo\",\"viewport\":\(viewport)}") { [self] answer in
                guard let answer, answer.status == 201, let id = answer.text("id") else {
                    return soak.fail("a session was not opened: \(answer.map { "\($0.status)" } ?? "no answer")")
                }
                soak.counts.opened += 1
                session = id
                connect()
                scroll()
            }
        } catch {
            soak.fail("\(error)")
        }
    }

    private func connect() {
        guard let session else { return }
        do {
            stream = try SoakStream(
                soak.loop, port: soak.port, path: "/api/v1/sessions/\(session)/events", lastEventID: lastID)
            soak.counts.streams += 1
            stream?.page = self
        } catch {
            soak.fail("\(error)")
        }
    }

    // MARK: Scrolling

    private func scroll() {
        updatesLeft = 5 + random.below(15)
        step = Double(40 + random.below(260)) * (random.below(2) == 0 ? 1 : -1)
        update()
    }

    private func update() {
        guard let session, !soak.isEnding else { return end() }
        seq += 1
        updatesLeft -= 1
        // Now and then in the midst of it: the other way.
        if random.below(8) == 0 { step = -step }
        top = min(max(0, top + step), Double(soak.contentHeight))
        let phase = updatesLeft > 0 ? "wheel" : "idle"
        let time = Double(LoadLoop.now - began) / 1e6
        let body = "{\"seq\":\(seq),\"time\":\(time),\"scrollTop\":\(top),\"phase\":\"\(phase)\"}"
        post(body, to: session, isSecondTry: false)
    }

    private func post(_ body: String, to session: String, isSecondTry: Bool) {
        if client?.isOpen != true { client = try? LoadClient(soak.loop, port: soak.port) }
        guard let client else { return soak.fail("no connection") }
        client.ask("POST", "/api/v1/sessions/\(session)/viewport", body) { [self] answer in
            // A kept connection that has been idle may end just as it is used again: browsers, too, then ask once more.
            if answer == nil, !isSecondTry { return post(body, to: session, isSecondTry: true) }
            guard let answer, answer.status == 200 else {
                return soak.fail("an update was answered \(answer.map { "\($0.status)" } ?? "by the connection's end")")
            }
            soak.counts.updates += 1
            visible = Self.visible(in: answer.body)
            if updatesLeft > 0 {
                soak.loop.after(milliseconds: Double(100 + random.below(300)), update)
            } else {
                rest()
            }
        }
    }

    private static func visible(in plan: [UInt8]) -> Range<Int> {
        let text = String(decoding: plan, as: UTF8.self)
        guard let from = text.firstRange(of: "\"visible\":{\"from\":"), let to = text.firstRange(of: ",\"to\":"),
            let low = LoadEvents.number(Array(text[from.upperBound...].utf8.prefix(20))[...]),
            let high = LoadEvents.number(Array(text[to.upperBound...].utf8.prefix(20))[...]), low <= high
        else { return 0..<0 }
        return low..<high
    }

    // MARK: Resting

    private func rest() {
        restsSince = LoadLoop.now
        look()
        let since = restsSince
        soak.loop.after(milliseconds: Soak.patience) { [weak self] in
            guard let self, let since, restsSince == since else { return }
            let blank = visible.filter { !held.contains($0) }
            soak.fail("a page has waited \(Int(Soak.patience / 1000)) s for items \(blank.prefix(10))")
        }
    }

    /// Called with what comes, too.
    private func look() {
        guard let since = restsSince, visible.allSatisfy(held.contains) else { return }
        restsSince = nil
        soak.settled.add(LoadLoop.now - since)
        soak.loop.after(milliseconds: Double(500 + random.below(4000)), goOn)
    }

    func came(_ item: Int, isWhole: Bool) {
        if held.contains(item), isWhole, held.count < Soak.pageHolds, wholes.contains(item) {
            soak.counts.repeated += 1
        }
        if isWhole { wholes.insert(item) }
        held.insert(item)
        soak.counts.pictures += 1
        look()
    }

    private var wholes: Set<Int> = []

    // MARK: Other requests of pages

    private func goOn() {
        guard !soak.isEnding else { return end() }
        // If a page leaves before its stream opens, the server may or may not have counted it.
        guard stream?.isReady != false else { return soak.loop.after(milliseconds: 50, goOn) }
        switch random.below(12) {
        case 0: vanish()
        case 10, 11: glance()
        case 1: leave()
        case 2...4: reconnect()
        default: scroll()
        }
    }

    /// Asks for one picture, and mostly does not wait for it.
    private func glance() {
        guard let viewer = try? LoadClient(soak.loop, port: soak.port) else { return soak.fail("no connection") }
        soak.counts.glances += 1
        let item = random.below(soak.items), width = 320 + 64 * random.below(8)
        var isThere = false
        viewer.ask("GET", "/api/v1/galleries/demo/items/\(item)/image?width=\(width)") { [self] answer in
            isThere = true
            guard let answer, [200, 502].contains(answer.status) else {
                return soak.fail("a picture was answered \(answer.map { "\($0.status)" } ?? "by the connection's end")")
            }
        }
        soak.loop.after(milliseconds: Double(random.below(200))) { [self] in
            if !isThere { soak.counts.left += 1 }
            viewer.leave()
            goOn()
        }
    }

    private func reconnect() {
        lastID = stream?.lastID
        stream?.leave()
        stream = nil
        soak.counts.reconnects += 1
        soak.loop.after(milliseconds: Double(random.below(1500))) { [self] in
            guard !soak.isEnding else { return end() }
            connect()
            scroll()
        }
    }

    private func vanish() {
        soak.counts.vanished += 1
        forget()
        soak.loop.after(milliseconds: Double(500 + random.below(3000)), start)
    }

    private func leave() {
        if client?.isOpen != true { client = try? LoadClient(soak.loop, port: soak.port) }
        guard let session, let client else { return }
        // Its stream ends before the answer is here.
        stream?.page = nil
        client.ask("POST", "/api/v1/sessions/\(session)/close") { [self] answer in
            if answer == nil { return leave() }
            if answer?.status != 204 { soak.fail("a session was not closed: \(answer?.status ?? 0)") }
            soak.counts.closed += 1
            forget()
            soak.loop.after(milliseconds: Double(500 + random.below(3000)), start)
        }
    }

    private func forget() {
        stream?.leave()
        client?.leave()
        (stream, client, session, restsSince, wholes) = (nil, nil, nil, nil, [])
    }

    /// The soak is over.
    private func end() {
        guard stream?.isReady != false else { return soak.loop.after(milliseconds: 50, end) }
        forget()
        soak.finished(self)
    }

    /// The server ended the stream of a page that is there.
    func streamEnded() {
        guard session != nil, !soak.isEnding else { return }
        soak.fail("a stream ended by itself")
    }
}

/// A page's event stream.
final class SoakStream: LoadEvents {
    weak var page: SoakPage?
    private(set) var isReady = false

    override func opened() { isReady = true }

    override func event(_ name: [UInt8], _ data: [UInt8]) {
        guard name.elementsEqual("thumbnail".utf8) || name.elementsEqual("failed".utf8) else { return }
        guard let item = Self.number(data.dropFirst(8)) else { return }
        let isWhole = data.firstRange(of: Array("\"tier\":\"full\"".utf8)) != nil || name.elementsEqual("failed".utf8)
        page?.came(item, isWhole: isWhole)
    }

    override func ended() { page?.streamEnded() }
}
