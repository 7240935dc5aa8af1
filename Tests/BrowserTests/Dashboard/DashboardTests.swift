import Foundation
import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("The dashboard shows what the server loads and how well")
    struct Dashboard {
        @Test(
            "a key shows and hides the dashboard, which draws minimaps, cell states and a waterfall",
            .inEveryBrowser)
        func toggled() async throws {
            try await withPage { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.press("d")
                try await browser.until("dashboardProbe.isOpen()", "the dashboard")
                try await browser.until(
                    "probe.filled() && probe.visible().every((cell) => cell.dataset.ring === 'ready')",
                    "the state of each cell")
                let isBare = try await browser.run(
                    "return probe.visible().every((cell) => getComputedStyle(cell, '::before').borderTopColor === 'rgba(0, 0, 0, 0)');"
                )
                #expect(isBare == true, "a loaded cell has a ring")
                try await browser.until("dashboardProbe.areMinimapsDrawn()", "both minimaps")
                // The share of foreseen items is empty before the first scroll, though other figures are not.
                try await browser.until("dashboardProbe.value('Blank') !== '–'", "the figures of a second")
                #expect(
                    try await browser.run(
                        "return ['Loaded on arrival', 'Fetched but never viewed'].map(dashboardProbe.value);")
                        == ["–", "–"])
                try await browser.wheel(by: 200, turns: 5)
                try await browser.until("dashboardProbe.hasAllValues()", "a value of each figure")
                try await browser.until("dashboardProbe.isWaterfallDrawn()", "the waterfall")
                let figures = try await browser.run("return dashboardProbe.figureLayout();")
                #expect(figures["wide"] == true && figures["units"] == true && figures["waste"] == true, "\(figures)")
                try await browser.press("d")
                try await browser.until(
                    "!dashboardProbe.isOpen() && !document.querySelector('[data-ring]')", "no dashboard")
            }
        }

        @Test("the waterfall says why a picture was fetched, and its table names the newest pictures", .inEveryBrowser)
        func waterfall() async throws {
            try await withPage(latency: 100, path: "?dashboard") { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.wheel(by: 300, turns: 8)
                try await browser.until("probe.filled() && dashboardProbe.isWaterfallDrawn()", "the waterfall")
                let size = try await browser.run(
                    "const { left, top, width, height } = dashboardProbe.showWaterfall(); return [left, top, width, height];"
                )
                let box = (size.array ?? []).compactMap(\.number)
                for step in 0..<200 {
                    let (across, down) = (Double(step % 20) / 20, Double(step / 20) / 10)
                    try await browser.move([
                        (box[0] + box[2] * (0.02 + across), box[1] + box[3] * (0.05 + down * 0.8))
                    ])
                    if try await browser.run("return dashboardProbe.why().startsWith('Picture');") == true { break }
                }
                let why = try await browser.run("return dashboardProbe.why();").string ?? ""
                #expect(
                    why.wholeMatch(of: /Picture [\d,]+\. (Needed (now|in [\d.]+.m?s)|Wanted).*\.$/) != nil, "\(why)")
                try await browser.run("document.querySelector('.waterfall-table').focus();")
                try await browser.until("dashboardProbe.rows() > 5", "the newest pictures in the table")
            }
        }

        @Test("the status line omits figures that do not fit, and cuts none", .inEveryBrowser)
        func statusLine() async throws {
            try await withWarmPage(path: "?dashboard") { browser in
                try await browser.until("!document.getElementById('status').hidden", "the status line")
                for width in [390, 768, 1024, 1440] {
                    try await browser.emulate(.device(width: width, height: 800))
                    let found = try await browser.run("return dashboardProbe.statusLine();")
                    #expect(found["whole"] == true && found["shown"]?.integer ?? 0 >= 3, "\(width): \(found)")
                }
            }
        }

        @Test("cells show their state: asked, loading with progress, ready, failed, cancelled or skipped")
        func states() async throws {
            try await withPage(latency: 300, bandwidth: 2, path: "?dashboard&failureRate=0.3") { browser, _ in
                try await browser.until(
                    "dashboardProbe.haveShown('ready', 'failed', 'progress')", "the first screen", within: 55_000)
                // Flings until cells have shown all states.
                var missing = ["asked"]
                for _ in 0..<40 where !missing.isEmpty {
                    let left = try await browser.wait("return await dashboardProbe.fling();")
                    missing = (left.array ?? []).compactMap(\.string)
                }
                #expect(missing == [], "not seen")
            }
        }

        @Test("pointing at a figure or tabbing to it shows an explanation", .inEveryBrowser)
        func explained() async throws {
            try await withWarmPage(path: "?dashboard") { browser in
                try await browser.until("dashboardProbe.figures.length === 7", "the figures")
                for index in 0..<7 {
                    let place = try await browser.run("return dashboardProbe.place(dashboardProbe.figures[\(index)]);")
                    try await browser.move([(place["x"]?.number ?? 0, place["y"]?.number ?? 0)])
                    try await browser.until(
                        "dashboardProbe.isExplained(\(index))", "the meaning of figure \(index), hovered")
                }
                try await browser.move([(5, 5)])
                try await browser.run("document.querySelector('#dashboard-toggle').focus();")
                var explained: Set<Int> = []
                for _ in 0..<60 where explained.count < 7 {
                    try await browser.press(Key.tab)
                    let index = try await browser.run("return dashboardProbe.figures.indexOf(document.activeElement);")
                    guard let index = index.integer, index >= 0 else { continue }
                    try await browser.until(
                        "dashboardProbe.isExplained(\(index))", "the meaning of figure \(index), focused")
                    explained.insert(index)
                }
                #expect(explained.count == 7, "not all figures are in the tab order")
            }
        }

        // Chromium only: its DevTools run a script before the page's first line.
        @Test(
            "a hidden dashboard has no timer, draws nothing and opens no stream",
            .enabled(if: Weekly.isOn, "runs weekly"))
        func off() async throws {
            try await withBrowser { browser in
                let demo = try await Demo(items: 20_000)
                defer { demo.stop() }
                try await browser.devtools("Page.addScriptToEvaluateOnNewDocument", ["source": .string(Self.watch)])
                try await browser.open(demo.address)
                try await browser.until("probe.filled()", "first pictures")
                #expect(try await browser.wait("return await dashboardProbe.activity();") == Self.nothing)
                try await browser.press("d")
                try await browser.until("seen.streams().length === 1 && seen.timers() > 0", "its stream")
                let open = try await browser.wait("return await dashboardProbe.activity();")
                #expect(open["streams"] == ["progress,stats,record"])
                #expect((open["drawings"]?.integer ?? 0) > 20)
                try await browser.press("d")
                try await browser.until("!dashboardProbe.isOpen()", "no dashboard")
                #expect(try await browser.wait("return await dashboardProbe.activity();") == Self.nothing)
            }
        }

        private static let nothing: JSON = ["drawings": 0, "streams": [], "timers": 0]

        /// Counts the timers, drawings and streams of a page. Runs before the page's first line.
        private static let watch = """
            window.seen = (() => {
              const [timers, sources] = [new Set(), new Set()];
              let drawings = 0;
              const [set, clear] = [window.setInterval, window.clearInterval];
              // The connection has a watchdog that runs every five seconds.
              window.setInterval = (work, delay, ...more) => { const id = set(work, delay, ...more); if (delay < 5000) timers.add(id); return id; };
              window.clearInterval = (id) => { timers.delete(id); clear(id); };
              const { clearRect } = CanvasRenderingContext2D.prototype;
              CanvasRenderingContext2D.prototype.clearRect = function (...box) { drawings++; return clearRect.apply(this, box); };
              const Source = window.EventSource;
              window.EventSource = class extends Source { constructor(...given) { super(...given); sources.add(this); } };
              const streams = () => [...sources].filter((s) => s.readyState !== 2).map((s) => new URL(s.url).searchParams.get('only')).filter((only) => /stats|progress/.test(only));
              return { timers: () => timers.size, drawings: () => drawings, streams };
            })();
            """

        /// Run with `LOOKAHEAD_FRAME_COST=1 swift test -c release --filter Dashboard`. Prints the time in each frame.
        @Test(
            "the dashboard takes less than a millisecond in each frame",
            .enabled(if: ProcessInfo.processInfo.environment["LOOKAHEAD_FRAME_COST"] != nil))
        func cost() async throws {
            try await withPage(items: 1_000_000, latency: 80, bandwidth: 25, path: "?dashboard") { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                let cost = try await browser.wait("return await dashboardProbe.frameCost();")
                print(
                    "dashboard: \(cost["each"]?.number ?? .nan) ms a frame over \(cost["frames"]?.number ?? 0) frames")
                #expect((cost["each"]?.number ?? 99) < 1)
            }
        }
    }
}
