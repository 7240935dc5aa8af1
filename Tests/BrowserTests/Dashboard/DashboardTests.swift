import Foundation
import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("The dashboard")
    struct Dashboard {
        @Test(
            "one key shows and hides it; the minimaps are drawn; each number has its figure, over the full width",
            .inEveryBrowser)
        func toggled() async throws {
            try await withPage { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.press("d")
                try await browser.until("!document.getElementById('dashboard').hidden", "the dashboard")
                try await browser.until(
                    "probe.filled() && probe.visible().every((cell) => cell.dataset.ring === 'ready')",
                    "the state of each cell")
                let isBare = try await browser.run(
                    "return probe.visible().every((cell) => getComputedStyle(cell, '::before').borderTopColor === 'rgba(0, 0, 0, 0)');"
                )
                #expect(isBare == true, "a loaded cell has a ring")
                try await browser.until(
                    """
                    ['minimap', 'whole'].every((name) => {
                      const canvas = document.querySelector(`[data-part="${name}"]`);
                      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
                      const seen = new Set();
                      for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
                      return seen.size > 1;
                    })
                    """, "both minimaps")
                // The share of foreseen items is empty before the first scroll, though other figures are not.
                func figure(_ name: String) -> String {
                    "[...document.querySelectorAll('.figure')].find((figure) => figure.firstChild.textContent === '\(name)').querySelector('b').textContent"
                }
                try await browser.until("\(figure("Blank")) !== '–'", "the figures of a second")
                #expect(
                    try await browser.run(
                        "return [\(figure("Loaded on arrival")), \(figure("Fetched but never viewed"))];")
                        == ["–", "–"])
                try await browser.wheel(by: 200, turns: 5)
                try await browser.until(
                    "[...document.querySelectorAll('.figure b')].every((b) => b.textContent !== '–')",
                    "a figure in each place")
                try await browser.until(
                    """
                    [...document.querySelectorAll('.figure canvas')].every((canvas) => canvas.width
                      && canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some(Boolean))
                    """, "a line under each figure")
                let figures = try await browser.run(
                    """
                    const width = document.querySelector('[data-part=figures]').clientWidth;
                    const figures = [...document.querySelectorAll('.figure')];
                    return {
                      wide: figures.every((figure) => Math.abs(figure.querySelector('canvas').clientWidth - width) <= 1),
                      units: figures.every((figure) => /%$|ms$/.test(figure.querySelector('b').textContent) || figure.querySelector('em').textContent === 'per second'),
                      waste: \(figure("Fetched but never viewed")).endsWith('%'), all: figures.map((figure) => figure.textContent),
                    };
                    """)
                #expect(figures["wide"] == true && figures["units"] == true && figures["waste"] == true, "\(figures)")
                try await browser.press("d")
                try await browser.until(
                    "document.getElementById('dashboard').hidden && !document.querySelector('[data-ring]')",
                    "no dashboard")
            }
        }

        @Test("a figure shows its last minute: a second under the pointer with its value and age, and the maximum")
        func minute() async throws {
            try await withWarmPage(path: "?dashboard") { browser in
                let blank =
                    "[...document.querySelectorAll('.figure')].find((figure) => figure.firstChild.textContent === 'Blank')"
                try await browser.until("/^max .*%$/.test(\(blank).querySelector('i').textContent)", "the maximum")
                for (share, age) in [(0.0, "59 s ago"), (1, "0 s ago")] {
                    let place = try await browser.run(
                        """
                        const canvas = \(blank).querySelector('canvas');
                        canvas.scrollIntoView({ block: 'center', behavior: 'instant' });
                        const r = canvas.getBoundingClientRect();
                        return { x: r.x + 1 + \(share) * (r.width - 2), y: r.y + r.height / 2 };
                        """)
                    try await browser.move([(place["x"]?.number ?? 0, place["y"]?.number ?? 0)])
                    try await browser.until("\(blank).querySelector('em').textContent === '\(age)'", age)
                    let value = try await browser.run("return \(blank).querySelector('b').textContent;")
                    #expect(value == "–" ? share == 0 : value.string?.hasSuffix("%") == true && share == 1)
                }
                try await browser.move([(5, 5)])
                try await browser.until("\(blank).querySelector('em').textContent === 'lower is better'", "the newest")
            }
        }

        @Test("the status line drops figures that do not fit, and cuts none", .inEveryBrowser)
        func statusLine() async throws {
            try await withWarmPage(path: "?dashboard") { browser in
                try await browser.until("!document.getElementById('status').hidden", "the status line")
                for width in [390, 768, 1024, 1440] {
                    try await browser.emulate(.device(width: width, height: 800))
                    let found = try await browser.run(
                        """
                        const line = document.querySelector('#status dl').getBoundingClientRect();
                        const places = [...document.querySelectorAll('#status dl div')].map((figure) => figure.getBoundingClientRect());
                        const shown = places.filter(({ top }) => top < line.bottom - 1);
                        return { shown: shown.length, whole: shown.every((r) => r.right <= line.right + 1 && r.bottom <= line.bottom + 1) };
                        """)
                    #expect(found["whole"] == true && found["shown"]?.integer ?? 0 >= 3, "\(width): \(found)")
                }
            }
        }

        @Test("each cell wears its state: asked, loading with its progress, ready, failed, cancelled, skipped")
        func states() async throws {
            try await withPage(latency: 300, bandwidth: 2, path: "?dashboard&failureRate=0.3") { browser, _ in
                try await browser.run(Self.look)
                try await browser.wait(
                    "await probe.until(() => (look(), seen.has('ready') && seen.has('failed') && seen.has('progress')), 'the first screen', 55000);"
                )
                // Hard flings, one after another, until everything has been seen.
                var missing = ["asked"]
                for _ in 0..<40 where !missing.isEmpty {
                    let left = try await browser.wait(Self.fling)
                    missing = (left.array ?? []).compactMap(\.string)
                }
                #expect(missing == [], "not seen")
            }
        }

        /// Takes down the states that cells wear.
        private static let look = """
            window.seen = new Set();
            window.look = () => {
              for (const cell of document.querySelectorAll('.cell[data-ring]')) {
                const { ring } = cell.dataset;
                seen.add(ring);
                const share = Number(cell.style.getPropertyValue('--share'));
                if (ring === 'loading' && share > 0 && share < 1) seen.add('progress');
              }
            };
            """

        /// A fling at 8,000 px a second, however many frames it has, and a rest; tells which states were never seen.
        private static let fling = """
            const [began, from] = [performance.now(), probe.scroller.scrollTop];
            for (let t = 0; t < 2200; t = performance.now() - began) {
              const top = from + 8 * ((0.998 ** t - 1) / Math.log(0.998));
              if (t < 1500) probe.scroller.scrollTop = top;
              await probe.frame();
              look();
            }
            return ['asked', 'loading', 'progress', 'ready', 'failed', 'cancelled', 'skipped'].filter((state) => !seen.has(state));
            """

        @Test("each number is explained where one points, and where one tabs to", .inEveryBrowser)
        func explained() async throws {
            try await withWarmPage(path: "?dashboard") { browser in
                try await browser.until("document.querySelectorAll('.figure').length === 7", "the figures")
                for index in 0..<7 {
                    let place = try await browser.run(
                        """
                        const figure = document.querySelectorAll('.figure')[\(index)];
                        figure.scrollIntoView({ block: 'center', behavior: 'instant' });
                        const r = figure.getBoundingClientRect();
                        return { x: r.x + r.width / 2, y: r.y + r.height / 2 };
                        """)
                    try await browser.move([(place["x"]?.number ?? 0, place["y"]?.number ?? 0)])
                    try await browser.until(Self.shown(index), "the meaning of figure \(index), hovered")
                }
                try await browser.move([(5, 5)])
                try await browser.run("document.querySelector('#dashboard-toggle').focus();")
                var explained: Set<Int> = []
                for _ in 0..<60 where explained.count < 7 {
                    try await browser.press(Key.tab)
                    let index = try await browser.run(
                        "return [...document.querySelectorAll('.figure')].indexOf(document.activeElement);")
                    guard let index = index.integer, index >= 0 else { continue }
                    try await browser.until(Self.shown(index), "the meaning of figure \(index), focused")
                    explained.insert(index)
                }
                #expect(explained.count == 7, "not all figures are in the tab order")
            }
        }

        private static func shown(_ index: Int) -> String {
            "getComputedStyle(document.querySelectorAll('.figure')[\(index)].querySelector('small')).opacity === '1'"
        }

        // Chromium alone: its DevTools run a script before the page's first line.
        @Test(
            "hidden it costs nothing: no timer, no drawing, no stream of its own",
            .enabled(if: Weekly.isOn, "runs weekly"))
        func off() async throws {
            try await withBrowser { browser in
                let demo = try await Demo(items: 20_000)
                defer { demo.stop() }
                try await browser.devtools("Page.addScriptToEvaluateOnNewDocument", ["source": .string(Self.watch)])
                try await browser.open(demo.address)
                try await browser.until("probe.filled()", "first pictures")
                #expect(try await browser.wait(Self.scrolled) == Self.nothing)
                try await browser.press("d")
                try await browser.until("seen.streams().length === 1 && seen.timers() > 0", "its stream")
                let open = try await browser.wait(Self.scrolled)
                #expect(open["streams"] == ["progress,stats"])
                #expect((open["drawings"]?.integer ?? 0) > 20)
                try await browser.press("d")
                try await browser.until("document.getElementById('dashboard').hidden", "no dashboard")
                #expect(try await browser.wait(Self.scrolled) == Self.nothing)
            }
        }

        private static let nothing: JSON = ["drawings": 0, "streams": [], "timers": 0]

        /// Counts what a page has running, from before its first line.
        private static let watch = """
            window.seen = (() => {
              const [timers, sources] = [new Set(), new Set()];
              let drawings = 0;
              const [set, clear] = [window.setInterval, window.clearInterval];
              // The connection's own watchdog looks every five seconds.
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

        /// Scrolls for sixty frames and tells what ran meanwhile.
        private static let scrolled = """
            await probe.frame();
            const before = seen.drawings();
            for (let frame = 0; frame < 60; frame++) { probe.scroller.scrollTop += 40; await probe.frame(); }
            return { drawings: seen.drawings() - before, streams: seen.streams(), timers: seen.timers() };
            """

        /// `LOOKAHEAD_FRAME_COST=1 swift test -c release --filter Dashboard`: what the dashboard takes of each frame.
        @Test(
            "it takes less than a millisecond a frame",
            .enabled(if: ProcessInfo.processInfo.environment["LOOKAHEAD_FRAME_COST"] != nil))
        func cost() async throws {
            try await withPage(items: 1_000_000, latency: 80, bandwidth: 25, path: "?dashboard") { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                let cost = try await browser.wait(
                    """
                    for (let fling = 0; fling < 4; fling++) {
                      for (let speed = 120; speed > 1; speed *= 0.97) { probe.scroller.scrollTop += speed; await probe.frame(); }
                    }
                    const cost = document.getElementById('dashboard');
                    const before = cost.dataset.frames;
                    await probe.until(() => cost.dataset.frames !== before, 'the figure');
                    return { each: Number(cost.dataset.each), frames: Number(cost.dataset.frames) };
                    """)
                print(
                    "dashboard: \(cost["each"]?.number ?? .nan) ms a frame over \(cost["frames"]?.number ?? 0) frames")
                #expect((cost["each"]?.number ?? 99) < 1)
            }
        }
    }
}
