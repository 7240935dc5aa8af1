import JSON
import Testing

extension PageTests {
    @Suite("The pictures beside the one on show")
    struct FilmstripTests {
        /// `{count, current, first, last, centred}` of what stands in the strip.
        private static let strip = """
            (() => {
              const strip = document.querySelector('#viewer .filmstrip');
              const cells = [...strip.querySelectorAll('[role=option]')];
              const current = cells.find((cell) => cell.getAttribute('aria-selected') === 'true');
              const box = current?.getBoundingClientRect();
              return {
                count: cells.length, current: Number(current?.dataset.item), first: Number(cells[0]?.dataset.item), last: Number(cells.at(-1)?.dataset.item),
                centred: Math.abs(box?.left + box?.width / 2 - strip.clientWidth / 2) < 40, stops: strip.querySelectorAll('[tabindex="0"]').length,
                place: current?.getAttribute('aria-posinset'), of: current?.getAttribute('aria-setsize'),
                shown: cells.filter((cell) => cell.firstChild.complete && cell.firstChild.naturalWidth > 0).length,
              };
            })()
            """

        private func opened(at item: Int, _ body: (Browser) async throws -> Void) async throws {
            try await withWarmPage(path: "?view=\(item)") { browser in
                try await browser.until(Viewer.shown, "the viewer")
                try await browser.press("t")
                try await browser.until("\(Self.strip).current === \(item) && \(Self.strip).centred", "the strip")
                try await body(browser)
            }
        }

        @Test(
            "it shows those around it, few of them are elements, and follows to the other end of the gallery",
            .inEveryBrowser)
        func follows() async throws {
            try await opened(at: 7000) { browser in
                try await browser.until("\(Self.strip).shown === \(Self.strip).count", "their pictures")
                let strip = try await browser.run("return \(Self.strip);")
                #expect((10...60).contains(strip["count"]?.integer ?? 0), "\(strip)")
                #expect(strip["stops"] == 1 && strip["place"] == "7001" && strip["of"] == "20000")
                try await browser.press(Key.right, Key.right)
                try await browser.until("\(Self.strip).current === 7002 && \(Self.strip).centred", "two on")
                try await browser.press(Key.end)
                try await browser.until("\(Self.strip).current === 19999 && \(Self.strip).centred", "the last one")
                #expect(try await browser.run("return \(Self.strip).last;") == 19999)
                try await browser.press(Key.home)
                try await browser.until("\(Self.strip).current === 0 && \(Self.strip).centred", "the first one")
                #expect((try await browser.run("return \(Self.strip).count;").integer ?? 0) <= 60)
                try await browser.press("t")
                try await browser.until("document.querySelector('#viewer .filmstrip').hidden", "no strip")
            }
        }

        @Test("one is shown by a press, and the keys go on from it with the focus", .inEveryBrowser)
        func presses() async throws {
            try await opened(at: 40) { browser in
                try await browser.run("document.querySelector('#viewer .filmstrip [data-item=\"43\"]').click();")
                try await browser.until(
                    "\(Self.strip).current === 43 && location.search.includes('view=43')", "that one")
                try await browser.run("document.querySelector('#viewer .filmstrip [tabindex=\"0\"]').focus();")
                try await browser.press(Key.left)
                try await browser.until("document.activeElement.dataset.item === '42'", "the focus on the one before")
            }
        }

        @Test("scrolled far it moves along, and those in sight come when it rests")
        func scrolled() async throws {
            try await opened(at: 10_000) { browser in
                for _ in 0..<4 {
                    try await browser.run("document.querySelector('#viewer .filmstrip').scrollLeft += 40000;")
                    try await browser.wait("await probe.frame(); await probe.frame();")
                }
                try await browser.until(
                    "\(Self.strip).last > 11500 && \(Self.strip).count < 60 && \(Self.strip).shown >= \(Self.strip).count - 1",
                    "pictures far away")
                #expect(try await browser.run("return \(Self.strip).current;") == 10_000)
            }
        }
    }
}
