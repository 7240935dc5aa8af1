import JSON
import Testing

extension PageTests {
    @Suite("Ten million items")
    struct TenMillion {
        static let last = 9_999_999

        @Test(
            "the first, the middle and the last are in reach, by keys in every layout, and nearby everything moves one to one",
            .whereEnginesDiffer)
        func everywhere() async throws {
            try await withPage(items: 10_000_000) { browser, _ in
                try await browser.until("probe.items()[0] === 0 && probe.filled()", "the first")
                try await oneToOne(browser)

                try await browser.run("probe.scroller.scrollTop = probe.scroller.scrollHeight / 2;")
                try await browser.until("Math.abs(probe.items()[0] - 5e6) < 5e4 && probe.filled()", "the middle")
                try await oneToOne(browser)

                try await browser.run("probe.scroller.scrollTop = probe.scroller.scrollHeight;")
                try await browser.until(Self.atEnd, "the last")
                try await oneToOne(browser, by: -200)
                try await browser.until("probe.filled()", "the pictures before the last")

                // By keys: to the very first, the very last, and one row up from there.
                try await browser.run("probe.visible()[0].focus();")
                try await browser.press(Key.home, holding: Key.control)
                try await browser.until("probe.focused() === 0 && probe.filled()", "the first by key")
                try await browser.press(Key.end, holding: Key.control)
                try await browser.until("probe.focused() === \(Self.last) && probe.filled()", "the last by key")
                try await browser.press(Key.up)
                try await browser.until(
                    "probe.focused() < \(Self.last) && probe.focused() > \(Self.last) - 30", "the row above")
                // The keys reach both ends of the other layouts, too.
                for (kind, length) in [("justified", "offsetWidth"), ("masonry", "offsetHeight")] {
                    try await browser.run("probe.choose('\(kind)');")
                    // The old layout stays until the new one is loaded. In the new one the cells differ.
                    try await browser.until(
                        "new Set(probe.visible().map((cell) => cell.\(length))).size > 1 && probe.filled()", kind)
                    try await browser.run("probe.visible()[0].focus();")
                    try await browser.press(Key.end, holding: Key.control)
                    try await browser.until("probe.focused() === \(Self.last) && probe.filled()", "\(kind): the last")
                    try await browser.press(Key.home, holding: Key.control)
                    try await browser.until("probe.focused() === 0 && probe.filled()", "\(kind): the first")
                }
            }
        }

        private static let reason: JSON =
            "Search, sorting and grouping work up to 2,000,000 pictures. This gallery has 10,000,000."

        /// A field, what it says of itself, and to those who hear it.
        private static let field = """
            const field = document.querySelector('#search input');
            return [field.disabled, field.title, field.getAttribute('aria-description'), field.placeholder];
            """

        // Chromium alone: its DevTools run a script before the page's first line.
        @Test("from the first frame on the search says why it is not there")
        func notSearchedAtOnce() async throws {
            let demo = try await Demo(items: 10_000_000)
            defer { demo.stop() }
            try await withBrowser { browser in
                try await browser.devtools(
                    "Page.addScriptToEvaluateOnNewDocument", ["source": .string(Self.watch)])
                try await browser.open(demo.address)
                try await browser.until(
                    "probe.filled() && !document.getElementById('arrange-open').disabled", "the page")
                let states = try await browser.run("return states;")
                #expect(states == [[true, Self.reason, Self.reason, "Search"]])
            }
        }

        /// Writes down what the field shows, from when it is in sight and whenever that changes.
        private static let watch = """
            window.states = [];
            const look = () => {
              const field = document.querySelector('#search input');
              if (field?.checkVisibility({ visibilityProperty: true })) {
                const now = [field.disabled, field.title, field.getAttribute('aria-description'), field.placeholder];
                if (JSON.stringify(now) !== JSON.stringify(states.at(-1))) states.push(now);
              }
              requestAnimationFrame(look);
            };
            requestAnimationFrame(look);
            """

        @Test("what is not offered is disabled and says why; a number is gone to", .inEveryBrowser)
        func notArranged() async throws {
            try await withPage(items: 10_000_000) { browser, _ in
                try await browser.until(
                    "probe.filled() && !document.getElementById('arrange-open').disabled", "the page")
                #expect(try await browser.run(Self.field) == [true, Self.reason, Self.reason, "Search"])
                try await browser.press("/")
                try await browser.until(
                    "document.getElementById('note').checkVisibility() && document.getElementById('note').textContent === args[2]",
                    "the reason in sight", [Self.reason])
                try await browser.run("document.getElementById('arrange-open').click();")
                let panel = try await browser.run(
                    """
                    const fields = [...document.querySelector('#arrange [data-part=arrangement]').elements];
                    const note = document.getElementById('arrange-reason');
                    return [
                      fields.length > 6 && fields.every((field) => field.disabled && field.getAttribute('aria-description') === note.textContent),
                      note.checkVisibility() && note.textContent,
                    ];
                    """)
                #expect(panel == [true, Self.reason])
                try await browser.press("g")
                try await browser.press("9", "9", "9", Key.enter)
                try await browser.until("probe.focused() === 998 && probe.filled()", "the picture")
            }
        }

