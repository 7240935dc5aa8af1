import Testing

extension PageTests {
    @Suite("Layouts and sizes")
    struct Layouts {
        @Test(
            "in justified rows and masonry too, every visible cell shows its own picture",
            arguments: ["justified", "masonry"])
        func otherLayouts(kind: String) async throws {
            try await withPage(path: "?layout=\(kind)") { browser, _ in
                try await browser.until("probe.items().includes(0) && probe.filled()", "the beginning")
                try await browser.run("probe.scroller.scrollTop = probe.scroller.scrollHeight / 2;")
                try await browser.until("Math.abs(probe.items()[0] - 10000) < 1000 && probe.filled()", "the middle")
                try await browser.run("probe.scroller.scrollTop = probe.scroller.scrollHeight;")
                try await browser.until("probe.items().includes(19999) && probe.filled()", "the end")
            }
        }

        @Test("switching the layout keeps the first visible item in sight")
        func switching() async throws {
            try await withPage { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 50000;")
                try await browser.until("probe.filled()", "the middle")
                let first = try await browser.run("return probe.items()[0];").integer ?? -1
                for kind in ["justified", "masonry", "grid"] {
                    try await browser.run(
                        """
                        const select = document.getElementById('layout');
                        select.value = '\(kind)';
                        select.dispatchEvent(new Event('change'));
                        """)
                    try await browser.until(
                        "probe.items().includes(\(first)) && probe.filled()", "\(kind), at the same item")
                }
            }
        }

        @Test("the size changes with the item under the pointer staying there")
        func size() async throws {
            try await withPage { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 50000;")
                try await browser.until("probe.filled()", "the middle")
                let item = try await browser.run(
                    """
                    const cell = probe.visible()[14];
                    const { left, top, width, height } = cell.getBoundingClientRect();
                    const at = { clientX: left + width / 2, clientY: top + height / 2, bubbles: true, cancelable: true };
                    window.__y = at.clientY;
                    const item = Number(cell.dataset.item); // the cell may soon be another's
                    dispatchEvent(new KeyboardEvent('keydown', { key: 'Control' }));
                    cell.dispatchEvent(new WheelEvent('wheel', { ...at, ctrlKey: true, deltaY: -120 }));
                    dispatchEvent(new KeyboardEvent('keyup', { key: 'Control' }));
                    return item;
                    """)
                let under = """
                    (() => {
                      const box = probe.cell(\(item.integer ?? -1))?.getBoundingClientRect();
                      return box && box.top <= window.__y && box.bottom >= window.__y;
                    })()
                    """
                try await browser.until("location.search.includes('size=4') && probe.filled()", "larger cells")
                try await browser.until(under, "item \(item.integer ?? -1) under the pointer")
            }
        }
    }
}
