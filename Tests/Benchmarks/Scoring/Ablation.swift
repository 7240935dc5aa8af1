import Replay
import Viewport

extension Replay {
    /// The effect of each rule of `lookahead`: a table of slow blank share / waste at each origin, means over `traces`,
    /// with all rules and then without one at a time.
    public static func ablation(
        _ traces: [Trace], _ origins: [Origin], progress: Progress = { _, _ in }
    ) -> String {
        let rows = [(name: "lookahead", options: LookaheadOptions())] + LookaheadOptions.ablations
        let width = rows.map { $0.name.count }.max() ?? 0
        let count = Double(max(1, traces.count))
        let head = String(repeating: " ", count: width + 2) + origins.map(\.description).joined(separator: "   ") + "\n"
        var done = 0
        let lines = rows.map { name, options in
            let cells = origins.map { origin in
                let scores = traces.map { trace in
                    let score = run(trace, origin) { layout, viewport in
                        ViewportModel(layout: layout, viewport: viewport, deciding: LookaheadPolicy(options))
                    }
                    done += 1
                    progress(done, traces.count * origins.count * rows.count)
                    return score
                }
                let slow = scores.reduce(0) { $0 + $1.slowBlankShare } / count
                let waste = scores.reduce(0) { $0 + $1.waste } / count
                let cell = "\(slow.text(3)) / \(waste.text(3))"
                return cell + String(repeating: " ", count: max(0, origin.description.count - cell.count))
            }
            return name + String(repeating: " ", count: width - name.count + 2) + cells.joined(separator: "   ") + "\n"
        }
        return head + lines.joined()
    }
}

extension LookaheadOptions {
    /// One rule turned off at a time, by name: the rows of an ablation table.
    package static var ablations: [(name: String, options: LookaheadOptions)] {
        let rules: [(String, WritableKeyPath<LookaheadOptions, Bool>)] = [
            ("landing", \.foreseesLanding), ("deadline order", \.ordersByDeadline), ("skip fly-past", \.skipsFlyPast),
            ("keep nearly done", \.keepsNearlyDone),
            ("reversal reserve", \.reservesForReversal), ("idle fill", \.fillsIdleTime),
            ("reserve ahead", \.keepsReserve), ("habits", \.learnsHabits),
        ]
        return rules.map { name, rule in
            var options = LookaheadOptions()
            options[keyPath: rule] = false
            return ("without \(name)", options)
        }
    }
}
