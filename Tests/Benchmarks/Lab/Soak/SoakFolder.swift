import Foundation

/// A folder that goes and comes back under a server of its own, again and again: each time its pictures must, too.
final class SoakFolder {
    static let pictures = 24
    /// How long the server may take to notice, in milliseconds.
    static let patience = 30_000.0

    private unowned let soak: Soak
    private let server: BenchServer
    private let root: String
    private let folder: String
    private let picture: [UInt8]
    private(set) var returns = 0
    private var isEnding = false

    /// - Parameter picture: a file's bytes.
    init(_ soak: Soak, picture: [UInt8]) throws {
        self.soak = soak
        self.picture = picture
        root = NSTemporaryDirectory() + "lookahead-soak-\(UUID().uuidString)"
        folder = root + "/pictures"
        try Self.fill(folder, picture)
        server = try .own(["serve", folder, "--port", "0", "--cache-directory", root + "/cache"])
    }

    /// Puts the folder there with all that is in it, so that nobody sees half of it.
    private static func fill(_ folder: String, _ picture: [UInt8]) throws {
        let unfinished = folder + ".unfinished"
        try FileManager.default.createDirectory(atPath: unfinished, withIntermediateDirectories: true)
        for number in 0..<pictures {
            // Each another file: what follows the picture is not part of it.
            try Data(picture + [UInt8](repeating: 0, count: number)).write(
                to: URL(fileURLWithPath: "\(unfinished)/\(number).jpg"))
        }
        try FileManager.default.moveItem(atPath: unfinished, toPath: folder)
    }

    func start() { soak.loop.after(milliseconds: 500) { [self] in vanish() } }

    private func vanish() {
        guard !isEnding else { return }
        do {
            try FileManager.default.removeItem(atPath: folder)
            until(items: 0) { [self] in
                do {
                    try Self.fill(folder, picture)
                    until(items: Self.pictures) { [self] in look() }
                } catch { soak.fail("\(error)") }
            }
        } catch { soak.fail("\(error)") }
    }

    /// Asks until the gallery has so many items.
    private func until(items: Int, since: Int64 = LoadLoop.now, _ next: @escaping () -> Void) {
        guard !isEnding else { return }
        guard Double(LoadLoop.now - since) / 1e6 < Self.patience else {
            return soak.fail("a folder that went or came was not noticed: \(items) pictures expected")
        }
        ask("/api/v1/galleries/pictures") { [self] answer in
            let told = answer.number("itemCount")
            if told == items { return next() }
            soak.loop.after(milliseconds: 100) { [self] in until(items: items, since: since, next) }
        }
    }

    private func look() {
        ask("/api/v1/galleries/pictures/items/\(returns % Self.pictures)/thumbnail") { [self] answer in
            if answer.status != 200 {
                let said = String(decoding: answer.body, as: UTF8.self)
                soak.fail("a picture that came back was answered \(answer.status): \(said)")
            }
            returns += 1
            soak.loop.after(milliseconds: 1_000) { [self] in vanish() }
        }
    }

    private func ask(_ path: String, _ next: @escaping (LoadClient.Answer) -> Void) {
        do {
            let client = try LoadClient(soak.loop, port: server.port)
            client.ask("GET", path) { [self] answer in
                client.leave()
                guard let answer else { return soak.fail("no answer to GET \(path)") }
                next(answer)
            }
        } catch { soak.fail("\(error)") }
    }

    /// Ends it, and looks whether its counts add up.
    func end() throws {
        isEnding = true
        let metrics = SoakMetrics(
            String(decoding: try soak.loop.ask(server.port, "GET", "/metrics").body, as: UTF8.self))
        if metrics["tasks_total"] != metrics["tasks_created_total"] {
            soak.fail("the folder's server has lost a task")
        }
        if returns == 0 { soak.fail("the folder never came back") }
        server.stop()
        try FileManager.default.removeItem(atPath: root)
    }
}
