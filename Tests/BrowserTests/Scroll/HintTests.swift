import JSON
import TestSupport
import Testing

extension PageTests {
    /// The tests read the hints from the server's trace of the session.
    @Suite("Hints about the next position")
    struct Hints {
        @Test(
            "a pointer over the scrubber sends a hint, and the server makes those pictures before a press",
            .inEveryBrowser)
        func scrubber() async throws {
            try await withPage(items: 40_000) { browser, demo in
                try await settled(browser)
                let rail = try await self.rail(browser)
                try await browser.move([(rail.x, rail.y)])
                let hint = try await self.hint(browser, demo, "scrubber")
                let top = try #require(hint["scrollTop"]?.number)
                let content = try await browser.run("return scrollProbe.range();")
                #expect(abs(top / (content.number ?? 1) - 0.5) < 0.02)
                #expect(try await browser.run("return probe.scroller.scrollTop;") == 0)
                // The server makes the hinted pictures, and the press finds them a little later.
                try await requested(demo, near: 20_000)
                try await browser.drag([(rail.x, rail.y)])
                try await browser.until("Math.abs(probe.items()[0] - 20000) < 500 && probe.filled()", "the place")
            }
        }

        @Test("a pointer that moves towards the scrubber sends a hint with a confidence of 0.3")
        func heading() async throws {
            try await withPage(items: 40_000) { browser, demo in
                try await settled(browser)
                let rail = try await self.rail(browser)
                // The pointer stops before the scrubber.
                let points = stride(from: 420.0, through: 70, by: -35).map { (x: rail.x - $0, y: rail.y) }
                try await browser.move(points, pause: 16)
                #expect((try await hint(browser, demo, "scrubber"))["confidence"]?.number == 0.3)
            }
        }

        @Test("a pointer over the scrollbar, away from its thumb, sends a hint of that place")
        func thumb() async throws {
            try await withPage(items: 40_000) { browser, demo in
                try await settled(browser)
                // If scrollbars take no room, the gallery gets one that does.
                try await browser.run("scrollProbe.widenBar();")
                try await browser.until("scrollProbe.barWidth() > 2", "a scrollbar")
                let scroller = try await browser.run("return scrollProbe.barPoint();")
                try await browser.move([(scroller["x"]?.number ?? 0, scroller["y"]?.number ?? 0)])
                let hint = try await self.hint(browser, demo, "thumb")
                let content = try await browser.run("return scrollProbe.range();")
                #expect(abs((hint["scrollTop"]?.number ?? 0) / (content.number ?? 1) - 0.75) < 0.05)
            }
        }

        @Test(
            "a pointer over a cell sends a hint of its picture, and the viewer sends hints of the next one",
            .inEveryBrowser)
        func cellAndViewer() async throws {
            try await withPage(items: 40_000) { browser, demo in
                try await settled(browser)
                let cell = try await browser.run("return probe.box(8);")
                try await browser.move([(cell["x"]?.number ?? 0, cell["y"]?.number ?? 0)])
                #expect((try await hint(browser, demo, "cell"))["item"] == 8)
                try await browser.drag([(cell["x"]?.number ?? 0, cell["y"]?.number ?? 0)])
                try await browser.until("gridProbe.isViewerOpen()", "the viewer")
                #expect((try await hint(browser, demo, "viewer"))["item"] == 9)
                try await browser.press(Key.left)
                #expect((try await hint(browser, demo, "viewer") { $0["item"] == 6 })["item"] == 6)
            }
        }

        @Test("a key that scrolls sends a hint of the place it leads to", .inEveryBrowser)
        func key() async throws {
            try await withPage(items: 40_000) { browser, demo in
                try await settled(browser)
                try await browser.press(Key.pageDown)
                #expect(((try await hint(browser, demo, "key"))["scrollTop"]?.number ?? 0) > 300)
            }
        }

        /// Waits for the first screen and for the scripts that the page loads last.
        private func settled(_ browser: Browser) async throws {
            try await browser.until("probe.filled() && gridProbe.hasLoaded('/js/viewer/zoom.js')", "the page")
            try await browser.until("document.documentElement.dataset.session", "a session")
            // A script runs some time after it has loaded.
            try await browser.wait("for (let i = 0; i < 10; i++) await probe.frame();")
        }

        /// Returns the latest hint of a kind that the server has received.
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

        private func rail(_ browser: Browser) async throws -> (x: Double, y: Double) {
            let rail = try await browser.run("return scrollProbe.rail();")
            return (rail["x"]?.number ?? 0, rail["y"]?.number ?? 0)
        }
    }
}
