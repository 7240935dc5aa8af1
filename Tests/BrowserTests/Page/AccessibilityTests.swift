import Foundation
import JSON
import Testing

/// Source of axe-core at `LOOKAHEAD_AXE`, or where `.ci/install --tests` puts it. `nil` if there is none.
let axe: String? = {
    let file =
        ProcessInfo.processInfo.environment["LOOKAHEAD_AXE"]
        ?? URL(fileURLWithPath: #filePath + "/../../../../.build/axe/axe.min.js").standardized.path
    return try? String(contentsOfFile: file, encoding: .utf8)
}()

extension PageTests {
    @Suite("The page is accessible")
    struct Accessibility {
        @Test("the grid numbers its rows and says how many it has, though most of them are not in the document")
        func positions() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 60000;")
                try await browser.until("probe.items()[0] > 1000 && probe.filled()", "the middle")
                let facts = try await browser.wait("return await pageProbe.gridFacts();")
                #expect(facts["role"]?.string == "grid")
                #expect(facts["rows"] == facts["expected"])
                #expect(facts["wrong"]?.integer == 0)
                #expect(facts["unnamed"]?.integer == 0)
                #expect(facts["stops"]?.integer == 1)
            }
        }

        @Test(
            "the other layouts number their rows in order, up to the number of rows",
            arguments: ["justified", "masonry"])
        func otherLayouts(kind: String) async throws {
            try await withWarmPage(path: "?layout=\(kind)") { browser in
                try await browser.until("probe.items().includes(0) && probe.filled()", "the beginning")
                #expect(try await browser.run("return pageProbe.rows()[0];") == 1)
                try await browser.run("probe.scroller.scrollTop = probe.scroller.scrollHeight;")
                try await browser.until("probe.items().includes(19999) && probe.filled()", "the end")
                let facts = try await browser.run("return pageProbe.rowFacts();")
                #expect(facts["rising"]?.bool == true)
                #expect(facts["last"] == facts["count"], "\(facts)")
            }
        }

        @Test("a screen reader reads the place, the pictures that fail, and that the connection is lost")
        func announcements() async throws {
            try await withPage { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 9000;")
                try await browser.until("/^Showing [1-9]/.test(pageProbe.announcement)", "the place")
                try await demo.call("PATCH", "demo/origin", ["failureRate": 1])
                try await browser.run("probe.scroller.scrollTop = 60000;")
                try await browser.until(
                    "probe.visible().some((cell) => / failed: ./.test(cell.getAttribute('aria-label')))",
                    "a failed cell's name")
                demo.kill()
                try await browser.until("/lost/.test(pageProbe.announcement)", "the loss")
            }
        }

        @Test(
            "at 320 px and at 400 % zoom all controls are in reach, and the page does not scroll sideways",
            .inEveryBrowser, arguments: [640, 256])
        func narrow(height: Int) async throws {
            try await withWarmPage { browser in
                try await browser.emulate(.device(width: 320, height: height, scale: 4))
                try await browser.reload()
                try await browser.until("innerWidth === 320 && probe.filled()", "the narrow page")
                let facts = try await browser.run("return pageProbe.narrowFacts();")
                #expect(facts["cut"] == [])
                #expect((facts["wide"]?.integer ?? 999) <= 320)
                #expect(
                    (facts["scroller"]?.number ?? 0) >= Double(height) * 0.5, "too little of the pictures: \(facts)")
                #expect((facts["columns"]?.integer ?? 0) >= 2)
            }
        }

        @Test(
            "axe-core finds no violations in the gallery, the dashboard, the viewer, errors, the race and the story",
            .enabled(if: axe != nil, "needs axe-core: .ci/install --tests"), .inEveryBrowser)
        func rules() async throws {
            try await withPage { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await check(browser, "the gallery")
                try await browser.press("d")
                try await browser.until("!document.getElementById('dashboard').hidden", "the dashboard")
                try await check(browser, "the dashboard")
                try await browser.press("d")
                try await browser.run("probe.cell(5).click();")
                try await browser.until("viewerProbe.isOpen()", "the viewer")
                try await check(browser, "the viewer")
                try await browser.press(Key.escape)
                try await browser.open(demo.address + "?layout=masonry")
                try await browser.until("probe.filled()", "masonry")
                try await check(browser, "masonry")
                // Only half of the requests fail. The server would back off from an origin that fails always, and no picture
                // would fail for a while.
                try await demo.call("PATCH", "demo/origin", ["failureRate": 0.5])
                try await browser.run("probe.scroller.scrollTop = 90000;")
                try await browser.until("document.querySelectorAll('.problem').length > 3", "failing pictures")
                try await check(browser, "failing pictures")
                try await browser.open(demo.address + "?gallery=nowhere")
                try await browser.until("document.getElementById('notice').dataset.kind === 'gone'", "no gallery")
                try await check(browser, "no gallery")
                try await demo.call("PATCH", "demo/origin", ["failureRate": 0])
                try await browser.open(demo.address + "?race=collection-view,lookahead&trace=read")
                let race = "document.getElementById('race').dataset.state"
                try await browser.until("\(race) === 'running'", "the race")
                try await check(browser, "a race")
                try await browser.run("document.querySelector('#race [data-part=start]').click();")
                try await browser.until("\(race) === 'done'", "the verdict")
                try await check(browser, "the verdict")
                try await browser.open(demo.address + "?story")
                let story = "document.getElementById('story')?.dataset.state"
                try await browser.until("\(story) === 'playing'", "the story")
                try await check(browser, "the story")
                try await browser.until("\(story) === 'done'", "its end")
                try await check(browser, "the end of the story")
            }
        }

        @Test(
            "axe-core finds no violations while a person arranges, searches, selects and views pictures",
            .enabled(if: axe != nil, "needs axe-core: .ci/install --tests"), .inEveryBrowser)
        func arrangedRules() async throws {
            try await withWarmPage(path: "?sort=taken&group=day") { browser in
                try await browser.until("probe.filled() && !document.getElementById('arrange-open').disabled", "days")
                try await check(browser, "days")
                try await browser.run("document.getElementById('arrange-open').click();")
                try await browser.until("document.querySelector('#arrange:popover-open')", "the menu")
                try await check(browser, "the menu of orders")
                try await browser.press(Key.escape)
                // A menu that closes keeps the focus for a moment, and handles keys until then.
                try await browser.until(
                    "!document.getElementById('arrange').contains(document.activeElement)", "the focus out of the menu")
                try await browser.press("g")
                try await browser.until("document.getElementById('go').open", "the box")
                try await check(browser, "the box that goes to a place")
                try await browser.press(Key.escape)
                try await browser.until("!document.getElementById('go').open", "the closed box")
                try await browser.press("/")
                try await browser.until("document.activeElement?.type === 'search'", "the focus in the search")
                try await browser.press("l", "a", "k", "e")
                try await browser.until("/ of 20,000$/.test(document.getElementById('count').textContent)", "lakes")
                try await check(browser, "a search")
                try await browser.press(Key.enter)
                try await browser.run("probe.visible()[0].focus();")
                try await browser.press("x")
                try await browser.until("!document.getElementById('selected').hidden", "the selection")
                try await check(browser, "a selection")
                try await browser.press(Key.escape, Key.enter)
                try await browser.until("viewerProbe.isOpen()", "the viewer")
                try await browser.press("i", "t")
                try await browser.until(
                    "viewerProbe.hasFacts() && document.querySelectorAll('#viewer .filmstrip [role=option]').length > 2",
                    "the facts and the filmstrip")
                try await check(browser, "the viewer with facts and filmstrip")
            }
        }

        @Test(
            "if a person prefers more contrast, every text has a contrast of 7:1, in light and dark colours",
            .enabled(if: axe != nil, "needs axe-core: .ci/install --tests"))
        func contrast() async throws {
            try await withWarmPage(path: "?dashboard") { browser in
                try await browser.until("probe.filled()", "first pictures")
                for scheme in ["light", "dark"] {
                    try await browser.emulate(.moreContrast(scheme: scheme))
                    try await Self.violations(
                        browser, "the gallery, in \(scheme)", options: "{ runOnly: ['color-contrast-enhanced'] }")
                }
            }
        }

        /// Applies all rules in light colours, and the rules about contrast in dark colours.
        private func check(_ browser: Browser, _ state: String) async throws {
            try await browser.emulate(.colorScheme("light"))
            try await Self.violations(browser, "\(state), in light", options: "{}")
            try await browser.emulate(.colorScheme("dark"))
            try await Self.violations(browser, "\(state), in dark", options: "{ runOnly: ['color-contrast'] }")
        }

        /// Applies rules to the page in its present state.
        static func violations(_ browser: Browser, _ state: String, options: String) async throws {
            let script = "return await pageProbe.check(args[0], \(options));"
            let found = try await browser.wait(script, [.string(axe ?? "")])
            #expect(found == [], "\(state)")
        }
    }
}
