import JSON
import TestSupport
import Testing

extension PageTests {
    /// Each with its own words, and each over by itself.
    @Suite("States of trouble")
    struct Trouble {
        private func notice(_ kind: String) -> String {
            "!document.getElementById('notice').hidden && document.getElementById('notice').dataset.kind === '\(kind)'"
        }

        private static let calm =
            "document.getElementById('notice').hidden && document.documentElement.dataset.connection === 'live'"

        @Test(
            "without the token there is a place to put it, in the page's own dress, from the first visit on and when it has changed",
            .inEveryBrowser)
        func token() async throws {
            let folder = try TemporaryFolder()
            let file = try folder.write("token", Array("0123456789abcdef\n".utf8))
            let demo = try await Demo(items: 2000, also: ["--token-file", file])
            defer { demo.stop() }
            try await withBrowser { browser in
                try await browser.open(demo.address)
                try await browser.until(
                    "document.querySelector('input[name=\"token\"]') === document.activeElement", "a form")
                let dress = try await browser.run(Self.dress)
                #expect(
                    try await browser.run(
                        "return [...document.querySelectorAll('input, button')].map((e) => e.offsetHeight);") == [
                            44, 44,
                        ])
                try await type("0123456789abcdeg", in: browser)
                try await browser.until(
                    "document.body?.textContent.includes('token isn’t right')", "that it is not this one")
                try await type("0123456789abcdef", in: browser)
                try await browser.until(
                    "document.documentElement.dataset.connection === 'live' && probe.filled()", "the gallery")
                let readable = try await browser.run("return location.search + document.cookie;")
                #expect(readable == "", "the token can be read: \(readable)")
                #expect(try await browser.run(Self.dress) == dress)
                try await browser.run("probe.scroller.scrollTop = 3000;")
                try await browser.until("location.search.includes('item=') && probe.filled()", "further down")
                let item = try await browser.run("return Number(new URLSearchParams(location.search).get('item'));")

                try await browser.hurry()
                try folder.write("token", Array("fedcba9876543210\n".utf8))
                demo.kill()
                try await demo.restart()
                try await browser.until(notice("token"), "the question")
                try await browser.run("document.querySelector('#notice input').focus();")
                try await type("fedcba9876543210", in: browser)
                try await browser.until(
                    "document.documentElement.dataset.connection === 'live' && probe.filled()", "the gallery")
                try await browser.until("probe.items().includes(\(item.integer ?? -1))", "the same place")
            }
        }

        /// Colours and sizes that both pages have.
        private static let dress = """
            const style = (selector, ...names) => {
              const computed = getComputedStyle(document.querySelector(selector));
              return names.map((name) => computed[name]);
            };
            return [
              ...style(':root', 'color', 'backgroundColor', 'fontSize'), ...style('h1', 'fontSize', 'fontWeight'), ...style('svg', 'fill'),
              ...style('form button, #race-open', 'color', 'backgroundColor', 'borderColor', 'borderRadius', 'fontWeight'),
            ];
            """

        private func type(_ text: String, in browser: Browser) async throws {
            for character in text { try await browser.press(String(character)) }
            try await browser.press(Key.enter)
        }

        @Test(
            "an empty gallery says so, and fills when pictures are added; others keep their place as more come",
            .inEveryBrowser)
        func fills() async throws {
            let folder = try TemporaryFolder()
            try folder.write("pictures/notes.txt")
            let server = try await LookaheadProcess(["serve", "\(folder.path)/pictures"])
            defer { server.stop() }
            try await withBrowser { browser in
                try await browser.open(server.address + "?layout=grid")
                try await browser.until(notice("empty"), "a word about it")
                for number in 100..<220 {
                    try folder.write("pictures/\(number).jpg", Picture.jpeg(40, 30, red: UInt8(number)))
                }
                let shown =
                    "probe.visible().length > 8 && probe.visible().every((cell) => cell.dataset.state === 'ready')"
                try await browser.until(
                    "\(Self.calm) && document.getElementById('count').textContent.startsWith('120 ') && \(shown)",
                    "the pictures")

                try await browser.run("probe.scroller.scrollTop = 700;")
                try await browser.until("probe.items()[0] > 5 && \(shown)", "further down")
                try await browser.until(
                    "probe.visible().every((cell) => probe.name(cell).endsWith('.jpg') || !probe.name(cell).startsWith('Picture'))",
                    "their names")
                let before = try await browser.run(Self.places)
                // A row's worth before all others: all of them move on by one row.
                let columns =
                    try await browser.run(
                        "return Number(document.getElementById('grid').getAttribute('aria-colcount'));"
                    ).integer ?? 1
                for number in 0..<columns {
                    try folder.write("pictures/0\(10 + number).jpg", Picture.jpeg(40, 30))
                }
                try await browser.until(
                    "document.getElementById('count').textContent.startsWith('\(120 + columns) ') && \(shown)",
                    "the new ones")
                try await browser.until(
                    "JSON.stringify((() => { \(Self.places) })()) === args[2]", "nothing has jumped",
                    [.string(text(before))])
            }
        }

