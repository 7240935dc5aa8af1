import Foundation
import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Keyboard")
    struct Keyboard {
        @Test(
            "arrow keys, Home, End and paging keys move the focus through the layout, and scrolling keeps it",
            .whereEnginesDiffer)
        func arrows() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                let columns = try await columns(browser)
                try await enter(browser)
                try await browser.press(Key.right, Key.right, Key.down)
                try await browser.until("probe.focused() === \(2 + columns)", "right, right, down")
                try await browser.press(Key.home)
                try await browser.until("probe.focused() === \(columns)", "the beginning of the row")
                try await browser.press(Key.end)
                try await browser.until("probe.focused() === \(2 * columns - 1)", "the end of the row")
                try await browser.press(Key.pageDown)
                try await browser.until(
                    "probe.focused() > \(3 * columns) && probe.focused() % \(columns) === \(columns - 1)",
                    "some rows down, in the same column")
                try await browser.press(Key.pageUp)
                try await browser.until("probe.focused() === \(2 * columns - 1)", "as many rows up")
                try await browser.press(Key.end, holding: Key.control)
                try await browser.until("probe.focused() === 19999 && probe.filled()", "the last item")
                try await browser.press(Key.home, holding: Key.control)
                try await browser.until("probe.focused() === 0 && probe.filled()", "the first item")
                for _ in 0..<40 { try await browser.press(Key.down) }
                try await browser.until("probe.focused() === \(40 * columns)", "forty rows down")
                #expect(
                    try await browser.run("return document.querySelectorAll('#scroller [tabindex=\"0\"]').length;")
                        .integer
                        == 1)
                #expect(
                    try await browser.run("return gridProbe.areRowsInOrder();") == true,
                    "rows are out of order in the document")
                try await browser.wheel(by: 4000, turns: 3)
                try await browser.until("!probe.items().includes(\(40 * columns))", "scrolled away")
                // The wheel's scroll must end first, or the rest of it would scroll away again.
                try await browser.wait("await probe.calm();")
                #expect(try await browser.run("return document.activeElement === document.body;").bool == false)
                try await browser.press(Key.right)
                try await browser.until("probe.focused() === \(40 * columns + 1)", "back at the focus")
            }
        }

        @Test(
            "keys scroll the gallery right after loading and from a button, and a slider keeps its own keys",
            .whereEnginesDiffer)
        func scrolling() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                let page = try await browser.run("return probe.scroller.clientHeight;").number ?? 0
                func scrolls(_ key: String, to condition: String, _ why: String) async throws {
                    try await browser.press(key)
                    try await browser.until(condition, why)
                    try await browser.wait("await probe.calm();")
                }
                try await scrolls(Key.pageDown, to: "probe.scroller.scrollTop > \(page / 2)", "a page down")
                try await scrolls(" ", to: "probe.scroller.scrollTop > \(page * 1.4)", "a page more by Space")
                try await scrolls(Key.pageUp, to: "probe.scroller.scrollTop < \(page * 1.1)", "a page up")
                let top = try await browser.run("return probe.scroller.scrollTop;").number ?? 0
                try await scrolls(Key.down, to: "probe.scroller.scrollTop > \(top)", "a line down")
                try await scrolls(
                    Key.end,
                    to: "probe.scroller.scrollTop + probe.scroller.clientHeight >= probe.scroller.scrollHeight - 1",
                    "the end")
                try await browser.run("document.getElementById('dashboard-toggle').focus();")
                try await scrolls(Key.home, to: "probe.scroller.scrollTop === 0", "the beginning, from a button")
                try await scrolls(Key.pageDown, to: "probe.scroller.scrollTop > \(page / 2)", "a page, from a button")
                try await browser.run("document.getElementById('density').focus();")
                let place = "return location.search.match(/item=\\d+/)?.[0] ?? '';"
                let before = try await browser.run(place)
                try await browser.press(Key.right)
                try await browser.until("location.search.includes('size=')", "the slider keeps its keys")
                #expect(try await browser.run(place) == before)
            }
        }

        @Test("a key scrolls the gallery as far as it scrolls a plain page, and keeps the focus", .inEveryBrowser)
        func distances() async throws {
            try await compare { browser in
                for key in [Key.pageDown, Key.down, Key.pageDown, Key.up, Key.pageUp] {
                    try await browser.press(key)
                    try await browser.wait(Self.rest)
                }
            }
        }

        @Test(
            "repeated and held keys scroll the gallery as far as they scroll a plain page",
            .enabled(if: Weekly.isOn, "runs weekly"), .inEveryBrowser)
        func held() async throws {
            try await compare { browser in
                try await browser.press(Key.down, Key.down, Key.down, Key.up)
                try await browser.wait(Self.rest)
                try await browser.hold(Key.down, times: 30)
                try await browser.wait(Self.rest)
                try await browser.press(Key.pageDown, Key.pageDown, Key.pageUp)
                try await browser.wait(Self.rest)
            }
        }

        private static let rest = "await probe.calm(document.getElementById('plain') ?? probe.scroller);"

        /// Presses the same keys in the gallery and in a plain page of its size, and compares how far the two scroll.
        private func compare(_ presses: (Browser) async throws -> Void) async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                let tops = "return [probe.scroller.scrollTop, document.getElementById('plain')?.scrollTop ?? 0];"
                func way() async throws -> [Double] {
                    try await presses(browser)
                    return (try await browser.run(tops).array ?? []).compactMap(\.number)
                }
                try await browser.run("document.getElementById('dashboard-toggle').focus();")
                let ours = try await way()
                try await browser.until("document.activeElement.id === 'dashboard-toggle'", "the focus is back")
                try await browser.run("gridProbe.addPlainPage();")
                let plain = try await way()
                #expect(plain[0] == ours[0], "keys in the plain page scrolled the gallery")
                #expect(abs(plain[1] - ours[0]) <= 2, "\(ours[0]) px here, \(plain[1]) px there")
                #expect(plain[1] > 500)
            }
        }

        @Test(
            "Enter opens the viewer, arrow keys change its picture, and Escape returns to the same scroll position",
            .inEveryBrowser)
        func viewer() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await enter(browser)
                for _ in 0..<20 { try await browser.press(Key.down) }
                let item = 20 * (try await columns(browser))
                try await browser.until("probe.focused() === \(item) && probe.filled()", "twenty rows down")
                let place = try await browser.run("return probe.scroller.scrollTop;")
                try await browser.press(Key.enter)
                try await browser.until(
                    "gridProbe.isViewerOpen() && location.search.includes('view=\(item)')", "the viewer")
                try await browser.until(
                    "document.querySelector('#viewer img').naturalWidth > 0 && !document.querySelector('#viewer [data-loading]')",
                    "its picture")
                try await browser.press(Key.tab, Key.tab, Key.tab, Key.tab, Key.tab, Key.tab, Key.tab, Key.tab)
                #expect(
                    try await browser.run(
                        "return document.activeElement === document.body || document.getElementById('viewer').contains(document.activeElement);"
                    ).bool == true)
                try await browser.press(Key.left)
                try await browser.until("location.search.includes('view=\(item - 1)')", "the picture before")
                try await browser.press(Key.escape)
                try await browser.until("!gridProbe.isViewerOpen()", "closed")
                #expect(try await browser.run("return probe.scroller.scrollTop;") == place)
                try await browser.until("probe.focused() === \(item - 1)", "focus on the picture last seen")
            }
        }

        @Test(
            "every control shows that it has the focus, from the first link to the last button", .whereEnginesDiffer)
        func visibleFocus() async throws {
            try await withWarmPage(path: "?dashboard") { browser in
                try await browser.until("probe.filled()", "first pictures")
                var seen: Set<String> = []
                for _ in 0..<60 {
                    try await browser.press(Key.tab)
                    let place = try await browser.run("return gridProbe.focusShown();")
                    let name = place["name"]?.string ?? ""
                    if seen.contains(name) { break }
                    seen.insert(name)
                    #expect(place["shows"] == true, "\(name)")
                }
                #expect(seen.count > 15, "\(seen)")
            }
        }

        @Test(
            "a focused picture has two rings, and one has a contrast of 3:1 on any gray, in light and dark",
            .enabled(if: Weekly.isOn, "runs weekly"), .whereEnginesDiffer)
        func rings() async throws {
            for scheme in ["light", "dark"] {
                try await withWarmPage { browser in
                    try await browser.emulate(.colorScheme(scheme))
                    try await browser.until("probe.filled()", "first pictures")
                    try await enter(browser)
                    try await browser.press(Key.right)
                    try await browser.until("probe.focused() === 1", "the second picture")
                    // The test reads single pixels, so Chromium takes a lossless screenshot, as Firefox always does.
                    let picture =
                        browser.engine == .chromium
                        ? try await browser.devtools("Page.captureScreenshot", ["format": "png"])["data"]?.string ?? ""
                        : try await browser.screenshot().base64EncodedString()
                    let found = try await browser.wait("return await gridProbe.ringsSeen(args[0]);", [.string(picture)])
                    #expect(found["covered"] == 0, "\(scheme): \(found)")
                    #expect((found["worst"]?.number ?? 0) >= 3, "\(scheme): \(found)")
                }
            }
        }

        private func columns(_ browser: Browser) async throws -> Int {
            try await browser.run("return gridProbe.columns();").integer ?? 0
        }

        /// Moves the focus to the grid as a person does, with Tab, the first link and Enter.
        private func enter(_ browser: Browser) async throws {
            try await browser.press(Key.tab)
            try await browser.until("document.activeElement.id === 'skip'", "the link to the pictures")
            try await browser.press(Key.enter)
            try await browser.until("probe.focused() === 0", "the first cell")
        }
    }
}
