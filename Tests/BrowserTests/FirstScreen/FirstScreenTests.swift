import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("The first screen")
    struct FirstScreen {
        /// Once the parts that are loaded last have come, each with all that it needs.
        static let complete = """
            Promise.all(
              ['print/print', 'galleries/switcher', 'scroll/hints', 'arrange/arranging', 'select/selection', 'sharing/scroll-sharing', 'viewer/viewer', 'dashboard/dashboard', 'story/first-visit']
                .map((part) => import(new URL(`${part}.js`, document.querySelector('script[src*="/js/boot.js"]').src)))
            )
            """

        private static let asked =
            "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/api/v1/sessions'))"

        @Test(
            "the session is asked for before the code of the page is, once, and is the one the page shows",
            .inEveryBrowser)
        func askedFirst() async throws {
            try await withPage { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                let order = try await browser.run(
                    """
                    const main = performance.getEntriesByType('resource').find(({ name }) => name.endsWith('/js/main.js'));
                    return \(Self.asked).map(({ startTime }) => startTime <= main.startTime);
                    """)
                #expect(order == [true])
                #expect(try await Self.sessions(browser) == 1)
            }
        }

        @Test("a second visit loads no script and no stylesheet", .inEveryBrowser)
        func cameAgain() async throws {
            try await withPage { browser, demo in
                try await browser.until("probe.filled() && \(Self.complete)", "all of the page")
                try await browser.open(demo.address + "api/v1/galleries")
                try await browser.open(demo.address)
                try await browser.until("probe.filled() && \(Self.complete)", "all of the page again")
                let files = try await browser.run(
                    """
                    const files = performance.getEntriesByType('resource').filter(({ name }) => /\\.(js|css)$/.test(name));
                    return [files.length > 40, files.filter(({ transferSize }) => transferSize > 0).map(({ name }) => name)];
                    """)
                #expect(files == [true, []])
            }
        }

        @Test(
            "a reload and Back leave no session behind, and return to the item, in a layout of the server's too",
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
                // The server began there, not at the beginning.
                #expect(try await browser.run("return \(Self.asked).length;") == 1)
                try await browser.until("(await \(Self.open)) === 1".asProbe, "one session")
                try await browser.open(demo.address + "?layout=grid")
                try await browser.until("probe.filled()", "another page")
                try await browser.goBack()
                try await browser.until("location.href === '\(address)'", "the first page's address")
                try await browser.until(
                    "Math.abs(probe.scroller.scrollTop - \(top)) < 1 && probe.filled()", "the place")
                try await browser.until("(await \(Self.open)) === 1".asProbe, "one session")
            }
        }

        // From here on Chromium alone: its DevTools run a script before the page's first line, and block an address.
        @Test("an early session that is not what the page asks for is given back, and the page asks by itself")
        func discarded() async throws {
            let demo = try await Demo(items: 2000)
            defer { demo.stop() }
            try await withBrowser { browser in
                // Each look at the person's name finds another one.
                try await browser.devtools(
                    "Page.addScriptToEvaluateOnNewDocument",
                    ["source": "let looks = 0; Storage.prototype.getItem = () => `visitor ${looks++}`;"])
                try await browser.open(demo.address)
                try await browser.until("probe.filled()", "first pictures")
                #expect(try await browser.run("return \(Self.asked).length;") == 2)
                try await browser.until("(await \(Self.open)) === 1".asProbe, "one session")
            }
        }

        @Test("a page that is left before its code has come gives its session back")
        func left() async throws {
            let demo = try await Demo(items: 2000)
            defer { demo.stop() }
            try await withBrowser { browser in
                try await browser.devtools("Network.enable")
                try await browser.devtools("Network.setBlockedURLs", ["urls": ["*/js/main.js"]])
                try await browser.open(demo.address)
                try await browser.until("(await \(Self.open)) === 1".asProbe, "the early session")
                try await browser.open(demo.address + "css/theme.css")
                try await browser.until("(await \(Self.open)) === 0".asProbe, "no session")
            }
        }

        @Test("the first screen is drawn without the rest of the page's code")
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
            "with the first cells come the title of their section and the scrubber, which then stay as they are",
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
                // Titles stand beside the pictures where there is room for them.
                #expect(first?["labels"]?.array?.count ?? 0 >= (width > 900 ? 12 : 0))
            }
        }

        /// Writes down what is around the pictures in each frame from the first with cells on, where it is not as before.
        private static let frame = """
            window.framed = [];
            const look = () => {
              const shown = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
              const placed = (element) => {
                const { x, y, width } = element.getBoundingClientRect();
                return [element.textContent, Math.round(x), Math.round(y), Math.round(width)];
              };
              const now = {
                titles: shown('#headers h2').map(placed), isScrubberShown: shown('#scrubber').length === 1,
                labels: shown('#scrubber :is([data-part=labels] span, [data-part=current], [data-part=here])').map(placed),
              };
              const isAnother = JSON.stringify(now) !== JSON.stringify(framed.at(-1));
              if (shown('#grid .row:not([hidden]) .cell:not([hidden])').length && isAnother) framed.push(now);
              requestAnimationFrame(look);
            };
            requestAnimationFrame(look);
            """

        @Test("the page goes on with the first screen as it is drawn: no picture goes, no cell moves")
        func takenOver() async throws {
            let demo = try await Demo(items: 2000)
            defer { demo.stop() }
            try await withBrowser { browser in
                try await browser.devtools("Page.addScriptToEvaluateOnNewDocument", ["source": .string(Self.watch)])
                // The rest of the code waits for the first screen to be seen.
                try await browser.devtools("Network.enable")
                try await browser.devtools("Network.setBlockedURLs", ["urls": ["*/js/main.js"]])
                try await browser.open(demo.address)
                try await browser.until(
                    "probe.visible().length > 20 && seen.cells.size >= probe.visible().length && probe.visible().every((cell) => seen.cells.get(cell.dataset.item)?.isShown)",
                    "the first screen, drawn before")
                try await browser.devtools("Network.setBlockedURLs", ["urls": []])
                // By another name: the browser remembers that the first one could not be had.
                try await browser.wait(
                    "await import(new URL('main.js?now', document.querySelector('script[src*=\"/js/boot.js\"]').src));")
                try await browser.until("probe.filled()", "the page with the same pictures")
                try await browser.wait("await probe.frame(); await probe.frame();")
                #expect(try await browser.run("return [seen.went, seen.moved];") == [[], []])
            }
        }

        /// Writes down which cells stood before the page was there, whose picture was taken away, and which were moved.
        private static let watch = """
            window.seen = { cells: new Map(), went: [], moved: [] };
            const look = () => {
              for (const cell of document.querySelectorAll('#grid .row:not([hidden]) .cell:not([hidden])')) {
                const item = cell.dataset.item;
                const { left, top } = cell.getBoundingClientRect();
                const before = seen.cells.get(item);
                const isShown = Boolean(cell.querySelector('img')?.naturalWidth);
                if (before && (before.left !== left || before.top !== top)) seen.moved.push(item);
                if (before?.isShown && !isShown) seen.went.push(item);
                if (before || !document.documentElement.dataset.connection) seen.cells.set(item, { left, top, isShown });
              }
              requestAnimationFrame(look);
            };
            requestAnimationFrame(look);
            """

        private static let open =
            "(async () => (await probe.get('/api/v1/stats')).sessions[0].value)()"

        private static func sessions(_ browser: Browser) async throws -> Int {
            try await browser.wait("return await \(open);").integer ?? -1
        }
    }
}

extension String {
    /// An expression that awaits, as a condition of the probe.
    fileprivate var asProbe: String { "(async () => \(self))()" }
}
