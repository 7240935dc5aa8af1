import Testing

extension PageTests {
    @Suite("The gallery")
    struct Gallery {
        @Test("by wheel, to the end and back: every visible cell shows its own picture")
        func everyCellItsOwnPicture() async throws {
            try await withPage { browser, _ in
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

        @Test("however wildly one scrolls, no cell ever shows another item's picture")
        func neverAnotherPicture() async throws {
            try await withPage { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                let seen = try await browser.wait(
                    """
                    let [pictures, seed] = [0, 7];
                    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
                    for (let frame = 0; frame < 240; frame++) {
                      const step = random();
                      if (step < 0.04) probe.scroller.scrollTop = random() * 30000;
                      else probe.scroller.scrollTop += (random() - 0.4) * 900;
                      await probe.frame();
                      const stranger = probe.stranger();
                      if (stranger) throw new Error(`a cell shows another picture: ${JSON.stringify(stranger)}`);
                      pictures += probe.visible().filter((cell) => probe.number(cell) >= 0).length;
                    }
                    return pictures;
                    """)
                #expect((seen.integer ?? 0) > 500, "too few pictures were on show to prove anything")
                try await browser.until("probe.filled()", "all pictures once it rests")
            }
        }

        @Test("only the cells near the viewport are in the document")
        func boundedDocument() async throws {
            try await withPage { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                let worst = try await browser.wait(
                    """
                    let worst = 0;
                    for (let frame = 0; frame < 120; frame++) {
                      probe.scroller.scrollTop += 700;
                      await probe.frame();
                      worst = Math.max(worst, document.querySelectorAll('.cell').length / Math.max(1, probe.visible().length));
                    }
                    return { worst, nodes: document.querySelectorAll('*').length };
                    """)
                #expect((worst["worst"]?.number ?? 99) <= 3.5)
                #expect((worst["nodes"]?.number ?? 9999) < 900)
            }
        }

        @Test("a resize keeps the first visible item in place")
        func resizeKeepsPlace() async throws {
            try await withPage { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 40000;")
                try await browser.until("probe.filled()", "pictures in the middle")
                let first = try await browser.run("return probe.items()[0];")
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
                    return top(probe.cell(\(first.integer ?? -1))) === top(probe.visible()[0]);
                    """)
                #expect(inFirstRow.bool == true)
            }
        }

        @Test("ten million items: the first, the middle and the last are in reach, and the wheel stays one to one")
        func tenMillion() async throws {
            try await withPage(items: 10_000_000) { browser, _ in
                try await browser.until("probe.items()[0] === 0 && probe.filled()", "the first")
                try await browser.run("probe.scroller.scrollTop = probe.scroller.scrollHeight / 2;")
                try await browser.until("Math.abs(probe.items()[0] - 5e6) < 5e4 && probe.filled()", "the middle")
                let moved = try await browser.wait(
                    """
                    const cell = probe.visible().at(-1);
                    const [item, before] = [Number(cell.dataset.item), cell.getBoundingClientRect().top];
                    probe.scroller.scrollTop += 137;
                    await probe.frame(); await probe.frame();
                    return before - probe.cell(item).getBoundingClientRect().top;
                    """)
                #expect(moved.number == 137)
                try await browser.run("probe.scroller.scrollTop = probe.scroller.scrollHeight;")
                try await browser.until("probe.items().at(-1) === 9999999 && probe.filled()", "the last")
            }
        }

        @Test("a failed picture says why in its cell, and comes when asked for again")
        func failedPicture() async throws {
            try await withPage { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await demo.call("PATCH", "demo/origin", ["failureRate": 1])
                try await browser.run("probe.scroller.scrollTop = 60000;")
                try await browser.until(
                    "probe.visible().some((cell) => cell.dataset.state === 'failed')", "a failure", within: 40_000)
                let reason = try await browser.run(
                    """
                    window.__cell = probe.visible().find((cell) => cell.dataset.state === 'failed');
                    return window.__cell.querySelector('.problem small').textContent;
                    """)
                #expect(reason.string?.isEmpty == false)
                try await demo.call("PATCH", "demo/origin", ["failureRate": 0])
                try await browser.run("window.__cell.click();")
                try await browser.until(
                    "probe.number(window.__cell) === Number(window.__cell.dataset.item)", "the picture after all")
            }
        }
    }
}
