import JSON
import TestSupport
import Testing

extension PageTests {
    /// `<lookahead-gallery>` in a page of another origin with a strict content security policy.
    @Suite("A page of another site shows a gallery")
    struct Embed {
        @Test("the gallery shows pictures, scrolls, and complies with the page's security policy", .whereEnginesDiffer)
        func shows() async throws {
            try await withHostPage { browser, _ in
                try await browser.until("filled(probe)", "first pictures")
                #expect(try await browser.run("return part('grid').getAttribute('aria-label');") == "Demo")
                try await browser.wheel(by: 300, turns: 10, y: 250)
                try await browser.until("items()[0] > 10 && filled(probe)", "after the wheel")
                try await browser.run("gallery().scrollToItem(1500);")
                try await browser.until("items().includes(1500) && filled(probe)", "item 1500")
                let isTold = try await browser.run(
                    "const { from, to } = heard.visiblechange.at(-1); return from <= 1500 && 1500 < to;")
                #expect(isTold == true)
                let looks = try await browser.run("return embedProbe.appearance();")
                #expect(looks == ["normal", "none", "0px", "rgb(0, 128, 128)", 400, [], ""])
            }
        }

        @Test(
            "on paper the gallery is as high as its pictures, and shows their names and nothing else", .inEveryBrowser)
        func printed() async throws {
            let body = "<lookahead-gallery src=\"SERVER/\"></lookahead-gallery><p id=\"after\">After it.</p>"
            try await withHostPage(body) { browser, _ in
                try await browser.until("filled(probe)", "first pictures")
                let before = try await browser.run("return items();")
                try await browser.emulate(.medium("print"))
                try await browser.until(
                    "part('print').querySelectorAll('img').length >= cells().length && gallery().clientHeight > 400",
                    "paper")
                let printed = try await browser.run("return embedProbe.paper();")
                let items = (printed["items"]?.array ?? []).compactMap(\.integer)
                #expect(Set(items).isSuperset(of: (before.array ?? []).compactMap(\.integer)), "\(printed)")
                #expect(items.count <= 60 && printed["names"] == true && printed["isClear"] == true, "\(printed)")
                #expect(printed["others"] == [] && printed["violations"] == [], "\(printed)")
                try await browser.emulate(.medium("screen"))
                try await browser.until(
                    "part('print').hidden && gallery().clientHeight === 400 && filled(probe)", "as before")
            }
        }

