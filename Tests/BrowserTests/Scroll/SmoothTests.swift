import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Smooth")
    struct Smooth {
        @Test("the document holds at most three screens of cells, whatever is done to it")
        func boundedDocument() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                let seen = try await browser.wait(
                    """
                    const seen = { worst: 0, nodes: 0 };
                    const look = () => {
                      const screen = Math.max(1, probe.visible().length);
                      seen.worst = Math.max(seen.worst, document.querySelectorAll('.cell').length / screen);
                      seen.nodes = Math.max(seen.nodes, document.querySelectorAll('*').length);
                    };
                    for (const speed of [40, 400, 700, 3000, -2000, -300]) {
                      for (let frame = 0; frame < 40; frame++) {
                        probe.scroller.scrollTop += speed;
                        await probe.frame();
                        look();
                      }
                    }
                    return seen;
                    """)
                #expect((seen["worst"]?.number ?? 99) <= 3)
                #expect((seen["nodes"]?.number ?? 9999) < 900)
                // From the smallest cells to the largest, rows of many give way to rows of few.
                for size in [0, 5] {
                    try await browser.run(
                        """
                        const size = document.getElementById('density');
                        size.value = '\(size)';
                        size.dispatchEvent(new Event('input'));
                        """)
                    try await browser.until(
                        "location.search.includes('size=\(size)') && probe.filled()", "size \(size)")
                    try await browser.wait(
                        "for (let i = 0; i < 10; i++) { probe.scroller.scrollTop += 50; await probe.frame(); }")
                }
                try await browser.until(
                    "probe.filled() && document.querySelectorAll('.cell').length <= 3 * probe.visible().length",
                    "three screens of large cells")
            }
        }

        // Chromium alone: Firefox does not tell of shifts.
        @Test("nothing ever shifts: every cell has its place before its picture")
        func noLayoutShift() async throws {
            try await withPage { browser, _ in
                try await browser.run(
                    """
                    window.__shifts = [];
                    new PerformanceObserver((list) => {
                      for (const { hadRecentInput, sources } of list.getEntries()) {
                        if (!hadRecentInput) window.__shifts.push(...sources.map(({ node }) => probe.scroller.contains(node) ? 'cell' : node?.outerHTML ?? 'gone'));
                      }
                    }).observe({ type: 'layout-shift', buffered: true });
                    """)
                try await browser.until("probe.filled()", "first pictures")
                try await browser.wait("await probe.calm();")
                #expect(
                    try await browser.run(
                        "return window.__shifts.splice(0).filter((what) => what === 'cell');") == [])
                // Once the page is there, not even a figure beside another moves it.
                try await browser.wheel(by: 600, turns: 10)
                try await browser.until("probe.items()[0] > 60 && probe.filled()", "after the wheel")
                try await browser.run("probe.scroller.scrollTop = 90000;")
                try await browser.until("probe.items()[0] > 1000 && probe.filled()", "after a jump")
                #expect(try await browser.run("return window.__shifts;") == [])
                // The observer does see shifts.
                try await browser.run(
                    """
                    const block = document.createElement('div');
                    block.style.cssText = 'position: fixed; inset: 300px auto auto 300px; width: 300px; height: 300px; background: red';
                    document.body.append(block);
                    window.__block = block;
                    """)
                try await browser.wait("await probe.frame(); await probe.frame(); window.__block.style.top = '100px';")
                try await browser.until("window.__shifts.length > 0", "a shift made on purpose")
            }
        }

        // Chromium alone, and the next one: its DevTools tell what threads do, and how many nodes there are.
        @Test("pictures are decoded, but never on the main thread", .enabled(if: Weekly.isOn, "runs weekly"))
        func decodesElsewhere() async throws {
            let demo = try await Demo(items: 20_000)
            defer { demo.stop() }
            let browser = try await Browser(tracing: 1280, height: 900)
            do {
                try await browser.open(demo.address)
                // Not what they show is looked at: that would decode them here.
                let ready =
                    "probe.visible().length > 10 && probe.visible().every((cell) => cell.dataset.state === 'ready')"
                try await browser.until(ready, "first pictures")
                try await browser.run("probe.scroller.scrollTop = 9000;")
                try await browser.until("probe.items()[0] > 100 && \(ready)", "pictures further down")
                try await browser.run("console.timeStamp('here');")
                let trace = try await browser.trace()
                let here = try #require(
                    trace.first { $0["name"] == "TimeStamp" && $0["args"]?["data"]?["message"] == "here" })
                let decodings = trace.filter {
                    ["ImageDecodeTask", "Decode Image", "Decode LazyPixelRef"].contains($0["name"]?.string)
                }
                #expect(decodings.count > 20)
                #expect(decodings.filter { $0["pid"] == here["pid"] && $0["tid"] == here["tid"] }.isEmpty)
            } catch {
                await browser.quit()
                throw error
            }
            await browser.quit()
        }

        @Test(
            "what has scrolled away leaves neither nodes nor listeners behind", .enabled(if: Weekly.isOn, "runs weekly")
        )
        func nothingLeftBehind() async throws {
            try await withPage(latency: 0, bandwidth: 1000) { browser, _ in
                try await browser.devtools("Performance.enable")
                try await browser.until("probe.filled()", "first pictures")
                try await scroll(browser, screens: 6)
                let early = try await counts(browser)
                let screens = 18
                try await scroll(browser, screens: screens)
                let late = try await counts(browser)
                let screen = try await browser.run(
                    "return probe.visible().reduce((sum, cell) => sum + 1 + cell.querySelectorAll('*').length, 0);")
                // Cells kept for reuse are more or fewer, a screen's or two; those left behind would be many screens'.
                let room = try #require(screen.number) * Double(screens) / 6
                for (name, maximum) in [("Nodes", room), ("JSEventListeners", 100)] {
                    let (before, after) = (early[name] ?? 0, late[name] ?? .infinity)
                    #expect(before > 0 && after <= before + maximum, "\(name) rose from \(before) to \(after)")
                }
            }
        }

        private func scroll(_ browser: Browser, screens: Int) async throws {
            for _ in 0..<screens {
                try await browser.run("probe.scroller.scrollTop += probe.scroller.clientHeight;")
                try await browser.until(
                    "probe.visible().length && probe.visible().every((cell) => cell.dataset.state === 'ready')",
                    "a screen")
            }
        }

        private func counts(_ browser: Browser) async throws -> [String: Double] {
            try await browser.devtools("HeapProfiler.collectGarbage")
            let metrics = try await browser.devtools("Performance.getMetrics")["metrics"]?.array ?? []
            return Dictionary(
                metrics.map { ($0["name"]?.string ?? "", $0["value"]?.number ?? 0) }, uniquingKeysWith: { $1 })
        }
    }
}
