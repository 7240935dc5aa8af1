import Viewport

extension Replay {
    /// Returns one self-contained page with a table of the scores. For each trace and origin it also draws the scrolling and each
    /// player's wanted and blank items, over the same time. Supports light and dark, and loads nothing from elsewhere.
    public static func html(
        _ traces: [Trace], _ players: [Player], _ origins: [Origin], progress: Progress = { _, _ in }
    ) -> [UInt8] {
        var results: [Result] = []
        var figures = ""
        for trace in traces {
            let playable = PlayableTrace(trace)
            for origin in origins {
                figures += "<section><h2>\(escaped(trace.name)) <small>\(origin)</small></h2>\n"
                figures += ScrollPlot(playable).svg
                if origin.previewBytes != nil { figures += "<p>\(Origin.onPreviews)</p>\n" }
                for player in players {
                    let tally = play(playable, player, origin, recording: true)
                    results.append(
                        Result(trace: trace.name, player: player, origin: origin, score: tally.score))
                    figures += figure(player, tally, playable)
                    progress(results.count, traces.count * origins.count * players.count)
                }
                figures += "</section>\n"
            }
        }
        let page =
            ReportStyle.head + summary(results, players, origins) + ReportStyle.legend + figures + ReportStyle.script
        return Array(page.utf8)
    }

    private static func figure(_ player: Player, _ tally: Tally, _ playable: PlayableTrace) -> String {
        let score = tally.score
        let numbers =
            "slow blank \(score.slowBlankShare.text(3)), blank \(score.blankShare.text(3)), "
            + "waste \(score.waste.text(3)), settles in \(score.settleP50.text(0)) ms (95%: "
            + "\(score.settleP95.text(0))), \(score.requests) requests, \(score.cancelled) cancelled, "
            + "\((score.bytes / 1e6).text(1)) MB"
        let map = tally.recording.map { BlankMap($0, playable).text } ?? ""
        return """
            <figure><figcaption><b>\(player)</b> <span>\(numbers)</span></figcaption>
            <canvas width="\(BlankMap.columns)" height="\(BlankMap.rows)" data-map="\(map)" role="img" \
            aria-label="\(player): \(numbers)"></canvas></figure>

            """
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
