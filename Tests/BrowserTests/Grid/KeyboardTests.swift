import Foundation
import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("By keyboard alone")
    struct Keyboard {
        private static let focused = "Number(document.activeElement?.dataset?.item ?? -1)"

        @Test(
            "arrows follow the geometry, Home and End the row, with Ctrl the whole gallery; the focus is never lost",
            .whereEnginesDiffer)
        func arrows() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                let columns = try await columns(browser)
                try await enter(browser)
                try await browser.press(Key.right, Key.right, Key.down)
                try await browser.until("\(Self.focused) === \(2 + columns)", "right, right, down")
                try await browser.press(Key.home)
                try await browser.until("\(Self.focused) === \(columns)", "the beginning of the row")
                try await browser.press(Key.end)
                try await browser.until("\(Self.focused) === \(2 * columns - 1)", "the end of the row")
                try await browser.press(Key.pageDown)
                try await browser.until(
                    "\(Self.focused) > \(3 * columns) && \(Self.focused) % \(columns) === \(columns - 1)",
                    "some rows down, in the same column")
                try await browser.press(Key.pageUp)
                try await browser.until("\(Self.focused) === \(2 * columns - 1)", "as many rows up")
                try await browser.press(Key.end, holding: Key.control)
                try await browser.until("\(Self.focused) === 19999 && probe.filled()", "the last item")
                try await browser.press(Key.home, holding: Key.control)
                try await browser.until("\(Self.focused) === 0 && probe.filled()", "the first item")
                for _ in 0..<40 { try await browser.press(Key.down) }
                try await browser.until("\(Self.focused) === \(40 * columns)", "forty rows down")
                #expect(
                    try await browser.run("return document.querySelectorAll('#scroller [tabindex=\"0\"]').length;")
                        .integer
                        == 1)
                #expect(
                    try await browser.run(
                        """
                        const rows = [...document.querySelectorAll('.row:not([hidden])')].map((row) => Number(row.getAttribute('aria-rowindex')));
                        return rows.every((row, index) => index === 0 || row > rows[index - 1]);
                        """
                    ).bool == true, "rows are out of order in the document")
                try await browser.wheel(by: 4000, turns: 3)
                try await browser.until("!probe.items().includes(\(40 * columns))", "scrolled away")
                // All of the wheel's way, or what is left of it would lead away again.
                try await browser.wait("await probe.calm();")
                #expect(try await browser.run("return document.activeElement === document.body;").bool == false)
                try await browser.press(Key.right)
                try await browser.until("\(Self.focused) === \(40 * columns + 1)", "back at the focus")
            }
        }

        @Test(
            "right after loading, paging keys, Space, arrows, Home and End scroll, whatever has the focus but a field",
            .whereEnginesDiffer)
        func scrolling() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                let page = try await browser.run("return probe.scroller.clientHeight;").number ?? 0
                func scrolls(_ key: String, to condition: String, _ why: String) async throws {
                    try await browser.press(key)
                    try await browser.until(condition, why)
                    try await browser.wait("await probe.calm();")
                }
                try await scrolls(Key.pageDown, to: "probe.scroller.scrollTop > \(page / 2)", "a page down")
                try await scrolls(" ", to: "probe.scroller.scrollTop > \(page * 1.4)", "a page more by Space")
                try await scrolls(Key.pageUp, to: "probe.scroller.scrollTop < \(page * 1.1)", "a page up")
                let top = try await browser.run("return probe.scroller.scrollTop;").number ?? 0
                try await scrolls(Key.down, to: "probe.scroller.scrollTop > \(top)", "a line down")
                try await scrolls(
                    Key.end,
                    to: "probe.scroller.scrollTop + probe.scroller.clientHeight >= probe.scroller.scrollHeight - 1",
                    "the end")
                try await browser.run("document.getElementById('dashboard-toggle').focus();")
                try await scrolls(Key.home, to: "probe.scroller.scrollTop === 0", "the beginning, from a button")
                try await scrolls(Key.pageDown, to: "probe.scroller.scrollTop > \(page / 2)", "a page, from a button")
                try await browser.run("document.getElementById('density').focus();")
                let place = "return location.search.match(/item=\\d+/)?.[0] ?? '';"
                let before = try await browser.run(place)
                try await browser.press(Key.right)
                try await browser.until("location.search.includes('size=')", "the slider keeps its keys")
                #expect(try await browser.run(place) == before)
            }
        }

        @Test("a key moves the gallery as far as it moves any page, and leaves the focus", .inEveryBrowser)
        func distances() async throws {
            try await compare { browser in
                for key in [Key.pageDown, Key.down, Key.pageDown, Key.up, Key.pageUp] {
                    try await browser.press(key)
                    try await browser.wait(Self.rest)
                }
            }
        }

        @Test(
            "keys pressed again before they have had their way, or held, move it as far as any page, too",
            .enabled(if: Weekly.isOn, "runs weekly"), .inEveryBrowser)
        func held() async throws {
            try await compare { browser in
                try await browser.press(Key.down, Key.down, Key.down, Key.up)
                try await browser.wait(Self.rest)
                try await browser.hold(Key.down, times: 30)
                try await browser.wait(Self.rest)
                try await browser.press(Key.pageDown, Key.pageDown, Key.pageUp)
                try await browser.wait(Self.rest)
            }
        }

        private static let rest = "await probe.calm(document.getElementById('plain') ?? probe.scroller);"

        /// Does the same with the gallery and with a plain page of its size, and compares how far they have gone.
        private func compare(_ presses: (Browser) async throws -> Void) async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                let tops = "return [probe.scroller.scrollTop, document.getElementById('plain')?.scrollTop ?? 0];"
                func way() async throws -> [Double] {
                    try await presses(browser)
                    return (try await browser.run(tops).array ?? []).compactMap(\.number)
                }
                try await browser.run("document.getElementById('dashboard-toggle').focus();")
                let ours = try await way()
                try await browser.until("document.activeElement.id === 'dashboard-toggle'", "the focus is back")
                try await browser.run(
                    """
                    const plain = document.createElement('div');
                    const { scrollPaddingTop } = getComputedStyle(probe.scroller);
                    Object.assign(plain, { id: 'plain', tabIndex: -1 });
                    plain.append(document.createElement('div'));
                    plain.firstChild.style.height = '100000px';
                    plain.addEventListener('keydown', (event) => event.stopPropagation());
                    Object.assign(plain.style, {
                      position: 'absolute', inset: '0 0 auto', zIndex: 10, overflow: 'hidden scroll', scrollPaddingTop,
                      height: `${probe.scroller.clientHeight}px`,
                    });
                    probe.scroller.parentElement.append(plain);
                    plain.focus();
                    """)
                let plain = try await way()
                #expect(plain[0] == ours[0], "the plain page's keys move nothing but it")
                #expect(abs(plain[1] - ours[0]) <= 2, "\(ours[0]) px here, \(plain[1]) px there")
                #expect(plain[1] > 500)
            }
        }

        @Test(
            "Enter opens the viewer, arrows turn its pages, Escape returns to exactly the same place",
            .inEveryBrowser)
        func viewer() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await enter(browser)
                for _ in 0..<20 { try await browser.press(Key.down) }
                let item = 20 * (try await columns(browser))
                try await browser.until("\(Self.focused) === \(item) && probe.filled()", "twenty rows down")
                let place = try await browser.run("return probe.scroller.scrollTop;")
                try await browser.press(Key.enter)
                try await browser.until(
                    "document.getElementById('viewer').open && location.search.includes('view=\(item)')", "the viewer")
                try await browser.until(
                    "document.querySelector('#viewer img').naturalWidth > 0 && !document.querySelector('#viewer [data-loading]')",
                    "its picture")
                try await browser.press(Key.tab, Key.tab, Key.tab, Key.tab, Key.tab, Key.tab, Key.tab, Key.tab)
                #expect(
                    try await browser.run(
                        "return document.activeElement === document.body || document.getElementById('viewer').contains(document.activeElement);"
                    ).bool == true)
                try await browser.press(Key.left)
                try await browser.until("location.search.includes('view=\(item - 1)')", "the picture before")
                try await browser.press(Key.escape)
                try await browser.until("!document.getElementById('viewer').open", "closed")
                #expect(try await browser.run("return probe.scroller.scrollTop;") == place)
                try await browser.until("\(Self.focused) === \(item - 1)", "focus on the picture last seen")
            }
        }

        @Test(
            "whatever the focus is on shows it, from the first link to the last button", .whereEnginesDiffer)
        func visibleFocus() async throws {
            try await withWarmPage(path: "?dashboard") { browser in
                try await browser.until("probe.filled()", "first pictures")
                var seen: Set<String> = []
                for _ in 0..<60 {
                    try await browser.press(Key.tab)
                    let place = try await browser.run(
                        """
                        const element = document.activeElement;
                        if (element === document.body) return { name: 'browser', shows: true }; // its own buttons come in between
                        const rings = [element, element.closest('label')].filter(Boolean).map((e) => getComputedStyle(e));
                        if (element.matches('.cell')) rings.push(getComputedStyle(element, '::after'));
                        return {
                          name: element.outerHTML.slice(0, 160),
                          shows: rings.some((ring) => (ring.outlineStyle !== 'none' && parseFloat(ring.outlineWidth) >= 1) || ring.boxShadow !== 'none'),
                        };
                        """)
                    let name = place["name"]?.string ?? ""
                    if seen.contains(name) { break }
                    seen.insert(name)
                    #expect(place["shows"] == true, "\(name)")
                }
                #expect(seen.count > 15, "\(seen)")
            }
        }

        @Test(
            "two rings lie above a focused picture, and one of them has 3:1 on it, in light and in dark",
            .whereEnginesDiffer)
        func rings() async throws {
            for scheme in ["light", "dark"] {
                try await withWarmPage { browser in
                    try await browser.emulate(.colorScheme(scheme))
                    try await browser.until("probe.filled()", "first pictures")
                    try await enter(browser)
                    try await browser.press(Key.right)
                    try await browser.until("\(Self.focused) === 1", "the second picture")
                    // Of Chromium without loss, as Firefox takes it: single pixels are read.
                    let picture =
                        browser.engine == .chromium
                        ? try await browser.devtools("Page.captureScreenshot", ["format": "png"])["data"]?.string ?? ""
                        : try await browser.screenshot().base64EncodedString()
                    let found = try await browser.wait(Self.ringsSeen, [.string(picture)])
                    #expect(found["covered"] == 0, "\(scheme): \(found)")
                    #expect((found["worst"]?.number ?? 0) >= 3, "\(scheme): \(found)")
                }
            }
        }

        /// Pixels along the focused cell's left side that lack a ring's colour, and the better ring's contrast on the
        /// gray that suits both rings worst.
        private static let ringsSeen = """
            const bytes = Uint8Array.from(atob(args[0]), (character) => character.charCodeAt(0));
            const bitmap = await createImageBitmap(new Blob([bytes]));
            const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
            context.drawImage(bitmap, 0, 0);
            const scale = bitmap.width / innerWidth;
            const box = document.activeElement.getBoundingClientRect();
            const pixel = (x, y) => [...context.getImageData(Math.floor(x * scale), Math.floor(y * scale), 1, 1).data].slice(0, 3);
            const style = getComputedStyle(document.activeElement, '::after');
            const rings = [[1.5, style.borderLeftColor], [4, style.outlineColor]].map(([depth, colour]) => [depth, colour.match(/[\\d.]+/g).map(Number)]);
            let covered = 0;
            for (let y = box.top + 32; y < box.bottom - 20; y += 4) {
              for (const [depth, colour] of rings) {
                if (pixel(box.left + depth, y).some((value, i) => Math.abs(value - colour[i]) > 4)) covered += 1;
              }
            }
            const light = (colour) => {
              const [r, g, b] = colour.map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
              return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            };
            const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            const lights = rings.map(([, colour]) => light(colour));
            let worst = Infinity;
            for (let gray = 0; gray <= 1; gray += 0.005) worst = Math.min(worst, Math.max(...lights.map((one) => contrast(one, gray))));
            return { covered, worst, colours: rings.map(([, colour]) => colour.join()) };
            """

        private func columns(_ browser: Browser) async throws -> Int {
            try await browser.run("return Number(document.getElementById('grid').getAttribute('aria-colcount'));")
                .integer ?? 0
        }

        /// Gets to the grid as a person does: Tab, the first link, Enter.
        private func enter(_ browser: Browser) async throws {
            try await browser.press(Key.tab)
            try await browser.until("document.activeElement.id === 'skip'", "the link to the pictures")
            try await browser.press(Key.enter)
            try await browser.until("\(Self.focused) === 0", "the first cell")
        }
    }
}
