import JSON
import Testing

extension PageTests {
    @Suite("The filmstrip shows the pictures beside the open one")
    struct FilmstripTests {
        private func opened(at item: Int, _ body: (Browser) async throws -> Void) async throws {
            try await withWarmPage(path: "?view=\(item)") { browser in
                try await browser.until("viewerProbe.isShown()", "the viewer")
                try await browser.press("t")
                try await browser.until("viewerProbe.isCentred(\(item))", "the strip")
                try await body(browser)
            }
        }

        @Test(
            "the filmstrip follows the open picture to both ends of the gallery, with at most 60 elements",
            .inEveryBrowser)
        func follows() async throws {
            try await opened(at: 7000) { browser in
                try await browser.until("viewerProbe.strip().shown === viewerProbe.strip().count", "their pictures")
                let strip = try await browser.run("return viewerProbe.strip();")
                #expect((10...60).contains(strip["count"]?.integer ?? 0), "\(strip)")
                #expect(strip["stops"] == 1 && strip["place"] == "7001" && strip["of"] == "20000")
                try await browser.press(Key.right, Key.right)
                try await browser.until("viewerProbe.isCentred(7002)", "two on")
                try await browser.press(Key.end)
                try await browser.until("viewerProbe.isCentred(19999)", "the last one")
                #expect(try await browser.run("return viewerProbe.strip().last;") == 19999)
                try await browser.press(Key.home)
                try await browser.until("viewerProbe.isCentred(0)", "the first one")
                #expect((try await browser.run("return viewerProbe.strip().count;").integer ?? 0) <= 60)
                try await browser.press("t")
                try await browser.until("viewerProbe.find('.filmstrip').hidden", "no strip")
            }
        }

        @Test(
            "a click on a picture of the filmstrip opens it, and the arrow keys move the focus from there",
            .inEveryBrowser)
        func presses() async throws {
            try await opened(at: 40) { browser in
                try await browser.run("viewerProbe.find('.filmstrip [data-item=\"43\"]').click();")
                try await browser.until(
                    "viewerProbe.strip().current === 43 && location.search.includes('view=43')", "that one")
                try await browser.run("viewerProbe.find('.filmstrip [tabindex=\"0\"]').focus();")
                try await browser.press(Key.left)
                try await browser.until("document.activeElement.dataset.item === '42'", "the focus on the one before")
            }
        }

        @Test("a filmstrip that is scrolled far loads the pictures in view, and keeps the open picture selected")
        func scrolled() async throws {
            try await opened(at: 10_000) { browser in
                for _ in 0..<4 {
                    try await browser.run("viewerProbe.find('.filmstrip').scrollLeft += 40000;")
                    try await browser.wait("await probe.frame(); await probe.frame();")
                }
                try await browser.until(
                    "viewerProbe.strip().last > 11500 && viewerProbe.strip().count < 60 && viewerProbe.strip().shown >= viewerProbe.strip().count - 1",
                    "pictures far away")
                #expect(try await browser.run("return viewerProbe.strip().current;") == 10_000)
            }
        }
    }
}
