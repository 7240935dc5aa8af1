import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("The viewer shows one picture at a time, in full size")
    struct Viewer {
        func opened(_ browser: Browser, at item: Int) async throws {
            try await browser.until("viewerProbe.isAt(\(item), '\((item + 1).grouped)')", "picture \(item)")
        }

        @Test("a picture opens from its cell or its address, keys step, and Back or Escape return to the same place")
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
                #expect(try await browser.run("return viewerProbe.find('h2').textContent;").string?.isEmpty == false)

                // The viewer loads the neighbours in advance.
                try await browser.until(
                    "viewerProbe.hasLoaded([\(item - 1), \(item + 1), \(item + 2)])", "the neighbours")
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
                try await browser.until("!viewerProbe.isOpen()", "closed by Back")
                try await browser.until("probe.focused() === 1", "the focus on the picture last seen")

                // If no other picture was opened, the place is the same to the pixel.
                try await browser.run("probe.scroller.scrollTop = \(place.number ?? 0);")
                try await browser.until("probe.items().includes(\(item)) && probe.filled()", "further down again")
                try await browser.run("probe.cell(\(item)).click();")
                try await opened(browser, at: item)
                try await browser.press(Key.escape)
                try await browser.until("!viewerProbe.isOpen()", "closed by Escape")
                #expect(try await browser.run("return probe.scroller.scrollTop;") == place)
                try await browser.until("probe.focused() === \(item)", "the focus on its cell")

                // The address opens the picture, too, and Escape then leads to the gallery around it.
                try await browser.open(demo.address + "?item=\(item)&view=\(item + 3)")
                try await opened(browser, at: item + 3)
                try await browser.press(Key.escape)
                try await browser.until(
                    "!viewerProbe.isOpen() && !location.search.includes('view') && probe.items().includes(\(item + 3))",
                    "the gallery around it")
            }
        }

        @Test("the focus stays in the viewer while it is open")
        func focusTrap() async throws {
            try await withWarmPage(path: "?view=5") { browser in
                try await opened(browser, at: 5)
                var inside: Set<String> = []
                for _ in 0..<14 {
                    try await browser.press(Key.tab)
                    let place = try await browser.run("return viewerProbe.focus();")
                    inside.insert(place.string ?? "")
                }
                #expect(!inside.contains("outside"))
                #expect(inside.isSuperset(of: ["Slideshow", "Zoom to 1:1", "Download", "Close", "Next picture"]))
                // At the last picture the button "next" is disabled, and the keys still work.
                try await browser.run("viewerProbe.part('next').focus();")
                try await browser.press(Key.end)
                try await opened(browser, at: 19_999)
                try await browser.press(Key.left)
                try await opened(browser, at: 19_998)
            }
        }

        @Test("a key zooms to one pixel for one pixel, and a pointer and keys move the zoomed picture")
        func zoom() async throws {
            // The window is smaller than the pictures.
            try await withWarmPage(path: "?view=5", width: 640, height: 520) { browser in
                try await opened(browser, at: 5)
                let fitted = try await browser.run("return viewerProbe.image();")
                try await browser.press("z")
                try await browser.until("viewerProbe.isFullSize()", "one pixel for one")
                let large = try await browser.run("return viewerProbe.image();")
                #expect((large["width"]?.number ?? 0) > (fitted["width"]?.number ?? .infinity))
                try await browser.drag([(300, 260), (290, 240), (280, 220)])
                try await browser.until(
                    "Math.abs(\(large["y"]?.number ?? 0) - viewerProbe.image().y - 40) < 0.5", "moved by hand")
                let dragged = try await browser.run("return viewerProbe.image();")
                try await browser.press(Key.up)
                try await browser.until("viewerProbe.image().y > \(dragged["y"]?.number ?? 0)", "moved by key")
                try await browser.press(Key.left)
                #expect(try await browser.run("return location.search.includes('view=5');").bool == true)
                try await browser.press("z")
                try await browser.until("viewerProbe.image().width === \(fitted["width"]?.number ?? 0)", "fitted again")
            }
        }

        @Test("the wheel and a touchpad pinch zoom at the pointer, and a double click zooms in or out")
        func mouse() async throws {
            try await withWarmPage(path: "?view=5", width: 640, height: 520) { browser in
                try await opened(browser, at: 5)
                let before = try await browser.run("return viewerProbe.share(360);").number ?? -1
                try await browser.wheel(by: -300, x: 360, y: 260)
                try await browser.until("viewerProbe.isZoomed(true)", "larger by the wheel")
                let after = try await browser.run("return viewerProbe.share(360);").number ?? 9
                #expect(abs(after - before) < 0.01)
                try await browser.wheel(by: 900, x: 360, y: 260)
                try await browser.until("viewerProbe.isZoomed(false)", "fitted by the wheel")
                #expect(try await browser.run("return viewerProbe.pinch();") == true)
                try await browser.press("z")
                for isLarge in [true, false] {
                    try await browser.doubleTap(x: 320, y: 280, with: "mouse")
                    try await browser.until("viewerProbe.isZoomed(\(isLarge))", "a double click, larger: \(isLarge)")
                }
                #expect(try await browser.run("return viewerProbe.isOpen();") == true)
            }
        }

        @Test("a tap hides or shows the controls, and a double tap zooms in at its place and out again")
        func taps() async throws {
            try await withPhone { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.cell(6).click();")
                try await opened(browser, at: 6)
                let opacity = "getComputedStyle(viewerProbe.find('header')).opacity"
                for expected in ["0", "1"] {
                    try await browser.tap(x: 195, y: 400)
                    try await browser.until("\(opacity) === '\(expected)'", "controls of opacity \(expected)")
                }
                try await browser.tap(x: 195, y: 400)
                try await browser.until("\(opacity) === '0'", "no controls")
                try await browser.press(Key.tab)
                try await browser.until("\(opacity) === '1'", "the controls for the keyboard")

                let before = try await browser.run("return viewerProbe.share(230);").number ?? -1
                try await browser.doubleTap(x: 230, y: 400)
                try await browser.until("viewerProbe.isZoomed(true)", "larger")
                let after = try await browser.run("return viewerProbe.share(230);").number ?? 9
                #expect(abs(after - before) < 0.01)
                let left = try await browser.run("return viewerProbe.image().x;").number ?? 0
                try await browser.drag([(200, 400), (210, 400), (220, 400), (230, 400)], with: "touch")
                try await browser.until("Math.abs(viewerProbe.image().x - \(left) - 30) < 1", "moved by a finger")
                try await browser.doubleTap(x: 230, y: 400)
                try await browser.until("viewerProbe.isZoomed(false)", "fitted again")
                #expect(try await browser.run("return \(opacity) + location.search.includes('view=6');") == "1true")
            }
        }

        @Test("a slideshow advances by itself until it is stopped")
        func slideshow() async throws {
            try await withWarmPage(path: "?view=5") { browser in
                try await opened(browser, at: 5)
                try await browser.hurry()
                try await browser.press("s")
                // One script for both pictures: the show does not wait for the test.
                try await browser.wait("await viewerProbe.showsInTurn('6', '7');")
                try await browser.press("s")
                try await browser.until(
                    "viewerProbe.part('play').getAttribute('aria-pressed') === 'false'", "the end of the show")
            }
        }

        @Test(
            "a finger swipes to the next picture, two fingers zoom, and a pull down closes the viewer",
            .whereEnginesDiffer)
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
                try await browser.until("viewerProbe.isZoomed(true)", "larger")
                try await browser.pinch(
                    (0...6).map { (90 + Double($0) * 15, 400) }, (0...6).map { (300 - Double($0) * 15, 400) })
                try await browser.until("viewerProbe.isZoomed(false)", "fitted again")
                try await browser.drag((0...6).map { (195, 300 + Double($0) * 30) }, with: "touch")
                try await browser.until("!viewerProbe.isOpen()", "closed")
            }
        }

        @Test("the download button saves the original file")
        func original() async throws {
            try await withPage(path: "?view=5") { browser, demo in
                try await opened(browser, at: 5)
                let link = try await browser.run(
                    "const link = viewerProbe.part('original'); return { path: new URL(link.href).pathname, saves: link.hasAttribute('download') };"
                )
                #expect(link["saves"]?.bool == true)
                let file = try await TestClient.exchange("GET", port: demo.port, path: link["path"]?.string ?? "")
                #expect(file.status == 200)
                #expect(file.header("content-disposition")?.hasPrefix("attachment") == true)
                let shown = try await browser.run("return viewerProbe.facts;")
                let width = try await browser.wait(
                    "const image = new Image(); image.src = args[0]; await image.decode(); return image.naturalWidth;",
                    [link["path"] ?? .null])
                #expect(shown.string?.contains("· \(width.integer ?? -1)\u{a0}×") == true, "\(shown) and \(width)")
            }
        }

        @Test("the viewer says that a picture cannot be loaded, and loads it on retry")
        func failure() async throws {
            try await withOriginGone { browser, server, origin in
                try await browser.open(server.address + "?view=7")
                try await browser.until("viewerProbe.isOpen() && !viewerProbe.part('problem').hidden", "the message")
                try await browser.hurry()
                try await origin.restart()
                // The server retries a host that was away after a while. A person can retry sooner.
                try await browser.until(
                    "(viewerProbe.retry(), viewerProbe.isShown() && viewerProbe.part('problem').hidden)", "the picture")
            }
        }
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