        @Test("the scrubber and the scrollbar, dragged, reach every end")
        func dragged() async throws {
            try await withPage(items: 10_000_000) { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                let rail = try await browser.run(
                    """
                    const box = document.getElementById('scrubber').getBoundingClientRect();
                    return { x: box.left + 40, top: box.top, bottom: box.bottom };
                    """)
                func number(_ name: String) -> Double { rail[name]?.number ?? 0 }
                let middle = (number("top") + number("bottom")) / 2
                try await browser.drag([
                    (number("x"), number("top") + 20), (number("x"), middle), (number("x"), number("bottom") + 8),
                ])
                try await browser.until(Self.atEnd, "the last by scrubber")
                try await browser.drag([(number("x"), middle), (number("x"), number("top") - 20)])
                try await browser.until("probe.items()[0] === 0 && probe.filled()", "the first by scrubber")

                // Where there is no room for the scrubber the scroller has a bar of its own. Its thumb stands below an
                // arrow. A hand comes to rest at the end, in more than one move.
                try await browser.resize(width: 860, height: 700)
                try await browser.until(
                    "!document.documentElement.hasAttribute('data-rail') && probe.filled()", "no scrubber")
                let bar = try await browser.run(
                    """
                    const bar = probe.scroller.getBoundingClientRect();
                    return { x: bar.right - 7, top: bar.top, bottom: bar.bottom };
                    """)
                let (x, top, bottom) = (bar["x"]?.number ?? 0, bar["top"]?.number ?? 0, bar["bottom"]?.number ?? 0)
                let half = (top + bottom) / 2
                try await browser.drag([
                    (x, top + 24), (x, half), (x, half + 80), (x, bottom - 2), (x, bottom - 1), (x, bottom - 2),
                ])
                try await browser.until(Self.atEnd, "the last by scrollbar")
            }
        }

        // Chromium alone: of the fingers that drive Firefox nothing scrolls.
        @Test("a finger moves the pictures one to one, and a handle under it goes to the last")
        func finger() async throws {
            try await withPhone(items: 10_000_000) { browser in
                try await browser.until("probe.filled()", "first pictures")
                let handle = try await browser.run(Self.handle)
                #expect((handle["size"]?.number ?? 0) >= 44, "too small for a finger")
                let (x, y) = (handle["x"]?.number ?? 0, handle["y"]?.number ?? 0)
                try await browser.drag([(x, y), (x, y + 150), (x, y + 300)], with: "touch")
                try await browser.until("probe.items()[0] > 1e6 && probe.filled()", "far down")
                let item = try await browser.run("return probe.items().at(-6);").integer ?? -1
                let before = try await browser.run("return probe.box(\(item)).top;").number ?? 0
                // The first px only tell a scroll from a tap; the rest at the end keeps it from going on by itself.
                try await browser.drag((0...40).map { (200, 560 - min(Double($0), 20) * 10) }, with: "touch")
                try await browser.wait("await probe.calm();")
                let moved = before - (try await browser.run("return probe.box(\(item))?.top ?? 1e9;").number ?? 0)
                #expect((150...230).contains(moved), "a finger's 200 px moved the pictures by \(moved)")
                // The header has gone meanwhile, and all below it is higher.
                let place = try await browser.run(Self.handle)
                let (left, top) = (place["x"]?.number ?? 0, place["y"]?.number ?? 0)
                let bottom = try await browser.run("return innerHeight - 4;").number ?? 0
                try await browser.drag([(left, top), (left, top + 100), (left, bottom)], with: "touch")
                try await browser.until(Self.atEnd, "the last by finger")
            }
        }

        private static let handle = """
            const box = document.querySelector('#scrubber [data-part="here"]').getBoundingClientRect();
            return { x: box.left + box.width / 2, y: box.top + box.height / 2, size: Math.min(box.width, box.height) };
            """

        private static let atEnd = """
            probe.items().at(-1) === \(last) && probe.filled()
              && probe.box(\(last)).top + probe.box(\(last)).height <= probe.scroller.getBoundingClientRect().bottom
            """

        /// Turns the wheel, and sees the pictures move by what it said.
        private func oneToOne(_ browser: Browser, by delta: Double = 200) async throws {
            try await browser.wait("await probe.calm();")
            let item =
                try await browser.run("return probe.items()[Math.floor(probe.items().length / 2)];").integer ?? -1
            let before = try await browser.run("return probe.box(\(item)).top;").number ?? 0
            try await browser.wheel(by: delta / 2, turns: 2)
            try await browser.until(
                "Math.abs(\(before) - (probe.box(\(item))?.top ?? 1e9) - \(delta)) < 0.6", "the wheel's \(delta) px")
        }
    }
}

/// A phone: touch, a narrow window, and two pixels for each of CSS.
///
/// - Parameter items: how many pictures a demo of its own has; nil for the demo that others use, too.
func withPhone(items: Int? = nil, path: String = "", _ body: (Browser) async throws -> Void) async throws {
    let warm = items == nil ? try await WarmDemo.current?.take() : nil
    let demo = if let warm { warm } else { try await Demo(items: items ?? 20_000) }
    defer { if demo !== warm { demo.stop() } }
    try await withBrowser(width: 500, height: 900) { browser in
        try await browser.emulate(.device(width: 390, height: 760, scale: 2, touch: true))
        try await browser.open(demo.address + path)
        try await body(browser)
    }
}
