import Foundation
import JSON
import Testing

/// The rules of axe-core, where `.ci/install --tests` has put them, or where `LOOKAHEAD_AXE` says.
let axe: String? = {
    let file =
        ProcessInfo.processInfo.environment["LOOKAHEAD_AXE"]
        ?? URL(fileURLWithPath: #filePath + "/../../../../.build/axe/axe.min.js").standardized.path
    return try? String(contentsOfFile: file, encoding: .utf8)
}()

extension PageTests {
    @Suite("For everyone")
    struct Accessibility {
        @Test("the grid says how many rows it has and which these are, though most are not there")
        func positions() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 60000;")
                try await browser.until("probe.items()[0] > 1000 && probe.filled()", "the middle")
                let facts = try await browser.wait(
                    """
                    const gallery = await probe.get('/api/v1/galleries/demo');
                    const grid = document.getElementById('grid');
                    const columns = Number(grid.getAttribute('aria-colcount'));
                    // Each section begins a row of its own.
                    const rowOf = (item) => {
                      let rows = 0;
                      for (const { from, count } of gallery.sections) {
                        if (item < from + count) return rows + Math.floor((item - from) / columns) + 1;
                        rows += Math.ceil(count / columns);
                      }
                      return rows;
                    };
                    return {
                      role: grid.role ?? grid.getAttribute('role'), rows: Number(grid.getAttribute('aria-rowcount')), expected: rowOf(gallery.itemCount),
                      wrong: probe.visible().filter((cell) => Number(cell.parentElement.getAttribute('aria-rowindex')) !== rowOf(Number(cell.dataset.item))).length,
                      unnamed: probe.visible().filter((cell) => !cell.getAttribute('aria-label')).length,
                      stops: document.querySelectorAll('#scroller [tabindex="0"]').length,
                    };
                    """)
                #expect(facts["role"]?.string == "grid")
                #expect(facts["rows"] == facts["expected"])
                #expect(facts["wrong"]?.integer == 0)
                #expect(facts["unnamed"]?.integer == 0)
                #expect(facts["stops"]?.integer == 1)
            }
        }

        @Test(
            "so do the other layouts: numbers rise, and the last row is the last", arguments: ["justified", "masonry"])
        func otherLayouts(kind: String) async throws {
            try await withWarmPage(path: "?layout=\(kind)") { browser in
                try await browser.until("probe.items().includes(0) && probe.filled()", "the beginning")
                let rows = """
                    [...document.querySelectorAll('.row:not([hidden])')].map((row) => Number(row.getAttribute('aria-rowindex')))
                    """
                #expect(try await browser.run("return (\(rows))[0];") == 1)
                try await browser.run("probe.scroller.scrollTop = probe.scroller.scrollHeight;")
                try await browser.until("probe.items().includes(19999) && probe.filled()", "the end")
                let facts = try await browser.run(
                    """
                    const rows = \(rows);
                    return { rising: rows.every((row, index) => index === 0 || row >= rows[index - 1]), last: rows.at(-1), count: Number(document.getElementById('grid').getAttribute('aria-rowcount')) };
                    """)
                #expect(facts["rising"]?.bool == true)
                #expect(facts["last"] == facts["count"], "\(facts)")
            }
        }

        @Test("what happens is said aloud: where one is, what fails, that the connection is lost")
        func announcements() async throws {
            try await withPage { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                let said = "document.getElementById('announcements').textContent"
                try await browser.run("probe.scroller.scrollTop = 9000;")
                try await browser.until("/^Showing [1-9]/.test(\(said))", "the place")
                try await demo.call("PATCH", "demo/origin", ["failureRate": 1])
                try await browser.run("probe.scroller.scrollTop = 60000;")
                try await browser.until(
                    "probe.visible().some((cell) => / failed: ./.test(cell.getAttribute('aria-label')))",
                    "a failed cell's name")
                demo.kill()
                try await browser.until("/lost/.test(\(said))", "the loss")
            }
        }

        @Test(
            "at 320 px, and at 400 % zoom, all is in reach and nothing has to be scrolled sideways",
            .inEveryBrowser, arguments: [640, 256])
        func narrow(height: Int) async throws {
            try await withWarmPage { browser in
                try await browser.emulate(.device(width: 320, height: height, scale: 4))
                try await browser.reload()
                try await browser.until("innerWidth === 320 && probe.filled()", "the narrow page")
                let facts = try await browser.run(
                    """
                    const cut = [...document.querySelectorAll('button, select, input, a, h1, #status dd')].filter((element) => {
                      const r = element.getBoundingClientRect();
                      return r.width > 0 && element.id !== 'skip' && !element.closest('[hidden]') && (r.left < 0 || r.right > 320.5 || r.bottom > innerHeight + 0.5);
                    }).map((element) => element.outerHTML.slice(0, 60));
                    return {
                      cut, wide: document.scrollingElement.scrollWidth, scroller: probe.scroller.clientHeight,
                      columns: Number(document.getElementById('grid').getAttribute('aria-colcount')),
                    };
                    """)
                #expect(facts["cut"] == [])
                #expect((facts["wide"]?.integer ?? 999) <= 320)
                #expect(
                    (facts["scroller"]?.number ?? 0) >= Double(height) * 0.5, "too little of the pictures: \(facts)")
                #expect((facts["columns"]?.integer ?? 0) >= 2)
            }
        }

        @Test(
            "axe-core finds nothing in any state, of the contrast in light and in dark",
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
                try await browser.until("document.getElementById('viewer').open", "the viewer")
                try await check(browser, "the viewer")
                try await browser.press(Key.escape)
                try await browser.open(demo.address + "?layout=masonry")
                try await browser.until("probe.filled()", "masonry")
                try await check(browser, "masonry")
                // Not all: the server would let an origin rest that gives nothing, and no picture would fail for a while.
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
            "nor where it is arranged, searched, selected and looked at closely",
            .enabled(if: axe != nil, "needs axe-core: .ci/install --tests"), .inEveryBrowser)
        func arrangedRules() async throws {
            try await withWarmPage(path: "?sort=taken&group=day") { browser in
                try await browser.until("probe.filled() && !document.getElementById('arrange-open').disabled", "days")
                try await check(browser, "days")
                try await browser.run("document.getElementById('arrange-open').click();")
                try await browser.until("document.querySelector('#arrange:popover-open')", "the menu")
                try await check(browser, "the menu of orders")
                try await browser.press(Key.escape)
                // A menu that closes keeps the focus for a moment, and its keys.
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
                try await browser.until("document.getElementById('viewer').open", "the viewer")
                try await browser.press("i", "t")
                try await browser.until(
                    "document.querySelectorAll('#viewer .details dt').length > 4 && document.querySelectorAll('#viewer .filmstrip [role=option]').length > 2",
                    "the facts and the filmstrip")
                try await check(browser, "the viewer with facts and filmstrip")
            }
        }

        @Test(
            "whoever prefers more contrast reads every text at 7:1, in light and in dark",
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

        /// Applies all rules in light, and in dark those that read colours.
        private func check(_ browser: Browser, _ state: String) async throws {
            try await browser.emulate(.colorScheme("light"))
            try await Self.violations(browser, "\(state), in light", options: "{}")
            try await browser.emulate(.colorScheme("dark"))
            try await Self.violations(browser, "\(state), in dark", options: "{ runOnly: ['color-contrast'] }")
        }

        /// Applies rules to a page as it stands.
        static func violations(_ browser: Browser, _ state: String, options: String) async throws {
            let found = try await browser.wait(
                """
                if (typeof axe === 'undefined') (0, eval)(args[0]);
                const colours = (animation) => /color/.test(animation.transitionProperty ?? '');
                await probe.until(() => !document.getAnimations().some(colours), 'the colours of the scheme');
                const { violations } = await axe.run(\(options));
                return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).slice(0, 3)}`);
                """, [.string(axe ?? "")])
            #expect(found == [], "\(state)")
        }
    }
}
