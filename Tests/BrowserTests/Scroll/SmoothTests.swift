import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Smooth scrolling")
    struct Smooth {
        @Test("the document holds at most three screens of cells at any scroll speed and size")
        func boundedDocument() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                let seen = try await browser.wait("return await scrollProbe.countElements();")
                #expect((seen["worst"]?.number ?? 99) <= 3)
                #expect((seen["nodes"]?.number ?? 9999) < 900)
                // Rows of many cells become rows of few when the size changes from the smallest to the largest.
                for size in [0, 5] {
                    try await browser.run("gridProbe.setSize(\(size));")
                    try await browser.until(
                        "location.search.includes('size=\(size)') && probe.filled()", "size \(size)")
                    try await browser.wait("await scrollProbe.scroll(50, 10);")
                }
                try await browser.until(
                    "probe.filled() && document.querySelectorAll('.cell').length <= 3 * probe.visible().length",
                    "three screens of large cells")
            }
        }

        // Only in Chromium, because Firefox does not report layout shifts.
        @Test("loading and scrolling shift no cell, and scrolling shifts no other element")
        func noLayoutShift() async throws {
            try await withPage { browser, _ in
                try await browser.run("scrollProbe.watchShifts();")
                try await browser.until("probe.filled()", "first pictures")
                try await browser.wait("await probe.calm();")
                #expect(
                    try await browser.run(
                        "return window.__shifts.splice(0).filter((what) => what === 'cell');") == [])
                // After the page has loaded, no other element shifts either.
                try await browser.wheel(by: 600, turns: 10)
                try await browser.until("probe.items()[0] > 60 && probe.filled()", "after the wheel")
                try await browser.run("probe.scroller.scrollTop = 90000;")
                try await browser.until("probe.items()[0] > 1000 && probe.filled()", "after a jump")
                #expect(try await browser.run("return window.__shifts;") == [])
                // The observer does report shifts.
                try await browser.wait("await scrollProbe.shiftBlock();")
                try await browser.until("window.__shifts.length > 0", "a shift made on purpose")
            }
        }

        // This test and the next one need Chromium, whose DevTools report the work of threads and the number of nodes.
        @Test("the main thread decodes no pictures", .enabled(if: Weekly.isOn, "runs weekly"))
        func decodesElsewhere() async throws {
            let demo = try await Demo(items: 20_000)
            defer { demo.stop() }
            let browser = try await Browser(tracing: 1280, height: 900)
            do {
                try await browser.open(demo.address)
                // The test does not read pixels, because that would decode pictures on the main thread.
                try await browser.until("gridProbe.isReady(10)", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 9000;")
                try await browser.until("probe.items()[0] > 100 && gridProbe.isReady(10)", "pictures further down")
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
            "scrolling leaves neither nodes nor listeners behind", .enabled(if: Weekly.isOn, "runs weekly")
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
                // The number of reused cells varies by a screen or two. A leak would leave the cells of many screens.
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
                try await browser.until("gridProbe.isReady()", "a screen")
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
