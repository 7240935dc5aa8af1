import Foundation
import Glibc
import JSON
import Replay
import Terminal

/// How soon the same files are seen where they are named by a list of URLs, at a distance of 80 ms and 25 Mbit/s.
struct ListedPhotographs {
    /// Milliseconds until everything in sight had something to show: of the first session of a server, to which the host is
    /// unknown, and of later ones elsewhere in the list.
    private var first = Double.nan
    private var seen: [Double] = []
    /// The same after the landing of flings, and of the cells there those that were blank as it came to rest.
    private var settled: [Double] = []
    private var landed = 0
    private var blank = 0

    static let latency = 80.0
    static let bandwidth = 25.0
    private static let count = 8_000
    /// Seconds a screen may take.
    private static let patience = 120.0

    /// - Parameters:
    ///   - rounds: screens, and then flings.
    ///   - speed: of the flings as they are let go, in CSS pixels a second.
    ///   - onStep: told of each of ``steps(rounds:)``.
    init(_ folder: PhotographFolder, rounds: Int, speed: Double, onStep: () -> Void) throws {
        let origin = try BenchServer.own(
            ["origin", "--latency", "\(Self.latency)", "--jitter", "0", "--bandwidth", "\(Self.bandwidth)"]
                + folder.originals.flatMap { ["--file", $0] })
        defer { origin.stop() }
        let root = NSTemporaryDirectory() + "lookahead-listed-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: root) }
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        let lines = (0..<Self.count).map { "http://127.0.0.1:\(origin.port)/files/\($0)\n" }.joined()
        try Data(lines.utf8).write(to: URL(fileURLWithPath: "\(root)/photographs.txt"))
        let server = try BenchServer.lookahead([
            "serve", "\(root)/photographs.txt", "--port", "0", "--cache-directory", "\(root)/cache", "--allow-origin",
            "127.0.0.1:\(origin.port)",
        ])
        defer { server.stop() }
        let loop = LoadLoop()
        var top = 0.0
        for round in 0...rounds {
            let page = try PhotographPage(loop, port: server.port, gallery: "photographs", top: top)
            let time = try page.waitForSomething(seconds: Self.patience)
            try page.close()
            if round == 0 { first = time } else { seen.append(time) }
            top += 20 * PhotographPage.rowHeight
            // Its transfers have ended.
            loop.run(seconds: 0.5)
            onStep()
        }
        for _ in 0..<rounds {
            let page = try PhotographPage(loop, port: server.port, gallery: "photographs", top: top)
            _ = try page.waitForSomething(seconds: Self.patience)
            page.fling(from: top, speed: speed)
            landed += page.visible.count
            blank += page.lacking.seen
            let landing = LoadLoop.now
            _ = try page.waitForSomething(seconds: Self.patience)
            settled.append(Double(LoadLoop.now - landing) / 1e6)
            try page.close()
            top += PhotographPage.reach(ofFling: speed)
            loop.run(seconds: 0.5)
            onStep()
        }
    }

    static func steps(rounds: Int) -> Int { 2 * rounds + 1 }

    func text(speed: Double) -> String {
        var table = TextTable([
            "a list of their URLs, \(Self.latency.text(0)) ms and \(Self.bandwidth.text(0)) Mbit/s", "", "",
        ])
        table.add([
            "40 cells recognisable, ms, median, worst", seen.median.text(0), (seen.max() ?? .nan).text(0),
        ])
        table.add(["the same, of the server's first session", first.text(0), ""])
        table.add([
            "cells blank as flings of \(speed.text(0)) px/s come to rest, %",
            (100 * Double(blank) / Double(max(1, landed))).text(1), "",
        ])
        table.add([
            "landing recognisable, ms after it, median, worst", settled.median.text(0),
            (settled.max() ?? .nan).text(0),
        ])
        return table.text
    }

    func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("firstRecognisable", first)
            $0.member("recognisable") { $0.array { for time in seen { $0.value(time) } } }
            $0.member("landed", landed)
            $0.member("blank", blank)
            $0.member("landingRecognisable") { $0.array { for time in settled { $0.value(time) } } }
        }
    }
}
