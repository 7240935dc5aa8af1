import Testing

extension PageTests {
    @Suite("The gallery")
    struct Gallery {
        @Test("by wheel, to the end and back: every visible cell shows its own picture")
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

        @Test("a resize keeps the first item below the title in place", .inEveryBrowser)
        func resizeKeepsPlace() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 40000;")
                try await browser.until("probe.filled()", "pictures in the middle")
                let clear =
                    "probe.visible().find((cell) => cell.getBoundingClientRect().bottom > probe.scroller.getBoundingClientRect().top + 56)"
                let first = try await browser.run("return Number((\(clear)).dataset.item);")
                let columns = try await browser.run(
                    "return document.getElementById('grid').getAttribute('aria-colcount');")
                try await browser.resize(width: 760, height: 900)
                try await browser.until(
                    "document.getElementById('grid').getAttribute('aria-colcount') !== '\(columns.string ?? "")' && probe.filled()",
                    "the narrow layout")
                // It may now stand in the middle of its row: the row is the first in sight.
                let inFirstRow = try await browser.run(
                    """
                    const top = (cell) => cell?.getBoundingClientRect().top;
                    return top(probe.cell(\(first.integer ?? -1))) === top(\(clear));
                    """)
                #expect(inFirstRow.bool == true)
            }
        }

        @Test("a few that fail among others say why, and each comes when it is clicked, once its origin is well again")
        func someFail() async throws {
            try await withPage { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await demo.call("PATCH", "demo/origin", ["failureRate": 0.7])
                try await browser.run("probe.scroller.scrollTop = 60000;")
                // All in one: they are asked for again by themselves after a while, too.
                try await browser.wait(
                    """
                    const failed = () => probe.visible().filter((cell) => cell.dataset.state === 'failed');
                    await probe.until(() => probe.items()[0] > 1000 && failed().length > 2
                      && probe.visible().some((cell) => cell.dataset.state === 'ready'), 'some pictures and some failures');
                    const why = failed().map((cell) => cell.querySelector('.problem small').textContent);
                    if (!why.every(Boolean)) throw new Error(`no reason: ${JSON.stringify(why)}`);
                    """)
                try await demo.call("PATCH", "demo/origin", ["failureRate": 0])
                try await browser.wait(
                    """
                    await probe.until(() => {
                      // Only those that failed: a click on a picture opens it.
                      for (const cell of probe.visible()) if (cell.dataset.state === 'failed') cell.click();
                      return probe.filled();
                    }, 'their pictures');
                    """)
                try await browser.until(
                    "probe.filled() && document.getElementById('notice').hidden && !document.getElementById('viewer').open",
                    "the gallery, and no word about it")
            }
        }

        @Test("a failed picture says why in its cell, and comes when asked for again")
        func failedPicture() async throws {
            try await withPage { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await demo.call("PATCH", "demo/origin", ["failureRate": 1])
                try await browser.run("probe.scroller.scrollTop = 60000;")
                // All are asked for again after a while: the reason is read when it is there.
                try await browser.until(
                    """
                    (window.__cell = probe.visible().find((cell) => cell.dataset.state === 'failed'))?.querySelector('.problem small').textContent
                    """, "a failure and its reason")
                try await demo.call("PATCH", "demo/origin", ["failureRate": 0])
                try await browser.run("window.__cell.click();")
                try await browser.until(
                    "probe.number(window.__cell) === Number(window.__cell.dataset.item)", "the picture after all")
            }
        }
    }
}