        /// Names and places of all pictures in sight.
        private static let places = """
            return probe.visible().map((cell) => {
              const { top, left } = cell.getBoundingClientRect();
              return `${probe.name(cell)} ${Math.round(top)} ${Math.round(left)}`;
            });
            """

        private func text(_ value: JSON) -> String { String(decoding: value.bytes, as: UTF8.self) }

        @Test(
            "a gallery that is not there any more is said to be gone, with a way out, and shown again when it is back",
            .whereEnginesDiffer)
        func gone() async throws {
            let folder = try TemporaryFolder()
            try folder.write("other/1.jpg", Picture.jpeg(30, 20))
            try await withPage(path: "?gallery=demo") { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.hurry()
                demo.kill()
                try await demo.restart(as: ["serve", "\(folder.path)/other"])
                try await browser.until(notice("gone"), "a word about it")
                #expect(try await browser.run("return getComputedStyle(probe.scroller).visibility;") == "hidden")
                #expect(
                    try await browser.run(
                        "const way = document.querySelector('#notice a'); return [way.checkVisibility(), way.href === location.origin + '/'];"
                    ) == [true, true])
                demo.kill()
                try await demo.restart()
                try await browser.until("\(Self.calm) && probe.filled()", "the gallery again")
                #expect(try await browser.run("return document.querySelector('#notice a').checkVisibility();") == false)
            }
        }

        @Test(
            "when all pictures fail the page says why, tries again by itself, and goes on when they come",
            .inEveryBrowser)
        func allFail() async throws {
            try await withOriginGone { browser, server, origin in
                try await browser.open(server.address)
                try await browser.hurry()
                try await browser.until(notice("failing"), "a word about it")
                // They are asked for again in between, and then have no reason for a while: one after the other.
                try await browser.until(
                    "[...document.querySelectorAll('.problem small')].some((why) => why.textContent.includes('refused'))",
                    "why")
                try await browser.until(
                    "document.querySelector('#notice p').textContent.includes('Retrying')",
                    "what is done about it")
                try await origin.restart()
                try await browser.until(
                    "\(Self.calm) && probe.visible().length > 8 && probe.visible().every((cell) => cell.dataset.state === 'ready')",
                    "the pictures")
            }
        }

        @Test("an unreachable host is named, and Retry tries it again", .inEveryBrowser)
        func unreachable() async throws {
            let folder = try TemporaryFolder()
            let names = (0..<40).map { "http://no-such-host.invalid/\($0).jpg\n" }
            let server = try await LookaheadProcess(["serve", folder.write("list.txt", Array(names.joined().utf8))])
            defer { server.stop() }
            try await withBrowser { browser in
                try await browser.open(server.address)
                try await browser.until(notice("failing"), "a notice")
                let words = try await browser.run("return document.querySelector('#notice p').textContent;")
                #expect(words == "Host no-such-host.invalid not found. Retrying automatically.")
                let before = try await browser.run("return document.querySelectorAll('.problem').length;")
                #expect(before == 0, "the host was named only after pictures failed for good")
                try await browser.run(
                    """
                    window.asked = [];
                    const { fetch } = window;
                    window.fetch = (address, options) => { asked.push(String(options?.body)); return fetch(address, options); };
                    document.querySelector('#notice [data-part="retry"]').click();
                    """)
                try await browser.until("asked.some((body) => body.includes('\"retry\":true'))", "the request")
                try await browser.until(notice("failing"), "the notice again")
            }
        }

        @Test("a slow origin is named as what it is, until the pictures are there", .inEveryBrowser)
        func slow() async throws {
            try await withPage(latency: 5000, arguments: ["--jitter", "0"]) { browser, demo in
                try await browser.hurry()
                try await browser.until(notice("slow"), "a word about it")
                // A transfer under way keeps its latency.
                try await demo.call("PATCH", "demo/origin", ["latency": 0])
                try await browser.until("\(Self.calm) && probe.filled()", "the pictures")
            }
        }

        @Test("a server that is full lets the page in when there is room", .inEveryBrowser)
        func full() async throws {
            let demo = try await Demo(items: 2000, also: ["--max-sessions", "1"])
            defer { demo.stop() }
            let wish: JSON = ["gallery": "demo", "viewport": ["width": 600, "height": 400]]
            let other = try await demo.call("POST", "sessions", wish)["id"]?.string ?? ""
            try await withBrowser { browser in
                try await browser.open(demo.address)
                try await browser.hurry()
                try await browser.until(notice("full"), "a word about it")
                try await demo.call("DELETE", "sessions/\(other)")
                try await browser.until("\(Self.calm) && probe.filled()", "the gallery")
            }
        }
    }
}
