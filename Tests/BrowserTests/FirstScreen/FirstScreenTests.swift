import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("First screen")
    struct FirstScreen {
        /// Expression that loads the parts that the page loads last.
        static let complete = "gridProbe.loadAll()"

        @Test("the page requests one session, before its own code, and uses it", .inEveryBrowser)
        func askedFirst() async throws {
            try await withPage { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                let order = try await browser.run("return gridProbe.areSessionsFirst();")
                #expect(order == [true])
                #expect(try await browser.wait("return await gridProbe.openSessions();") == 1)
            }
        }

        @Test("a second visit loads no script and no stylesheet", .inEveryBrowser)
        func cameAgain() async throws {
            try await withPage { browser, demo in
                try await browser.until("probe.filled() && \(Self.complete)", "all of the page")
                try await browser.open(demo.address + "api/v1/galleries")
                try await browser.open(demo.address)
                try await browser.until("probe.filled() && \(Self.complete)", "all of the page again")
                let files = try await browser.run("return gridProbe.transferredFiles();")
                #expect(files == [true, []])
            }
        }

        @Test(
            "a reload and Back leave one session open and return to the same place in a layout from the server",
            .whereEnginesDiffer)
        func returned() async throws {
            try await withPage(path: "?layout=justified") { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 40000;")
                try await browser.until(
                    "location.search.includes('item-id=') && probe.filled()", "the place in the address")
                let top = try await browser.run("return probe.scroller.scrollTop;").number ?? 0
                let address = try await browser.run("return location.href;").string ?? ""
                try await browser.reload()
                try await browser.until(
                    "Math.abs(probe.scroller.scrollTop - \(top)) < 1 && probe.filled()", "the place")
                // A single request means that the server's session began at this place.
                #expect(try await browser.run("return gridProbe.sessionRequests().length;") == 1)
                try await browser.until(Self.sessions(1), "one session")
                try await browser.open(demo.address + "?layout=grid")
                try await browser.until("probe.filled()", "another page")
                try await browser.goBack()
                try await browser.until("location.href === '\(address)'", "the first page's address")
                try await browser.until(
                    "Math.abs(probe.scroller.scrollTop - \(top)) < 1 && probe.filled()", "the place")
                try await browser.until(Self.sessions(1), "one session")
            }
        }

        // The following tests need Chromium, whose DevTools run a script before the page's own and block addresses.
        @Test("the page closes an early session that does not match its request, and requests another")
        func discarded() async throws {
            let demo = try await Demo(items: 2000)
            defer { demo.stop() }
            try await withBrowser { browser in
                // Each read of the visitor's name returns another one.
                try await browser.devtools(
                    "Page.addScriptToEvaluateOnNewDocument",
                    ["source": "let looks = 0; Storage.prototype.getItem = () => `visitor ${looks++}`;"])
                try await browser.open(demo.address)
                try await browser.until("probe.filled()", "first pictures")
                #expect(try await browser.run("return gridProbe.sessionRequests().length;") == 2)
                try await browser.until(Self.sessions(1), "one session")
            }
        }

        @Test("a page that closes before its code has loaded closes its session")
        func left() async throws {
            let demo = try await Demo(items: 2000)
            defer { demo.stop() }
            try await withBrowser { browser in
                try await browser.devtools("Network.enable")
                try await browser.devtools("Network.setBlockedURLs", ["urls": ["*/js/main.js"]])
                try await browser.open(demo.address)
                try await browser.until(Self.sessions(1), "the early session")
                try await browser.open(demo.address + "css/theme.css")
                try await browser.until(Self.sessions(0), "no session")
            }
        }

        @Test("the first screen appears without the rest of the page's code")
        func drawnFirst() async throws {
            let demo = try await Demo(items: 2000)
            defer { demo.stop() }
            try await withBrowser { browser in
                try await browser.devtools("Network.enable")
                try await browser.devtools("Network.setBlockedURLs", ["urls": ["*/js/main.js"]])
                try await browser.open(demo.address)
                try await browser.until(
                    "probe.visible().length > 20 && probe.visible().every((cell) => probe.number(cell) === Number(cell.dataset.item))",
                    "the first screen")
            }
        }

        @Test(
            "the section title and the scrubber appear with the first cells and do not change afterwards",
            arguments: [1280, 390])
        func framed(width: Int) async throws {
            let demo = try await Demo(items: 20_000)
            defer { demo.stop() }
            try await withBrowser(width: max(width, 500)) { browser in
                if width < 500 {
                    try await browser.emulate(.device(width: width, height: 760, scale: 2, touch: true))
                }
                try await browser.devtools(
                    "Page.addScriptToEvaluateOnNewDocument", ["source": .string(Self.frame)])
                try await browser.open(demo.address)
                try await browser.until("probe.filled() && \(Self.complete)", "all of the page")
                try await browser.wait("await probe.frame(); await probe.frame();")
                let frames = try await browser.run("return framed;")
                #expect(frames.array?.count == 1, "\(frames)")
                let first = frames.array?.first
                #expect(first?["titles"]?.array?.first?.array?.first == "Lisbon, October 20251,000")
                #expect(first?["isScrubberShown"] == true)
                // A wide window has room for the labels beside the pictures.
                #expect(first?["labels"]?.array?.count ?? 0 >= (width > 900 ? 12 : 0))
            }
        }

        /// Script that notes in each frame what surrounds the pictures.
        private static let frame = "{ \(Probe.script("gridProbe.watchFrame();")) }"

        @Test("the page takes over the first screen without removing a picture or moving a cell")
        func takenOver() async throws {
            let demo = try await Demo(items: 2000)
            defer { demo.stop() }
            try await withBrowser { browser in
                try await browser.devtools("Page.addScriptToEvaluateOnNewDocument", ["source": .string(Self.watch)])
                // The rest of the code must not run before the test has seen the first screen.
                try await browser.devtools("Network.enable")
                try await browser.devtools("Network.setBlockedURLs", ["urls": ["*/js/main.js"]])
                try await browser.open(demo.address)
                try await browser.until(
                    "probe.visible().length > 20 && seen.cells.size >= probe.visible().length && probe.visible().every((cell) => seen.cells.get(cell.dataset.item)?.isShown)",
                    "the first screen, drawn before")
                try await browser.devtools("Network.setBlockedURLs", ["urls": []])
                // At another address, because the browser remembers that the first one failed.
                try await browser.wait("await gridProbe.load(new URL('main.js?now', gridProbe.boot()).href);")
                try await browser.until("probe.filled()", "the page with the same pictures")
                try await browser.wait("await probe.frame(); await probe.frame();")
                #expect(try await browser.run("return [seen.went, seen.moved];") == [[], []])
            }
        }

        /// Script that notes the cells drawn before the page connects, and later changes of these cells.
        private static let watch = "{ \(Probe.script("gridProbe.watchCells();")) }"

        /// Returns the condition that the server has as many sessions open as `count`.
        private static func sessions(_ count: Int) -> String {
            "gridProbe.openSessions().then((open) => open === \(count))"
        }
    }
}
