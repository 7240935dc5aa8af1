import ArgumentParser
import Foundation
import Gallery
import JSON
import Replay
import Terminal

struct BenchPhotographs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photographs",
        abstract: "Measure how soon pictures from a folder of camera files appear.",
        discussion: """
            Measures, with files of 12 megapixels and about 4 MB that hold a preview in their EXIF:
              the first screen of 40 cells and the landing of flings, with empty caches
              the same for a list of their URLs on a slow network
              a server that reads the metadata of a folder, the first time and after a restart
              sorting up to a million generated photographs, and searching them as a name is typed
            """)

    @Option(
        BoundedNumber(
            "rounds", "Screens and flings; the median counts", unit: "rounds", default: 5, in: 1...7))
    var rounds: Int
    @Option(
        BoundedNumber(
            "speed", "Speed at the start of a fling", unit: "CSS pixels a second", default: 10_000, in: 100...20_000)
    )
    var speed: Int
    @Option(
        BoundedNumber(
            "index-files", "Files whose metadata is read", unit: "files",
            default: 10_000,
            in: 1_000...1_000_000))
    var indexFiles: Int
    @Option(help: BenchFormat.help) var format = BenchFormat.text

    private static let files = 8_000
    /// After a fling has come to rest.
    private static let patience = 0.05

    private struct Figures {
        var meanBytes = 0
        /// Milliseconds from the request for the first session of a server, and for later ones.
        var first = (seen: Double.nan, whole: Double.nan)
        var seen: [Double] = []
        var whole: [Double] = []
        /// Of the cells at the landings, those with nothing to show soon after, and those without their picture.
        var landed = 0
        var blank = 0
        var unfinished = 0
        /// Milliseconds from the landing to the last picture.
        var settled: [Double] = []
    }

    func run() throws {
        let progress = ProgressReport("Measuring photographs", unit: "steps")
        let steps =
            PhotographFolder.pictures + 2 * rounds + 1 + ListedPhotographs.steps(rounds: rounds)
            + IndexBenchmark.steps(files: indexFiles)
            + ArrangementFigures.counts.count
        let folder = try PhotographFolder(files: Self.files) { progress.advance(of: steps) }
        let cache = NSTemporaryDirectory() + "lookahead-photographs-cache-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: cache) }
        let server = try BenchServer.lookahead(["serve", folder.path, "--port", "0", "--cache-directory", cache])
        defer { server.stop() }
        let figures = try measure(server, folder) { progress.advance(of: steps) }
        server.stop()
        let listed = try ListedPhotographs(folder, rounds: rounds, speed: Double(speed)) { progress.advance(of: steps) }
        let index = try IndexBenchmark(files: indexFiles) { progress.advance(of: steps) }
        let arrangements = ArrangementFigures.counts.map { count in
            defer { progress.advance(of: steps) }
            return ArrangementFigures(count)
        }
        progress.end()
        let tables = [
            Self.text(figures, speed: speed), listed.text(speed: Double(speed)), index.text,
            ArrangementFigures.table(arrangements),
        ]
        print(format == .json ? Self.json(figures, listed, index, arrangements) : tables.joined(separator: "\n\n"))
    }

    private func measure(_ server: BenchServer, _ folder: PhotographFolder, _ onStep: () -> Void) throws -> Figures {
        let loop = LoadLoop()
        let gallery = "photographs"
        var figures = Figures()
        figures.meanBytes = folder.meanBytes
        let listed = LoadLoop.now
        while try loop.ask(server.port, "GET", "/api/v1/galleries/\(gallery)").number("itemCount") != Self.files {
            guard LoadLoop.now - listed < 30_000_000_000 else {
                throw CommandFailure("listing the folder took more than 30 s")
            }
            loop.run(seconds: 0.1)
        }
        // Places so far apart that nothing was fetched ahead of them.
        var top = 0.0
        for round in 0...rounds {
            let page = try PhotographPage(loop, port: server.port, gallery: gallery, top: top)
            let times = try page.waitForScreen(seconds: 60)
            try page.close()
            if round == 0 {
                figures.first = times
            } else {
                figures.seen.append(times.seen)
                figures.whole.append(times.whole)
            }
            top += 20 * PhotographPage.rowHeight
            // Its transfers have ended.
            loop.run(seconds: 0.5)
            onStep()
        }
        for _ in 0..<rounds {
            let page = try PhotographPage(loop, port: server.port, gallery: gallery, top: top)
            _ = try page.waitForScreen(seconds: 60)
            page.fling(from: top, speed: Double(speed))
            let landing = LoadLoop.now
            loop.run(seconds: Self.patience)
            figures.landed += page.visible.count
            figures.blank += page.lacking.seen
            figures.unfinished += page.lacking.whole
            _ = try page.waitForScreen(seconds: 60)
            figures.settled.append(Double(LoadLoop.now - landing) / 1e6)
            try page.close()
            top += PhotographPage.reach(ofFling: Double(speed))
            loop.run(seconds: 0.5)
            onStep()
        }
        return figures
    }

    private static func text(_ figures: Figures, speed: Int) -> String {
        var table = TextTable([
            "a folder of 12-megapixel files of \((Double(figures.meanBytes) / 1e6).text(1)) MB", "", "",
        ])
        table.add([
            "40 cells recognisable, ms, median, worst", figures.seen.median.text(0),
            (figures.seen.max() ?? .nan).text(0),
        ])
        table.add([
            "40 cells complete, ms, median, worst", figures.whole.median.text(0), (figures.whole.max() ?? .nan).text(0),
        ])
        table.add(["the same, of the server's first session", figures.first.seen.text(0), figures.first.whole.text(0)])
        table.add([
            "cells blank 50 ms after flings of \(speed) px/s, %", share(figures.blank, figures), "",
        ])
        table.add(["cells without their picture by then, %", share(figures.unfinished, figures), ""])
        table.add([
            "landing complete, ms after it, median, worst", figures.settled.median.text(0),
            (figures.settled.max() ?? .nan).text(0),
        ])
        return table.text
    }

    private static func share(_ count: Int, _ figures: Figures) -> String {
        (100 * Double(count) / Double(max(1, figures.landed))).text(1)
    }

    private static func json(
        _ figures: Figures, _ listed: ListedPhotographs, _ index: IndexBenchmark, _ arrangements: [ArrangementFigures]
    ) -> String {
        JSONWriter.text {
            $0.member("arrangements") { $0.array { for figures in arrangements { figures.write(to: &$0) } } }
            $0.member("meanBytes", figures.meanBytes)
            $0.member("firstRecognisable", figures.first.seen)
            $0.member("firstComplete", figures.first.whole)
            $0.member("recognisable") { $0.array { for time in figures.seen { $0.value(time) } } }
            $0.member("complete") { $0.array { for time in figures.whole { $0.value(time) } } }
            $0.member("landed", figures.landed)
            $0.member("blank", figures.blank)
            $0.member("unfinished", figures.unfinished)
            $0.member("listed") { listed.write(to: &$0) }
            $0.member("index") { index.write(to: &$0) }
            $0.member("landingComplete") { $0.array { for time in figures.settled { $0.value(time) } } }
        }
    }
}
