import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Layouts and sizes")
    struct Layouts {
        @Test("a folder opens in justified rows, which crop no picture, unless the address names another layout")
        func folder() async throws {
            let folder = try TemporaryFolder()
            for number in 10..<40 {
                let size = number.isMultiple(of: 3) ? (200, 300) : (300, 200)
                try folder.write("pictures/\(number).jpg", Picture.jpeg(size.0, size.1, red: UInt8(number)))
            }
            let server = try await LookaheadProcess(["serve", "\(folder.path)/pictures"])
            defer { server.stop() }
            try await withBrowser { browser in
                try await browser.open(server.address)
                let ready =
                    "probe.visible().length > 8 && probe.visible().every((cell) => cell.dataset.state === 'ready')"
                try await browser.until("probe.layout === 'justified' && \(ready)", "justified rows")
                try await browser.until(
                    """
                    probe.visible().every((cell) => {
                      const [{ width, height }, image] = [cell.getBoundingClientRect(), cell.querySelector('img')];
                      return Math.abs(width / height / (image.naturalWidth / image.naturalHeight) - 1) < 0.03;
                    })
                    """, "whole pictures")
                try await browser.run("probe.choose('grid');")
                try await browser.until("location.search.includes('layout=grid')", "the choice in the address")
                try await browser.open(server.address + "?layout=grid")
                try await browser.until("probe.layout === 'grid' && \(ready)", "a grid")
            }
        }

        @Test(
            "in justified rows and masonry too, every visible cell shows its own picture",
            arguments: ["justified", "masonry"])
        func otherLayouts(kind: String) async throws {
            try await withWarmPage(path: "?layout=\(kind)") { browser in
                try await browser.until("probe.items().includes(0) && probe.filled()", "the beginning")
                try await browser.run("probe.scroller.scrollTop = probe.scroller.scrollHeight / 2;")
                try await browser.until("Math.abs(probe.items()[0] - 10000) < 1000 && probe.filled()", "the middle")
                try await browser.run("probe.scroller.scrollTop = probe.scroller.scrollHeight;")
                try await browser.until("probe.items().includes(19999) && probe.filled()", "the end")
            }
        }

        /// The first item of which the title at the top leaves more than a sliver.
        private static let first = """
            const covered = document.getElementById('stuck').getBoundingClientRect().bottom;
            return Number(probe.visible().find((cell) => cell.getBoundingClientRect().bottom > covered + 16).dataset.item);
            """

        @Test("switching the layout keeps the first visible item in sight", .inEveryBrowser)
        func switching() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 50000;")
                try await browser.until("probe.filled()", "the middle")
                let first = try await browser.run(Self.first).integer ?? -1
                for kind in ["justified", "masonry", "grid"] {
                    try await browser.run("probe.choose('\(kind)');")
                    try await browser.until(
                        "probe.items().includes(\(first)) && probe.filled()", "\(kind), at the same item")
                }
            }
        }

        @Test(
            "layouts and sizes changed back and forth lead back to the pixel; so does a reload",
            .inEveryBrowser)
        func backAndForth() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 5486;")
                try await browser.until("location.search.includes('item=') && probe.filled()", "further down")
                func place() async throws -> JSON {
                    try await browser.run(
                        """
                        const [item] = location.search.match(/item=\\d+/);
                        return [item, probe.box(Number(item.slice(5))).top];
                        """)
                }
                let there = try await place()
                for round in 1...(Weekly.isOn ? 4 : 2) {
                    for kind in ["justified", "masonry", "grid"] {
                        try await browser.run("probe.choose('\(kind)');")
                        try await browser.until(
                            "location.search.includes('\(kind)') === \(kind != "grid") && probe.filled()", kind)
                        if kind == "grid" {
                            try await browser.until(
                                "probe.scroller.scrollTop === 5486", "round \(round): the same pixel")
                            #expect(try await place() == there)
                        }
                    }
                    try await choose("density", round.isMultiple(of: 2) ? "0" : "5", in: browser)
                    try await browser.until("location.search.includes('size=') && probe.filled()", "another size")
                    try await choose("density", "3", in: browser)
                    try await browser.until(
                        "probe.scroller.scrollTop === 5486 && probe.filled()",
                        "round \(round): the same size, the same pixel")
                }
                #expect(try await place() == there)
                try await browser.reload()
                try await browser.until(
                    "probe.filled() && probe.scroller.scrollTop === 5486", "the same after a reload")
                #expect(try await place() == there)
            }
        }

        @Test(
            "no picture that stays in sight is blank for a frame while layouts and sizes change",
            .enabled(if: Weekly.isOn, "runs weekly"), .inEveryBrowser)
        func noFlicker() async throws {
            try await withPage { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 50000;")
                try await browser.until("probe.items()[0] > 500 && probe.filled()", "the middle")
                try await browser.run(
                    """
                    window.lost = [];
                    let shown = new Set();
                    const look = () => {
                      const cells = probe.visible();
                      const item = (cell) => Number(cell.dataset.item);
                      for (const cell of cells) if (shown.has(item(cell)) && !probe.hasPicture(cell)) lost.push(item(cell));
                      shown = new Set(cells.filter(probe.hasPicture).map(item));
                      requestAnimationFrame(look);
                    };
                    look();
                    """)
                for kind in ["justified", "masonry", "grid"] {
                    try await browser.run("probe.choose('\(kind)');")
                    try await browser.until(
                        "location.search.includes('\(kind)') === \(kind != "grid") && probe.filled()", kind)
                    for size in ["5", "2"] {
                        try await browser.wait("await probe.calm();")  // what leaves the sight is seen to leave it
                        try await choose("density", size, in: browser)
                        try await browser.until("location.search.includes('size=\(size)') && probe.filled()", size)
                    }
                    try await browser.wait("await probe.calm();")
                }
                let lost = try await browser.run("return lost;")
                #expect(lost == [], "\(lost)")
            }
        }

        private func choose(_ control: String, _ value: String, in browser: Browser) async throws {
            try await browser.run(
                """
                const control = document.getElementById('\(control)');
                control.value = '\(value)';
                control.dispatchEvent(new Event(control.tagName === 'SELECT' ? 'change' : 'input'));
                """)
        }

        @Test("the control for the size keeps the first visible item in sight", .inEveryBrowser)
        func sizeControl() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 50000;")
                try await browser.until("probe.items()[0] > 500 && probe.filled()", "the middle")
                let first = try await browser.run(Self.first).integer ?? -1
                for size in [5, 1] {
                    try await browser.run(
                        """
                        const size = document.getElementById('density');
                        size.value = '\(size)';
                        size.dispatchEvent(new Event('input'));
                        """)
                    try await browser.until(
                        "location.search.includes('size=\(size)') && probe.items().includes(\(first)) && probe.filled()",
                        "size \(size), at the same item")
                }
            }
        }

        @Test(
            "the size changes with the item under the pointer staying there",
            .inEveryBrowser, arguments: ["grid", "justified", "masonry"])
        func size(kind: String) async throws {
            try await withWarmPage(path: "?layout=\(kind)") { browser in
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

        @Test(
            "two fingers change the size, and what is between them stays there; the page itself is not zoomed",
            .whereEnginesDiffer)
        func pinch() async throws {
            try await withPhone { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 50000;")
                try await browser.until("probe.items()[0] > 500 && probe.filled()", "the middle")
                let middle = try await browser.run(
                    """
                    const cell = probe.visible()[Math.floor(probe.visible().length / 2)];
                    return { item: Number(cell.dataset.item), ...probe.box(Number(cell.dataset.item)) };
                    """)
                let (item, y) = (middle["item"]?.integer ?? -1, middle["y"]?.number ?? 0)
                let x = middle["x"]?.number ?? 0
                try await browser.pinch(
                    (0...8).map { (x - 15 - Double($0) * 4, y) }, (0...8).map { (x + 15 + Double($0) * 4, y) })
                try await browser.until(
                    """
                    (() => {
                      const box = probe.box(\(item));
                      return location.search.includes('size=') && box && box.top <= \(y) && box.top + box.height >= \(y);
                    })()
                    """, "item \(item) between the fingers")
                #expect(try await browser.run("return visualViewport.scale;") == 1)
            }
        }

        @Test(
            "the title of the section one is in stays at the top, until the next one pushes it away",
            .inEveryBrowser)
        func stickyHeaders() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                #expect(try await browser.run("return document.getElementById('stuck').hidden;") == true)
                try await browser.run("probe.scroller.scrollTop = 3000;")
                let title = "document.querySelector('#stuck span').textContent"
                try await browser.until(
                    "!document.getElementById('stuck').hidden && \(title) === 'Lisbon, October 2025'", "the title")
                let gallery = try await browser.wait("return (await probe.get('/api/v1/galleries/demo')).sections[1];")
                let next = try #require(gallery["title"]?.string)
                let header = """
                    [...document.querySelectorAll('#headers .header')].find((header) => header.firstChild.textContent === '\(next)')
                    """
                // Slowly past the place where the next one comes.
                let pushed = try await browser.wait(
                    """
                    const stuck = document.getElementById('stuck');
                    const top = probe.scroller.getBoundingClientRect().top;
                    await probe.until(() => {
                      probe.scroller.scrollTop += \(header) ? 10 : 300;
                      const away = (\(header))?.getBoundingClientRect().top - top;
                      return away < 40;
                    }, 'the next title');
                    await probe.frame();
                    const [here, there] = [stuck.getBoundingClientRect(), (\(header)).getBoundingClientRect()];
                    return { gap: there.top - here.bottom, above: here.top < top };
                    """)
                #expect(abs(pushed["gap"]?.number ?? 99) < 1 && pushed["above"]?.bool == true, "\(pushed)")
                try await browser.run("probe.scroller.scrollTop += 60;")
                try await browser.until("\(title) === '\(next)'", "the next title in its place")
            }
        }
    }
}
