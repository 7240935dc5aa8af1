import Testing

extension PageTests {
    @Suite("Gallery")
    struct Gallery {
        @Test("every visible cell shows its own picture after scrolling to the end and back")
        func everyCellItsOwnPicture() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                let first = try await browser.run("return probe.items()[0];")
                #expect(first.integer == 0)

                try await browser.wheel(by: 300, turns: 20)
                try await browser.until("probe.items()[0] > 30 && probe.filled()", "after the wheel")

                try await browser.run("probe.scroller.scrollTop = probe.scroller.scrollHeight;")
                try await browser.until("probe.items().at(-1) === 19999 && probe.filled()", "at the end")

                try await browser.run("probe.scroller.scrollTop = 0;")
                try await browser.until("probe.items()[0] === 0 && probe.filled()", "back at the beginning")
            }
        }

        @Test("resizing the window keeps the first item below the title in the first row", .inEveryBrowser)
        func resizeKeepsPlace() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 40000;")
                try await browser.until("probe.filled()", "pictures in the middle")
                let first = try await browser.run("return Number(gridProbe.firstClear().dataset.item);")
                let columns = try await browser.run("return gridProbe.columns();")
                try await browser.resize(width: 760, height: 900)
                try await browser.until(
                    "gridProbe.columns() !== \(columns.integer ?? 0) && probe.filled()", "the narrow layout")
                // The item may no longer start a row. Its row is the first visible one.
                #expect(try await browser.run("return gridProbe.isInFirstRow(\(first.integer ?? -1));") == true)
            }
        }

        @Test("failed cells among others give a reason, and a click retries each of them")
        func someFail() async throws {
            try await withPage { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await demo.call("PATCH", "demo/origin", ["failureRate": 0.7])
                try await browser.run("probe.scroller.scrollTop = 60000;")
                // In one call, because the page retries failed pictures after a while.
                try await browser.wait("await gridProbe.checkReasons();")
                try await demo.call("PATCH", "demo/origin", ["failureRate": 0])
                try await browser.wait("await gridProbe.retry();")
                try await browser.until(
                    "probe.filled() && !headerProbe.hasNotice() && !gridProbe.isViewerOpen()",
                    "the gallery without a notice")
            }
        }

        @Test("a failed picture shows its reason in its cell, and loads after a retry")
        func failedPicture() async throws {
            try await withPage { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await demo.call("PATCH", "demo/origin", ["failureRate": 1])
                try await browser.run("probe.scroller.scrollTop = 60000;")
                // The page retries failed pictures after a while, so the reason is read as soon as it appears.
                try await browser.until(
                    "(window.__cell = gridProbe.failed()[0])?.querySelector('.problem small').textContent",
                    "a failure and its reason")
                try await demo.call("PATCH", "demo/origin", ["failureRate": 0])
                try await browser.run("window.__cell.click();")
                try await browser.until(
                    "probe.number(window.__cell) === Number(window.__cell.dataset.item)", "the picture after all")
            }
        }
    }
}
