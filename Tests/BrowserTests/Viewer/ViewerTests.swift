import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("The viewer")
    struct Viewer {
        static let shown = """
            document.getElementById('viewer').open && !document.querySelector('#viewer [data-loading]')
              && document.querySelector('#viewer img').naturalWidth > 0
            """

        func opened(_ browser: Browser, at item: Int) async throws {
            try await browser.until(
                """
                location.search.includes('view=\(item)') && \(Self.shown)
                  && document.querySelector('#viewer [data-part="facts"]').textContent.startsWith('\((item + 1).grouped) of')
                """, "picture \(item)")
        }

        @Test("it opens from its cell, has an address, turns pages by keys, and Back returns to exactly the same place")
        func keys() async throws {
            try await withPage { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 4321;")
                try await browser.until("probe.items()[0] > 50 && probe.filled()", "further down")
                try await browser.wait("await probe.calm();")
                let place = try await browser.run("return probe.scroller.scrollTop;")
                let item = try await browser.run("return probe.items()[8];").integer ?? -1
                try await browser.run("probe.cell(\(item)).click();")
                try await opened(browser, at: item)
                #expect(
                    try await browser.run("return document.querySelector('#viewer h2').textContent;").string?.isEmpty
                        == false)

                // Neighbours are loaded before they are asked for.
                try await browser.until(
                    """
                    [\(item - 1), \(item + 1), \(item + 2)].every((item) => performance.getEntriesByType('resource')
                      .some((entry) => entry.name.includes(`/items/${item}/image`)))
                    """, "the neighbours")
                try await browser.press(Key.right)
                try await opened(browser, at: item + 1)
                try await browser.press(Key.left, Key.left)
                try await opened(browser, at: item - 1)
                try await browser.press(Key.end)
                try await opened(browser, at: 19_999)
                try await browser.press(Key.right)
                try await browser.press(Key.home)
                try await opened(browser, at: 0)
                try await browser.press(Key.right)
                try await opened(browser, at: 1)

                try await browser.goBack()
                try await browser.until("!document.getElementById('viewer').open", "closed by Back")
                try await browser.until("probe.focused() === 1", "the focus on the picture last seen")

                // Without turning pages, not a pixel has moved.
                try await browser.run("probe.scroller.scrollTop = \(place.number ?? 0);")
                try await browser.until("probe.items().includes(\(item)) && probe.filled()", "further down again")
                try await browser.run("probe.cell(\(item)).click();")
                try await opened(browser, at: item)
                try await browser.press(Key.escape)
                try await browser.until("!document.getElementById('viewer').open", "closed by Escape")
                #expect(try await browser.run("return probe.scroller.scrollTop;") == place)
                try await browser.until("probe.focused() === \(item)", "the focus on its cell")

                // Its address opens it, too, and Escape then leads to the gallery around it.
                try await browser.open(demo.address + "?item=\(item)&view=\(item + 3)")
                try await opened(browser, at: item + 3)
                try await browser.press(Key.escape)
                try await browser.until(
                    "!document.getElementById('viewer').open && !location.search.includes('view') && probe.items().includes(\(item + 3))",
                    "the gallery around it")
            }
        }

        @Test("the focus stays inside while it is open")
        func focusTrap() async throws {
            try await withWarmPage(path: "?view=5") { browser in
                try await opened(browser, at: 5)
                var inside: Set<String> = []
                for _ in 0..<14 {
                    try await browser.press(Key.tab)
                    let place = try await browser.run(
                        """
                        const element = document.activeElement;
                        if (element === document.body) return 'browser'; // its own buttons come in between
                        return document.getElementById('viewer').contains(element) ? element.getAttribute('aria-label') ?? element.className : 'outside';
                        """)
                    inside.insert(place.string ?? "")
                }
                #expect(!inside.contains("outside"))
                #expect(inside.isSuperset(of: ["Slideshow", "Zoom to 1:1", "Download", "Close", "Next picture"]))
                // At the last picture "next" cannot be pressed, and the keys still work.
                try await browser.run("document.querySelector('#viewer [data-part=\"next\"]').focus();")
                try await browser.press(Key.end)
                try await opened(browser, at: 19_999)
                try await browser.press(Key.left)
                try await opened(browser, at: 19_998)
            }
        }

        @Test("it zooms to one pixel for one pixel, and the picture is moved by hand and by keys")
        func zoom() async throws {
            // A window smaller than the pictures.
            try await withWarmPage(path: "?view=5", width: 640, height: 520) { browser in
                try await opened(browser, at: 5)
                let fitted = try await browser.run("\(Self.box) return box();")
                try await browser.press("z")
                try await browser.until(
                    """
                    (() => {
                      const image = document.querySelector('#viewer img');
                      return Math.abs(image.getBoundingClientRect().width * devicePixelRatio - image.naturalWidth) < 1.5;
                    })()
                    """, "one pixel for one")
                let large = try await browser.run("\(Self.box) return box();")
                #expect((large["width"]?.number ?? 0) > (fitted["width"]?.number ?? .infinity))
                try await browser.drag([(300, 260), (290, 240), (280, 220)])
                try await browser.until(
                    "(() => { \(Self.box) return Math.abs(\(large["y"]?.number ?? 0) - box().y - 40) < 0.5; })()",
                    "moved by hand")
                let dragged = try await browser.run("\(Self.box) return box();")
                try await browser.press(Key.up)
                try await browser.until(
                    "(() => { \(Self.box) return box().y > \(dragged["y"]?.number ?? 0); })()", "moved by key")
                try await browser.press(Key.left)
                #expect(try await browser.run("return location.search.includes('view=5');").bool == true)
                try await browser.press("z")
                try await browser.until(
                    "(() => { \(Self.box) return box().width === \(fitted["width"]?.number ?? 0); })()", "fitted again")
            }
        }

        @Test("the wheel and a pinch on a touchpad zoom at the pointer, a double click zooms in and the next one out")
        func mouse() async throws {
            try await withWarmPage(path: "?view=5", width: 640, height: 520) { browser in
                try await opened(browser, at: 5)
                let place = "(() => { \(Self.box) const { x, width } = box(); return (360 - x) / width; })()"
                let before = try await browser.run("return \(place);").number ?? -1
                try await browser.wheel(by: -300, x: 360, y: 260)
                try await browser.until(Self.isZoomed(true), "larger by the wheel")
                let after = try await browser.run("return \(place);").number ?? 9
                #expect(abs(after - before) < 0.01)
                try await browser.wheel(by: 900, x: 360, y: 260)
                try await browser.until(Self.isZoomed(false), "fitted by the wheel")
                let isPinched = try await browser.run(
                    """
                    const pinch = new WheelEvent('wheel', { deltaY: -20, ctrlKey: true, cancelable: true, clientX: 360, clientY: 260 });
                    document.querySelector('#viewer .frame').dispatchEvent(pinch);
                    return pinch.defaultPrevented && \(Self.isZoomed(true));
                    """)
                #expect(isPinched == true)
                try await browser.press("z")
                for isLarge in [true, false] {
                    try await browser.doubleTap(x: 320, y: 280, with: "mouse")
                    try await browser.until(Self.isZoomed(isLarge), "a double click, larger: \(isLarge)")
                }
                #expect(try await browser.run("return document.getElementById('viewer').open;") == true)
            }
        }

        @Test("a tap hides the controls and the next shows them, a double tap zooms in at its place and out again")
        func taps() async throws {
            try await withPhone { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.cell(6).click();")
                try await opened(browser, at: 6)
                let opacity = "getComputedStyle(document.querySelector('#viewer header')).opacity"
                for expected in ["0", "1"] {
                    try await browser.tap(x: 195, y: 400)
                    try await browser.until("\(opacity) === '\(expected)'", "controls of opacity \(expected)")
                }
                try await browser.tap(x: 195, y: 400)
                try await browser.until("\(opacity) === '0'", "no controls")
                try await browser.press(Key.tab)
                try await browser.until("\(opacity) === '1'", "the controls for the keyboard")

                let place = "(() => { \(Self.box) const { x, width } = box(); return (230 - x) / width; })()"
                let before = try await browser.run("return \(place);").number ?? -1
                try await browser.doubleTap(x: 230, y: 400)
                try await browser.until(Self.isZoomed(true), "larger")
                let after = try await browser.run("return \(place);").number ?? 9
                #expect(abs(after - before) < 0.01)
                let left = try await browser.run("\(Self.box) return box().x;").number ?? 0
                try await browser.drag([(200, 400), (210, 400), (220, 400), (230, 400)], with: "touch")
                try await browser.until(
                    "(() => { \(Self.box) return Math.abs(box().x - \(left) - 30) < 1; })()", "moved by a finger")
                try await browser.doubleTap(x: 230, y: 400)
                try await browser.until(Self.isZoomed(false), "fitted again")
                #expect(try await browser.run("return \(opacity) + location.search.includes('view=6');") == "1true")
            }
        }

        private static func isZoomed(_ isZoomed: Bool) -> String {
            "document.querySelector('#viewer .frame').dataset.zoomed === '\(isZoomed)'"
        }

        @Test("a slideshow goes on by itself, from picture to picture, until it is stopped")
        func slideshow() async throws {
            try await withWarmPage(path: "?view=5") { browser in
                try await opened(browser, at: 5)
                try await browser.hurry()
                try await browser.press("s")
                // All in one: it does not wait for who looks.
                try await browser.wait(
                    """
                    for (const item of ['6', '7']) {
                      await probe.until(() => new URLSearchParams(location.search).get('view') === item && \(Self.shown), `picture ${item}`);
                    }
                    """)
                try await browser.press("s")
                try await browser.until(
                    "document.querySelector('#viewer [data-part=\"play\"]').getAttribute('aria-pressed') === 'false'",
                    "the end of the show")
            }
        }

        @Test(
            "a finger swipes to the next, pinches larger, and pulls it down to close", .whereEnginesDiffer)
        func touch() async throws {
            try await withPhone { browser in
                try await browser.until("probe.filled()", "first pictures")
                let box = try await browser.run("return probe.box(6);")
                try await browser.tap(x: box["x"]?.number ?? 0, y: box["y"]?.number ?? 0)
                try await opened(browser, at: 6)
                try await browser.drag((0...6).map { (300 - Double($0) * 30, 400) }, with: "touch")
                try await opened(browser, at: 7)
                try await browser.drag((0...6).map { (90 + Double($0) * 30, 400) }, with: "touch")
                try await opened(browser, at: 6)
                try await browser.pinch(
                    (0...6).map { (180 - Double($0) * 15, 400) }, (0...6).map { (210 + Double($0) * 15, 400) })
                try await browser.until("document.querySelector('#viewer [data-zoomed=\"true\"]')", "larger")
                try await browser.pinch(
                    (0...6).map { (90 + Double($0) * 15, 400) }, (0...6).map { (300 - Double($0) * 15, 400) })
                try await browser.until("document.querySelector('#viewer [data-zoomed=\"false\"]')", "fitted again")
                try await browser.drag((0...6).map { (195, 300 + Double($0) * 30) }, with: "touch")
                try await browser.until("!document.getElementById('viewer').open", "closed")
            }
        }

        @Test("the original is downloaded as it is")
        func original() async throws {
            try await withPage(path: "?view=5") { browser, demo in
                try await opened(browser, at: 5)
                let link = try await browser.run(
                    """
                    const link = document.querySelector('#viewer [data-part="original"]');
                    return { path: new URL(link.href).pathname, saves: link.hasAttribute('download') };
                    """)
                #expect(link["saves"]?.bool == true)
                let file = try await TestClient.exchange("GET", port: demo.port, path: link["path"]?.string ?? "")
                #expect(file.status == 200)
                #expect(file.header("content-disposition")?.hasPrefix("attachment") == true)
                let shown = try await browser.run(
                    "return document.querySelector('#viewer [data-part=\"facts\"]').textContent;")
                let width = try await browser.wait(
                    "const image = new Image(); image.src = args[0]; await image.decode(); return image.naturalWidth;",
                    [link["path"] ?? .null])
                #expect(shown.string?.contains("· \(width.integer ?? -1)\u{a0}×") == true, "\(shown) and \(width)")
            }
        }

        @Test("a picture that cannot be loaded says so, and comes when asked again")
        func failure() async throws {
            try await withOriginGone { browser, server, origin in
                try await browser.open(server.address + "?view=7")
                try await browser.until(
                    "document.getElementById('viewer').open && !document.querySelector('#viewer .trouble').hidden",
                    "a word")
                try await browser.hurry()
                try await origin.restart()
                // A host that was away is not asked at once: whoever is impatient asks again.
                try await browser.wait(
                    """
                    await probe.until(() => {
                      const retry = document.querySelector('#viewer [data-action="retry"]');
                      if (!retry.closest('[hidden]')) retry.click();
                      return \(Self.shown) && document.querySelector('#viewer .trouble').hidden;
                    }, 'the picture after all');
                    """)
            }
        }

        private static let box = """
            const box = () => { const r = document.querySelector('#viewer img').getBoundingClientRect(); return { x: r.x, y: r.y, width: r.width }; };
            """
    }
}

extension Int {
    /// With commas between thousands, as the page writes numbers.
    fileprivate var grouped: String {
        var digits = String(self)
        var index = digits.count - 3
        while index > 0 {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: index))
            index -= 3
        }
        return digits
    }
}
