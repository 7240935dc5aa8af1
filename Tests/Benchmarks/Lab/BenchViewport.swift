import ArgumentParser
import JSON
import Replay
import Terminal
import Viewport

/// Measures the cost of one viewport update, decision included, from ten thousand items to ten million.
struct BenchViewport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "viewport", abstract: "Time viewport updates in galleries of 10,000 to 10,000,000 items.")

    @Option(help: BenchFormat.help) var format = BenchFormat.text

    private static let layouts: [(name: String, kind: LayoutOptions.Kind)] = [
        ("grid", .grid(itemWidth: 200, itemHeight: 180)), ("justified", .justified(rowHeight: 180)),
        ("masonry", .masonry(columnWidth: 200)),
    ]

    func run() throws {
        var rows: [(layout: String, items: Int, cost: ViewportCost)] = []
        let progress = ProgressReport("Measuring decisions", unit: "galleries")
        let sizes = [10_000, 100_000, 1_000_000, 10_000_000]
        for layout in Self.layouts {
            for items in sizes {
                rows.append((layout.name, items, ViewportCost.measure(layout.kind, items: items, policy: .standard)))
                progress.update(rows.count, of: sizes.count * Self.layouts.count)
            }
        }
        progress.end()
        switch format {
        case .text:
            var table = TextTable(["layout", "items", "median µs", "p95 µs", "built in ms", "holds MB"])
            for row in rows {
                table.add([
                    row.layout, "\(row.items)", row.cost.median.text(1), row.cost.p95.text(1),
                    row.cost.building.text(1), row.cost.layoutMegabytes.text(1),
                ])
            }
            print(table.text)
        case .json:
            print(
                JSONWriter.text {
                    $0.member("viewport") {
                        $0.array {
                            for row in rows {
                                $0.object {
                                    $0.member("layout", row.layout)
                                    $0.member("items", row.items)
                                    $0.member("median", row.cost.median)
                                    $0.member("p95", row.cost.p95)
                                    $0.member("building", row.cost.building)
                                    $0.member("layoutMegabytes", row.cost.layoutMegabytes)
                                }
                            }
                        }
                    }
                })
        }
    }
}
