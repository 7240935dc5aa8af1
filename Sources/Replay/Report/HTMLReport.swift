import Viewport

extension Replay {
    /// Style sheet and script of a report: those of the page's waterfall.
    public struct ReportParts: Sendable {
        var style: String
        var script: String

        /// - Parameters:
        ///   - styles: texts of style sheets.
        ///   - modules: texts of JavaScript modules, each after those that it imports. No two have a variable of the same name.
        public init(styles: [String], modules: [String]) {
            style = styles.joined(separator: "\n")
            let lines = modules.joined(separator: "\n").split(separator: "\n", omittingEmptySubsequences: false)
            script = lines.filter { !$0.hasPrefix("import ") }
                .map { $0.hasPrefix("export ") ? $0.dropFirst("export ".count) : $0 }.joined(separator: "\n")
        }
    }

    /// Maximum length of a drawn record, in minutes. Of a longer trace, the last minutes are drawn.
    static let drawnMinutes = 10

    /// Returns one self-contained page with a table of the scores and a waterfall for each trace, origin and player. Supports light
    /// and dark, and loads nothing from elsewhere.
    public static func html(
        _ traces: [Trace], _ players: [Player], _ origins: [Origin], _ parts: ReportParts,
        progress: Progress = { _, _ in }
    ) -> (page: [UInt8], results: [Result]) {
        var results: [Result] = []
        var figures: [UInt8] = []
        for trace in traces {
            let playable = PlayableTrace(trace)
            let minutes = Int(clamping: (playable.end / ScrollRecord.duration).rounded(.up))
            let empty = ScrollRecord(minutes: min(max(1, minutes), drawnMinutes))
            for origin in origins {
                figures += "<section><h2>\(escaped(trace.name)) <small>\(origin)</small></h2>\n".utf8
                if origin.previewBytes != nil { figures += "<p>\(Origin.onPreviews)</p>\n".utf8 }
                for player in players {
                    let (score, record) = play(playable, player, origin, record: empty)
                    results.append(Result(trace: trace.name, player: player, origin: origin, score: score))
                    if let record { figures += figure(player, score, record, playable) }
                    progress(results.count, traces.count * origins.count * players.count)
                }
                figures += "</section>\n".utf8
            }
        }
        let head = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>Replay</title><style>
            \(parts.style)
            </style></head><body>
            <h1>Replay</h1>
            \(summary(results, players, origins))
            <p>Time runs to the right, the gallery down. The band is the viewport, and blank time is marked on it. Each picture is \
            a bar from wanted to requested to arrived to seen. A cancelled bar ends in a cross, an unseen one is pale. Point at a \
            bar for the reason. Drag to pan, Ctrl and the wheel zoom, a double click shows everything.</p>

            """
        let end = "<script type=\"module\">\n\(parts.script)\n</script></body></html>\n"
        return (Array(head.utf8) + figures + Array(end.utf8), results)
    }

    private static func figure(
        _ player: Player, _ score: Score, _ record: ScrollRecord, _ playable: PlayableTrace
    ) -> [UInt8] {
        let numbers =
            "slow blank \(score.slowBlankShare.text(3)), blank \(score.blankShare.text(3)), "
            + "waste \(score.waste.text(3)), settles in \(score.settleP50.text(0)) ms (95%: "
            + "\(score.settleP95.text(0))), \(score.requests) requests, \(score.cancelled) cancelled, "
            + "\((score.bytes / 1e6).text(1)) MB"
        var trace = playable.trace
        trace.samples.removeAll { $0.time < record.start }
        let start = """
            <figure><figcaption><b>\(player)</b> <span>\(numbers)</span></figcaption>
            <canvas class="waterfall" role="img" aria-label="\(player): \(numbers). A table follows."></canvas>
            <p></p><table class="waterfall-table"></table><script type="application/json">
            """
        let document = RecordDocument(record, trace, playable.layout, player)
        return Array(start.utf8) + document.bytes + Array("</script></figure>\n".utf8)
    }

    /// Returns a table of means over the traces: a row for each player, slow blank share and waste at each origin.
    private static func summary(_ results: [Result], _ players: [Player], _ origins: [Origin]) -> String {
        var html =
            "<table><caption>Slow blank share and waste, means over the traces</caption><thead><tr><th>policy</th>"
        for origin in origins { html += "<th colspan=2>\(origin)</th>" }
        html += "</tr><tr><td></td>"
        for _ in origins { html += "<td>slow blank</td><td>waste</td>" }
        html += "</tr></thead><tbody>\n"
        for player in players {
            html += "<tr><th scope=row>\(player)</th>"
            for origin in origins {
                let scores = results.filter { $0.player == player && $0.origin == origin }.map(\.score)
                let n = Double(max(1, scores.count))
                let blank = scores.map(\.slowBlankShare).reduce(0, +) / n
                let waste = scores.map(\.waste).reduce(0, +) / n
                html += cell(blank, "blank") + cell(waste, "waste")
            }
            html += "</tr>\n"
        }
        return html + "</tbody></table>\n"
    }

    private static func cell(_ share: Double, _ name: String) -> String {
        "<td class=\(name) style=\"--share:\(share.text(3))\">\(share.text(3))</td>"
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "&": result += "&amp;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
