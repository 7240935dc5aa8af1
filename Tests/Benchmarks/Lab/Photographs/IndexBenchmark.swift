import Foundation
import JSON
import Numbers
import Replay
import Terminal

/// A server on a folder that it has not seen before, and again on the same: how soon it shows and knows the pictures, how long
/// updates of a page wait meanwhile, and the room it takes while nobody looks on.
struct IndexBenchmark {
    private(set) var files = 0
    /// Milliseconds from the request of the first session until forty cells show something, and until their pictures are there.
    private(set) var first = (seen: Double.nan, whole: Double.nan)
    /// The same after a restart.
    private(set) var restarted = (seen: Double.nan, whole: Double.nan)
    /// Files a second whose heads were read while nobody looks on, their bytes not in the system's memory.
    private(set) var rate = Double.nan
    /// Seconds from a restart until all is known.
    private(set) var known = Double.nan
    /// Viewport updates of a page that scrolls while the files are read.
    private(set) var updates = Durations()
    /// Bytes of the server's own memory: with all known, and with four arrangements open besides.
    private(set) var memory = (indexed: 0, arranged: 0)
    /// Bytes of the index on disk.
    private(set) var diskBytes = 0

    private static let gallery = "photographs"
    private static let arrangements = [
        #""sort":"taken","order":"descending","group":"month""#, #""sort":"name","order":"ascending""#,
        #""sort":"size","order":"descending""#, #""sort":"added","order":"descending""#,
    ]
    /// Seconds that anything may take.
    private static let patience = 1_800.0
    /// Seconds that somebody looks on while the files are read, at most.
    private static let visit = 30.0

    /// - Parameter onStep: told of each of ``steps``.
    init(files: Int, onStep: () -> Void) throws {
        self.files = files
        let folder = try IndexFolder(files: files, onFolder: onStep)
        let cache = NSTemporaryDirectory() + "lookahead-index-cache-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: cache) }
        folder.forget()
        try visit(folder, cache)
        onStep()
        try FileManager.default.removeItem(atPath: cache)
        folder.forget()
        try read(folder, cache)
        onStep()
        let size = try FileManager.default.attributesOfItem(atPath: cache + "/index.sqlite")[.size] as? Int
        diskBytes = size ?? 0
        try again(folder, cache)
        onStep()
    }

    static func steps(files: Int) -> Int { IndexFolder.folders(of: files) + 3 }

    private static func server(_ folder: IndexFolder, _ cache: String) throws -> BenchServer {
        try BenchServer.lookahead(["serve", folder.path, "--port", "0", "--cache-directory", cache])
    }

    /// Somebody looks on.
    private mutating func visit(_ folder: IndexFolder, _ cache: String) throws {
        let loop = LoadLoop()
        let server = try Self.server(folder, cache)
        defer { server.stop() }
        let page = try Self.page(loop, server, Self.gallery)
        first = try page.waitForScreen(seconds: Self.patience)
        var top = 0.0
        let end = LoadLoop.now + Int64(clamping: Self.visit * 1e9)
        repeat {
            for _ in 0..<20 {
                top += PhotographPage.rowHeight / 2
                updates.add(page.scroll(to: top))
                loop.run(seconds: 0.025)
            }
        } while try LoadLoop.now < end && !isKnown(loop, server)
        try page.close()
    }

    /// Nobody looks on until all is known.
    private mutating func read(_ folder: IndexFolder, _ cache: String) throws {
        let loop = LoadLoop()
        let start = LoadLoop.now
        let server = try Self.server(folder, cache)
        defer { server.stop() }
        while try !isKnown(loop, server) {
            guard Double(LoadLoop.now - start) < Self.patience * 1e9 else {
                throw CommandFailure("reading the folder took more than \(Self.patience.text(0)) s")
            }
            loop.run(seconds: 0.1)
        }
        rate = Double(files) / (Double(LoadLoop.now - start) / 1e9)
        loop.run(seconds: Self.rest)
        memory.indexed = server.figures.memory
        let pages = try Self.arrangements.map { arrangement in
            let body = "{\"of\":\"\(Self.gallery)\",\(arrangement)}"
            guard let id = try loop.ask(server.port, "POST", "/api/v1/galleries", body).text("id") else {
                throw CommandFailure("the server does not arrange {\(arrangement)}")
            }
            let page = try PhotographPage(loop, port: server.port, gallery: id, top: 0)
            _ = try page.waitForScreen(seconds: Self.patience)
            return page
        }
        loop.run(seconds: Self.rest)
        memory.arranged = server.figures.memory
        for page in pages { try page.close() }
    }

    /// Seconds in which memory comes to rest.
    private static let rest = 3.0

    private mutating func again(_ folder: IndexFolder, _ cache: String) throws {
        let loop = LoadLoop()
        let start = LoadLoop.now
        let server = try Self.server(folder, cache)
        defer { server.stop() }
        let page = try Self.page(loop, server, Self.gallery)
        restarted = try page.waitForScreen(seconds: Self.patience)
        while try !isKnown(loop, server) { loop.run(seconds: 0.05) }
        known = Double(LoadLoop.now - start) / 1e9
        try page.close()
    }

    /// A page as soon as there is something to show.
    private static func page(_ loop: LoadLoop, _ server: BenchServer, _ gallery: String) throws -> PhotographPage {
        let start = LoadLoop.now
        while try loop.ask(server.port, "GET", "/api/v1/galleries/\(gallery)").number("itemCount") ?? 0 < 40 {
            guard Double(LoadLoop.now - start) < patience * 1e9 else { throw CommandFailure("the folder stays empty") }
            loop.run(seconds: 0.005)
        }
        return try PhotographPage(loop, port: server.port, gallery: gallery, top: 0, began: start)
    }

    private func isKnown(_ loop: LoadLoop, _ server: BenchServer) throws -> Bool {
        let answer = try loop.ask(server.port, "GET", "/api/v1/galleries/\(Self.gallery)")
        return answer.number("known") == files && answer.number("itemCount") == files
    }

    var text: String {
        var table = TextTable(["the index of \(files) files of a camera's", "", ""])
        table.add(["first session: 40 cells recognisable, complete, ms", first.seen.text(0), first.whole.text(0)])
        table.add(["after a restart", restarted.seen.text(0), restarted.whole.text(0)])
        table.add(["files a second, first time, cold", rate.text(0), ""])
        table.add(["restart until all are known, s", known.text(2), ""])
        table.add([
            "viewport updates meanwhile, ms, 99 in 100, worst", updates.milliseconds(at: 0.99).text(1),
            updates.milliseconds(at: 1).text(1),
        ])
        table.add([
            "memory, MB, all known, four arrangements open", (Double(memory.indexed) / 1e6).text(0),
            (Double(memory.arranged) / 1e6).text(0),
        ])
        table.add(["index on disk, MB", (Double(diskBytes) / 1e6).text(1), ""])
        return table.text
    }

    func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("files", files)
            $0.member("firstRecognisable", first.seen)
            $0.member("firstComplete", first.whole)
            $0.member("restartedRecognisable", restarted.seen)
            $0.member("restartedComplete", restarted.whole)
            $0.member("rate", rate)
            $0.member("known", known)
            $0.member("update99", updates.milliseconds(at: 0.99))
            $0.member("updateWorst", updates.milliseconds(at: 1))
            $0.member("memoryIndexed", memory.indexed)
            $0.member("memoryArranged", memory.arranged)
            $0.member("diskBytes", diskBytes)
        }
    }
}
