import JSON
import Testing

extension PageTests {
    @Suite("Ten million items")
    struct TenMillion {
        static let last = 9_999_999
        private static let atEnd = "scrollProbe.isAtEnd(\(last))"

        @Test(
            "a wheel moves the pictures by its distance at the start, middle and end, and keys reach both ends",
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

                // Keys lead to the first item, to the last, and one row up.
                try await browser.run("probe.visible()[0].focus();")
                try await browser.press(Key.home, holding: Key.control)
                try await browser.until("probe.focused() === 0 && probe.filled()", "the first by key")
                try await browser.press(Key.end, holding: Key.control)
                try await browser.until("probe.focused() === \(Self.last) && probe.filled()", "the last by key")
                try await browser.press(Key.up)
                try await browser.until(
                    "probe.focused() < \(Self.last) && probe.focused() > \(Self.last) - 30", "the row above")
                // Keys reach both ends of the other layouts.
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

        // Only in Chromium, whose DevTools run a script before the page's own.
        @Test("the search field is disabled and gives the reason from the first frame on")
        func notSearchedAtOnce() async throws {
            let demo = try await Demo(items: 10_000_000)
            defer { demo.stop() }
            try await withBrowser { browser in
                try await browser.devtools(
                    "Page.addScriptToEvaluateOnNewDocument", ["source": .string(Self.watch)])
                try await browser.open(demo.address)
                try await browser.until("probe.filled() && headerProbe.canArrange()", "the page")
                let states = try await browser.run("return states;")
                #expect(states == [[true, Self.reason, Self.reason, "Search"]])
            }
        }

        /// Script that notes what the search field shows, from the first frame on.
        private static let watch = "{ \(Probe.script("scrollProbe.watchSearchField();")) }"

        @Test(
            "search and menu are disabled and give the reason, and a number still leads to its picture",
            .inEveryBrowser)
        func notArranged() async throws {
            try await withPage(items: 10_000_000) { browser, _ in
                try await browser.until("probe.filled() && headerProbe.canArrange()", "the page")
                let field = try await browser.run("return scrollProbe.searchField();")
                #expect(field == [true, Self.reason, Self.reason, "Search"])
                try await browser.press("/")
                try await browser.until("scrollProbe.note() === args[2]", "the visible reason", [Self.reason])
                try await browser.run("document.getElementById('arrange-open').click();")
                let panel = try await browser.run("return scrollProbe.disabledMenu();")
                #expect(panel == [true, Self.reason])
                try await browser.press("g")
                try await browser.press("9", "9", "9", Key.enter)
                try await browser.until("probe.focused() === 998 && probe.filled()", "the picture")
            }
        }

        @Test("dragging the scrubber reaches both ends, and dragging the scrollbar reaches the last item")
        func dragged() async throws {
            try await withPage(items: 10_000_000) { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                let rail = try await browser.run("return scrollProbe.rail();")
                let (top, middle) = (rail["top"]?.number ?? 0, rail["y"]?.number ?? 0)
                let (x, bottom) = ((rail["left"]?.number ?? 0) + 40, rail["bottom"]?.number ?? 0)
                try await browser.drag([(x, top + 20), (x, middle), (x, bottom + 8)])
                try await browser.until(Self.atEnd, "the last by scrubber")
                try await browser.drag([(x, middle), (x, top - 20)])
                try await browser.until("probe.items()[0] === 0 && probe.filled()", "the first by scrubber")

                // A narrow window has a scrollbar instead of the scrubber. Its thumb starts below an arrow. A hand stops at
                // the end in more than one move.
                try await browser.resize(width: 860, height: 700)
                try await browser.until(
                    "!document.documentElement.hasAttribute('data-rail') && probe.filled()", "no scrubber")
                let bar = try await browser.run("return scrollProbe.bar();")
                let (right, start, end) = (bar["x"]?.number ?? 0, bar["top"]?.number ?? 0, bar["bottom"]?.number ?? 0)
                let half = (start + end) / 2
                try await browser.drag([
                    (right, start + 24), (right, half), (right, half + 80),
                    (right, end - 2), (right, end - 1), (right, end - 2),
                ])
                try await browser.until(Self.atEnd, "the last by scrollbar")
            }
        }

        // Only in Chromium, because automated fingers do not scroll in Firefox.
        @Test("a finger moves the pictures by its own distance, and dragging the handle reaches the last item")
        func finger() async throws {
            try await withPhone(items: 10_000_000) { browser in
                try await browser.until("probe.filled()", "first pictures")
                let handle = try await browser.run("return scrollProbe.handle();")
                #expect((handle["size"]?.number ?? 0) >= 44, "too small for a finger")
                let (x, y) = (handle["x"]?.number ?? 0, handle["y"]?.number ?? 0)
                try await browser.drag([(x, y), (x, y + 150), (x, y + 300)], with: "touch")
                try await browser.until("probe.items()[0] > 1e6 && probe.filled()", "far down")
                let item = try await browser.run("return probe.items().at(-6);").integer ?? -1
                let before = try await browser.run("return probe.box(\(item)).top;").number ?? 0
                // The first pixels only distinguish a scroll from a tap. The pause at the end prevents momentum.
                try await browser.drag((0...40).map { (200, 560 - min(Double($0), 20) * 10) }, with: "touch")
                try await browser.wait("await probe.calm();")
                let moved = before - (try await browser.run("return probe.box(\(item))?.top ?? 1e9;").number ?? 0)
                #expect((150...230).contains(moved), "a finger's 200 px moved the pictures by \(moved)")
                // The header is hidden by now, and everything below it has moved up.
                let place = try await browser.run("return scrollProbe.handle();")
                let (left, top) = (place["x"]?.number ?? 0, place["y"]?.number ?? 0)
                let bottom = try await browser.run("return innerHeight - 4;").number ?? 0
                try await browser.drag([(left, top), (left, top + 100), (left, bottom)], with: "touch")
                try await browser.until(Self.atEnd, "the last by finger")
            }
        }

        /// Turns the wheel and checks that the pictures move by its distance.
        private func oneToOne(_ browser: Browser, by delta: Double = 200) async throws {
            try await browser.wait("await probe.calm();")
            let middle = try await browser.run("return gridProbe.middle();")
            let (item, before) = (middle["item"]?.integer ?? -1, middle["top"]?.number ?? 0)
            try await browser.wheel(by: delta / 2, turns: 2)
            try await browser.until(
                "Math.abs(\(before) - (probe.box(\(item))?.top ?? 1e9) - \(delta)) < 0.6", "the wheel's \(delta) px")
        }
    }
}

/// Hands to `body` a browser that acts as a phone, with touch, a narrow window and two pixels for each CSS pixel.
///
/// - Parameter items: Number of pictures of a new demo, or `nil` for the shared demo.
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