        @Test(
            "a picture opens in the gallery's viewer, unless the page prevents that and opens it itself",
            .inEveryBrowser)
        func opens() async throws {
            try await withHostPage { browser, demo in
                try await browser.until("filled(probe)", "first pictures")
                try await browser.run("document.body.dataset.viewer = 'own'; cells()[2].click();")
                let picture = try await browser.run("return heard.itemopen[0];")
                #expect(picture["item"] == 2)
                #expect(
                    picture["image"]?.string?.hasPrefix(demo.address + "api/v1/galleries/demo/items/2/image") == true)
                try await browser.run("document.body.dataset.viewer = ''; cells()[3].click();")
                try await browser.until("part('viewer').open", "its own viewer")
                try await browser.until("embedProbe.showsImage(3)", "the large picture")
                try await browser.press(Key.right)
                try await browser.until("embedProbe.showsImage(4)", "the next picture")
                try await browser.press(Key.escape)
                try await browser.until(
                    "!part('viewer').open && gallery().shadowRoot.activeElement?.dataset.item === '4'",
                    "the gallery, and the focus")
                #expect(
                    try await browser.run("return [heard.itemopen.length, location.search, heard.violations];") == [
                        2, "", [],
                    ])
            }
        }

        @Test(
            "keys select pictures, the page receives the selection, and the pictures download as one file",
            .whereEnginesDiffer)
        func selects() async throws {
            try await withHostPage { browser, demo in
                try await browser.until("filled(probe)", "first pictures")
                try await browser.run("gallery().focus();")
                // Keys work as soon as the code for them has loaded.
                try await browser.until(
                    "(cells()[0].dispatchEvent(new KeyboardEvent('keydown', { key: 'x', bubbles: true, cancelable: true })), 'selected' in cells()[0].dataset)",
                    "a selected picture")
                try await browser.press(Key.right, Key.right, holding: Key.shift)
                try await browser.until("heard.selectionchange.at(-1)?.count === 3", "three pictures")
                #expect(try await browser.run("return heard.selectionchange.at(-1).ranges;") == [["from": 0, "to": 3]])
                #expect(try await browser.run("return cells()[1].getAttribute('aria-selected');") == "true")
                try await browser.run("embedProbe.recordSaving();")
                try await browser.until("!part('selected').querySelector('[data-action=archive]').hidden", "an offer")
                try await browser.run("part('selected').querySelector('[data-action=archive]').click();")
                try await browser.until("window.saved", "the file")
                let entries = try await browser.wait(
                    "return new DataView(await saved.slice(-22).arrayBuffer()).getUint16(10, true);")
                #expect(entries == 3, "by the archive's own count")
                #expect(try await browser.run("return savedAs;") == "Demo.zip")
                try await browser.run("part('selected').querySelector('[data-action=links]').click();")
                try await browser.until("window.copied", "the links")
                let link = try #require(try await browser.run("return copied.split('\\n')[2];").string)
                #expect(link.hasPrefix(demo.address + "?gallery=demo&view=2&view-id="), "\(link)")
                try await browser.press(Key.escape)
                try await browser.until("heard.selectionchange.at(-1)?.count === 0 && part('selected').hidden", "none")
            }
        }

        @Test("two galleries share one stream, and each gallery that is removed ends its session", .inEveryBrowser)
        func shares() async throws {
            let two = """
                <div class="tall"><lookahead-gallery src="SERVER/"></lookahead-gallery></div>
                <lookahead-gallery src="SERVER/" layout="justified" size="1"></lookahead-gallery>
                """
            try await withHostPage(two) { browser, demo in
                try await browser.until("filled(probe, 0)", "pictures of the first")
                try await browser.run("gallery(1).scrollIntoView(); gallery(1).scrollToItem(700);")
                try await browser.until("items(1).includes(700) && filled(probe, 1)", "pictures of the second")
                try await figures(demo, sessions: 2, streams: 1)
                // The stream stays open for the other gallery.
                try await browser.run("gallery(0).remove();")
                try await figures(demo, sessions: 1, streams: 1)
                try await browser.run("gallery().scrollToItem(0);")
                try await browser.until("items()[0] === 0 && filled(probe)", "the beginning")
                try await browser.run("window.kept = gallery(); kept.remove();")
                try await figures(demo, sessions: 0, streams: 0)
                try await browser.run("document.body.append(kept);")
                try await browser.until("filled(probe)", "pictures once more")
                try await figures(demo, sessions: 1, streams: 1)
            }
        }

        @Test("attributes and properties change the gallery while it is shown", .inEveryBrowser)
        func changes() async throws {
            try await withHostPage { browser, demo in
                try await browser.until("filled(probe)", "first pictures")
                let width = try await browser.run("return cells()[0].clientWidth;").number ?? 0
                try await browser.run("gallery().size = 5;")
                try await browser.until("cells()[0].clientWidth > 1.2 * \(width) && filled(probe)", "larger pictures")
                #expect(try await browser.run("return gallery().getAttribute('size');") == "5")
                try await browser.run("gallery().setAttribute('layout', 'masonry');")
                try await browser.until(
                    "new Set(cells().map((cell) => cell.clientHeight)).size > 3 && filled(probe)", "columns")
                #expect(try await browser.run("return gallery().layout;") == "masonry")
                let path = "sessions/" + (try await browser.run("return part('stage').dataset.session;").string ?? "")
                try await browser.run("gallery().policy = 'collection-view';")
                try await eventually("the policy of the session", of: { try await demo.call("GET", path)["policy"] }) {
                    $0 == "collection-view"
                }
                let first = try await browser.run("return part('stage').dataset.session;")
                try await browser.run("gallery().reload();")
                try await browser.until(
                    "part('stage').dataset.session !== args[2] && filled(probe)", "a new session", [first])
                try await figures(demo, sessions: 1, streams: 1)
            }
        }

        @Test("a page whose origin is not allowed cannot run the gallery's script or call the server", .inEveryBrowser)
        func refused() async throws {
            let body = "<lookahead-gallery src=\"SERVER/\">No gallery here.</lookahead-gallery>"
            try await withHostPage(body, isNamed: false) { browser, demo in
                try await browser.until("document.readyState === 'complete'", "the page")
                #expect(
                    try await browser.run(
                        "return [Boolean(customElements.get('lookahead-gallery')), document.body.innerText.trim()];")
                        == [false, "NO GALLERY HERE."])
                let called = try await browser.wait(
                    "return fetch(args[0], { method: 'POST', credentials: 'include' }).then(() => 'answered', () => 'refused');",
                    [.string(demo.address + "api/v1/sessions")])
                #expect(called == "refused")
                try await figures(demo, sessions: 0, streams: 0)
            }
        }

        @Test(
            "a page of another site shows the gallery if a person enters the token or the address has it",
            .whereEnginesDiffer)
        func token() async throws {
            let token = "correct-horse-battery"
            let body = "<lookahead-gallery src=\"SERVER/\"></lookahead-gallery>"
            try await withHostPage(body, name: "localhost", arguments: ["--token", token]) { browser, _ in
                try await browser.until(
                    "part('notice')?.dataset.kind === 'token' && !part('notice').hidden", "the question")
                try await browser.run("embedProbe.submitToken('\(token)');")
                try await browser.until("filled(probe)", "pictures")
                #expect(try await browser.run("return heard.violations;") == [])
            }
            let known = "<lookahead-gallery src=\"SERVER/?token=\(token)\"></lookahead-gallery>"
            try await withHostPage(known, name: "localhost", arguments: ["--token", token]) { browser, _ in
                try await browser.until("filled(probe)", "pictures")
            }
        }

        @Test(
            "axe-core finds no violations in a page that shows a gallery, with or without its viewer",
            .enabled(if: axe != nil, "needs axe-core: .ci/install --tests"), arguments: ["", "part('viewer').open"])
        func rules(state: String) async throws {
            let body = "<main><h1>Ours</h1><lookahead-gallery src=\"SERVER/\"></lookahead-gallery></main>"
            try await withHostPage(body) { browser, _ in
                try await browser.until("filled(probe)", "first pictures")
                if !state.isEmpty {
                    try await browser.run("cells()[2].click();")
                    try await browser.until(state, "the viewer")
                }
                #expect(try await browser.wait("return await pageProbe.violations();") == [])
                let stops = "gallery().shadowRoot.querySelectorAll('#scroller [tabindex=\"0\"]').length"
                #expect(try await browser.run("return \(stops);") == 1)
            }
        }

        @Test("the example in the documentation shows a gallery", .inEveryBrowser)
        func example() async throws {
            let example = try #require(EmbeddingExample.html)
            #expect(example.split(separator: "\n").count <= 10)
            try await withHostPage(example.replacing("https://pictures.example", with: "SERVER")) {
                browser, _ in
                try await browser.until("filled(probe)", "pictures")
                #expect(try await browser.run("return heard.violations;") == [])
            }
        }

        /// Waits until the server has these numbers of sessions and streams.
        private func figures(_ demo: Demo, sessions: Int, streams: Int) async throws {
            func figures() async throws -> [Int] {
                let stats = try await demo.call("GET", "stats")
                return ["sessions", "streams"].map { stats[$0]?.array?.first?["value"]?.integer ?? -1 }
            }
            try await eventually("\(sessions) sessions, \(streams) streams", of: figures) {
                $0 == [sessions, streams]
            }
        }
    }
}
