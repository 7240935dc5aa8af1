import ArgumentParser
import Gallery
import JSON
import Media
import Replay
import Terminal

/// Pages that come and go for minutes, and what must not have grown, stuck or been miscounted after it.
struct BenchSoak: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak", abstract: "Open and close pages, remove a folder and stop workers for some minutes.",
        discussion: """
            Pages scroll, reverse, reconnect, cancel single pictures and disappear. The demo runs in its own process. \
            Fails if memory, threads or file descriptors grow, if a page waits in vain, if a picture is sent twice, \
            or if the counts in /metrics do not add up.
            """)

    @Option(BoundedNumber("minutes", "Duration", unit: "minutes", default: 10.0, in: 0.05...1440)) var minutes: Double
    @Option(BoundedNumber("sessions", "Pages at once", unit: "pages", default: 500, in: 1...5000)) var sessions: Int
    @Option(BoundedNumber("items", "Pictures in the gallery", unit: "pictures", default: 2_000, in: 100...1_000_000))
    var items: Int
    @Option(
        BoundedNumber(
            "memory", "Memory for thumbnails; small, so that later growth is not the cache", unit: "MB",
            default: 16, in: 0...4096))
    var memory: Int
    @Option(help: BenchFormat.help) var format = BenchFormat.text

    func run() throws {
        let server = try BenchServer.lookahead([
            "demo", "--port", "0", "--items", "\(items)", "--latency", "20", "--bandwidth", "1000", "--session-grace",
            "5", "--memory-cache", "\(memory << 20)",
        ])
        let soak = Soak(server, items: items)
        let cpu = server.figures.seconds
        let progress = ProgressReport("Soaking", unit: "s")
        let problems = try soak.run(pages: sessions, seconds: minutes * 60) { second in
            progress.update(second, of: Int(minutes * 60))
        }
        progress.end()
        let spent = server.figures.seconds - cpu
        let seconds = soak.samples.last?.seconds ?? 1
        let last = soak.samples.last?.figures ?? server.figures
        server.stop()
        let status = server.wait()
        let samples = soak.samples.map(\.figures)
        var rows: [(String, String)] = [
            ("sessions", "\(soak.counts.opened): \(soak.counts.closed) closed, \(soak.counts.vanished) vanished"),
            ("streams", "\(soak.counts.streams), of which \(soak.counts.reconnects) came back"),
            (
                "single pictures",
                "\(soak.counts.glances), of which \(soak.counts.left) were not waited for"
            ),
            (
                "workers", "\(soak.workers?.stopped ?? 0) stopped, \(soak.workers?.killed ?? 0) killed"
            ), ("returns of a folder", "\(soak.folder?.returns ?? 0)"),
            ("updates", "\(soak.counts.updates)"), ("pictures", "\(soak.counts.pictures)"),
            (
                "ms from rest to the last picture, median, 99%",
                "\(soak.settled.milliseconds(at: 0.5).text(0)), \(soak.settled.milliseconds(at: 0.99).text(0))"
            ),
            ("CPU", "\((100 * spent / seconds).text(1)) % of a core, for \(seconds.text(0)) s"),
        ]
        for (name, value) in [
            ("memory, MB", { Double($0.memory) / 1e6 }), ("threads", { Double($0.threads) }),
            ("file descriptors", { Double($0.descriptors) }),
        ] as [(String, (ProcessFigures) -> Double)] {
            let quarters = (1...4).map { quarter in
                samples.isEmpty ? last : samples[max(0, samples.count * quarter / 4 - 1)]
            }
            rows.append(("\(name), after each quarter", quarters.map { value($0).text(0) }.joined(separator: ", ")))
        }
        switch format {
        case .text:
            var table = TextTable(["", ""])
            for row in rows { table.add([row.0, row.1]) }
            print(table.text)
        case .json: print(JSONWriter.text { for row in rows { $0.member(row.0, row.1) } })
        }
        guard problems.isEmpty, status == 0 else {
            throw CommandFailure(
                (problems + (status == 0 ? [] : ["the server ended with status \(status)"])).joined(separator: "; "))
        }
    }
}
