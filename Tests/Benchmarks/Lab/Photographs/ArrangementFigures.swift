import Catalog
import JSON
import Replay
import Terminal

/// The time to put so many photographs in order, and to find some as their names are typed.
struct ArrangementFigures {
    let count: Int
    /// Milliseconds of the first arrangement of a catalogue, by each sort, with all that is looked up for it.
    private var sorts: [Arrangement.Sort: Double] = [:]
    /// Of another arrangement by dates once there was one.
    private var grouped = Double.nan
    /// Of each key of a text as it is typed.
    private var keys: [Double] = []
    /// Of a date range, a folder and a camera together.
    private var filtered = Double.nan

    static let counts = [10_000, 100_000, 1_000_000]
    private static let text = "img 12 beach"

    init(_ count: Int) {
        self.count = count
        let catalog = SyntheticPhotographs(count).catalog
        for sort in Arrangement.Sort.allCases {
            sorts[sort] = Self.milliseconds {
                _ = ArrangementSource(catalog).arranged(Arrangement(sort: sort, group: sort == .taken ? .day : .folder))
            }
        }
        let source = ArrangementSource(catalog)
        // As one is that a page shows before somebody types.
        _ = source.arranged(Arrangement(sort: .taken, group: .day))
        source.prepareSearch()
        grouped = Self.milliseconds { _ = source.arranged(Arrangement(sort: .taken, order: .ascending, group: .month)) }
        for length in 1...Self.text.count {
            var arrangement = Arrangement(sort: .taken, group: .day)
            arrangement.filter.text = String(Self.text.prefix(length))
            keys.append(Self.milliseconds { _ = source.arranged(arrangement) })
        }
        var arrangement = Arrangement(sort: .taken, group: .month)
        arrangement.filter.takenFrom = WallPeriod("2011")
        arrangement.filter.camera = "camera 1"
        filtered = Self.milliseconds { _ = source.arranged(arrangement) }
    }

    private static func milliseconds(_ work: () -> Void) -> Double {
        ContinuousClock().measure(work) / .milliseconds(1)
    }

    static func table(_ figures: [ArrangementFigures]) -> String {
        var table = TextTable(["photographs arranged, ms"] + figures.map { "\($0.count)" })
        for sort in Arrangement.Sort.allCases {
            table.add(["first by \(sort.rawValue)"] + figures.map { ($0.sorts[sort] ?? .nan).text(1) })
        }
        table.add(["the same dates another way round"] + figures.map { $0.grouped.text(1) })
        table.add(["text typed, first key"] + figures.map { ($0.keys.first ?? .nan).text(1) })
        table.add(["text typed, worst of the other keys"] + figures.map { ($0.keys.dropFirst().max() ?? .nan).text(1) })
        table.add(["dates and camera"] + figures.map { $0.filtered.text(1) })
        return table.text
    }

    func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("count", count)
            $0.member("first") {
                $0.object { for sort in Arrangement.Sort.allCases { $0.member(sort.rawValue, sorts[sort] ?? .nan) } }
            }
            $0.member("again", grouped)
            $0.member("keys") { $0.array { for time in keys { $0.value(time) } } }
            $0.member("filtered", filtered)
        }
    }
}
