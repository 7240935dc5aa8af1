import JSON
import TestSupport
import Testing

extension PageTests {
    /// Each is looked up in the trace that the server keeps of what the page told it.
    @Suite("What gives away where you go next")
    struct Hints {
        @Test(
            "a pointer that rests on the scrubber: the pictures there come before it is pressed",
            .inEveryBrowser)
        func scrubber() async throws {
            try await withPage(items: 40_000) { browser, demo in
                try await settled(browser)
                let rail = try await box(browser, "document.getElementById('scrubber')")
                try await browser.move([(rail.x, rail.y)])
                let hint = try await self.hint(browser, demo, "scrubber")
                let top = try #require(hint["scrollTop"]?.number)
                let content = try await browser.run("return probe.scroller.scrollHeight - probe.scroller.clientHeight;")
                #expect(abs(top / (content.number ?? 1) - 0.5) < 0.02)
                #expect(try await browser.run("return probe.scroller.scrollTop;") == 0)
                // They are made in the place that is given away; a little later the press finds them there.
                try await requested(demo, near: 20_000)
                try await browser.drag([(rail.x, rail.y)])
                try await browser.until("Math.abs(probe.items()[0] - 20000) < 500 && probe.filled()", "the place")
            }
        }

        @Test("a pointer on its way to the scrubber")
        func heading() async throws {
            try await withPage(items: 40_000) { browser, demo in
                try await settled(browser)
                let rail = try await box(browser, "document.getElementById('scrubber')")
                // It stops short of it.
                let way = stride(from: 420.0, through: 70, by: -35).map { (x: rail.x - $0, y: rail.y) }
                try await browser.move(way, pause: 16)
                #expect((try await hint(browser, demo, "scrubber"))["confidence"]?.number == 0.3)
            }
        }

        @Test("a pointer over the scrollbar, away from its thumb")
        func thumb() async throws {
            try await withPage(items: 40_000) { browser, demo in
                try await settled(browser)
                // Where scrollbars take no room the gallery gets one that does.
                try await browser.run(
                    """
                    if (probe.scroller.offsetWidth - probe.scroller.clientWidth > 2) return;
                    const sheet = new CSSStyleSheet();
                    sheet.replaceSync('#scroller { scrollbar-color: auto !important; scrollbar-width: auto !important } #scroller::-webkit-scrollbar { width: 15px !important }');
                    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
                    """)
                try await browser.until("probe.scroller.offsetWidth - probe.scroller.clientWidth > 2", "a scrollbar")
                let scroller = try await browser.run(
                    """
                    const r = probe.scroller.getBoundingClientRect();
                    return { x: r.left + (probe.scroller.clientWidth + probe.scroller.offsetWidth) / 2, y: r.top + r.height * 0.75 };
                    """)
                try await browser.move([(scroller["x"]?.number ?? 0, scroller["y"]?.number ?? 0)])
                let hint = try await self.hint(browser, demo, "thumb")
                let content = try await browser.run("return probe.scroller.scrollHeight - probe.scroller.clientHeight;")
                #expect(abs((hint["scrollTop"]?.number ?? 0) / (content.number ?? 1) - 0.75) < 0.05)
            }
        }

        @Test("a pointer that rests on a cell, and the viewer's arrow", .inEveryBrowser)
        func cellAndViewer() async throws {
            try await withPage(items: 40_000) { browser, demo in
                try await settled(browser)
                let cell = try await browser.run("return probe.box(8);")
                try await browser.move([(cell["x"]?.number ?? 0, cell["y"]?.number ?? 0)])
                #expect((try await hint(browser, demo, "cell"))["item"] == 8)
                try await browser.drag([(cell["x"]?.number ?? 0, cell["y"]?.number ?? 0)])
                try await browser.until("document.getElementById('viewer').open", "the viewer")
                #expect((try await hint(browser, demo, "viewer"))["item"] == 9)
                try await browser.press(Key.left)
                #expect((try await hint(browser, demo, "viewer") { $0["item"] == 6 })["item"] == 6)
            }
        }

        @Test("a key that scrolls", .inEveryBrowser)
        func key() async throws {
            try await withPage(items: 40_000) { browser, demo in
                try await settled(browser)
                try await browser.press(Key.pageDown)
                #expect(((try await hint(browser, demo, "key"))["scrollTop"]?.number ?? 0) > 300)
            }
        }

        /// The first screen is there, and what the page loads last.
        private func settled(_ browser: Browser) async throws {
            try await browser.until(
                "probe.filled() && performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/js/viewer/zoom.js'))",
                "the page")
            try await browser.until("document.documentElement.dataset.session", "a session")
            // Loaded is not run: a turn of the loop later it is.
            try await browser.wait("for (let i = 0; i < 10; i++) await probe.frame();")
        }

        /// The latest hint of a kind that the server has heard.
        private func hint(
            _ browser: Browser, _ demo: Demo, _ kind: String, where isMeant: @escaping (JSON) -> Bool = { _ in true }
        ) async throws -> JSON {
            let session = try await browser.run("return document.documentElement.dataset.session;").string ?? ""
            let heard = try await eventually(
                "a hint of kind \(kind)",
                of: { () -> JSON? in
                    let trace = try await TestClient.exchange(
                        "GET", port: demo.port, path: "/api/v1/sessions/\(session)/trace")
                    return trace.text.split(separator: "\n").reversed().lazy
                        .compactMap { try? JSON.parse(String($0))["hint"] }
                        .first { $0["kind"]?.string == kind && isMeant($0) }
                }, satisfies: { $0 != nil })
            return try #require(heard)
        }

        private func requested(_ demo: Demo, near item: Int) async throws {
            try await eventually("a request near \(item)") {
                try await demo.originLog().contains { abs($0.item - item) < 500 }
            }
        }

        private func box(_ browser: Browser, _ element: String) async throws -> (x: Double, y: Double) {
            let box = try await browser.run(
                "const r = \(element).getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2];")
            return (box.array?[0].number ?? 0, box.array?[1].number ?? 0)
        }
    }
}
