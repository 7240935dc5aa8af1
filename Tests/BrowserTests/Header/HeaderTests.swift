import JSON
import Testing

extension PageTests {
    @Suite("The header")
    struct HeaderTests {
        private static func shown(_ selector: String) -> String {
            "(document.querySelector('\(selector)')?.checkVisibility({ visibilityProperty: true }) ?? false)"
        }

        @Test(
            "it says which gallery, offers what a viewer uses, and nothing of the server", .inEveryBrowser)
        func viewer() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.until(
                    "['#density', '#search', '#arrange-open', '#go-open', '#full-screen', '#share-open', '#dashboard-toggle', '#keys-open'].every((name) => document.querySelector(name).checkVisibility())",
                    "what a viewer uses")
                let facts = try await browser.run(
                    """
                    return {
                      title: document.getElementById('title').textContent, count: document.getElementById('count').textContent,
                      layouts: [...document.querySelectorAll('#layout input')].map((input) => input.getAttribute('aria-label')),
                      primary: [...document.querySelectorAll('#bar .primary')].map((button) => button.textContent),
                      server: ['#policy', '#prefetching', '#status', '#dashboard'].filter((name) => document.querySelector(name).checkVisibility()),
                    };
                    """)
                #expect(facts["title"] == "Demo" && facts["count"] == "20,000 pictures")
                #expect(facts["layouts"] == ["Grid", "Justified", "Masonry"])
                #expect(facts["primary"] == ["Compare with prefetching off"])
                #expect(facts["server"] == [], "\(facts)")
                // Policies stand in the dashboard, by titles.
                try await browser.press("d")
                try await browser.until("\(Self.shown("#policy")) && \(Self.shown("#status"))", "the dashboard")
                try await browser.until(
                    "document.getElementById('policy').options.length > 5 && document.getElementById('policy-meaning').textContent",
                    "the policies")
                let titles = try await browser.run(
                    "return [...document.getElementById('policy').options].map((option) => option.textContent);")
                #expect(titles.array?.contains("iOS app") == true)
                let ids = try await browser.run(
                    "return [...document.getElementById('policy').options].filter(({ textContent, value }) => textContent === value).map(({ value }) => value);"
                )
                #expect(ids == [], "called by their ids")
            }
        }

        // Chromium alone: its DevTools run a script before the page's first line.
        @Test(
            "the menu of a phone closes when a button of it has opened something",
            arguments: [
                ("dashboard-toggle", "!document.getElementById('dashboard').hidden"),
                ("share-open", "document.querySelector('#sharing:popover-open') !== null"),
                ("arrange-open", "document.querySelector('#arrange:popover-open') !== null"),
                ("go-open", "document.getElementById('go').open"),
                ("keys-open", "document.getElementById('keys').open"),
            ])
        func menu(button: String, isOpen: String) async throws {
            try await withWarmPage { browser in
                try await browser.resize(width: 390, height: 780)
                try await browser.until(
                    "probe.filled() && !document.getElementById('arrange-open').disabled", "pictures")
                try await browser.run("document.getElementById('tools-open').click();")
                try await browser.until("document.querySelector('#tools:popover-open') !== null", "the menu")
                try await browser.run("document.getElementById('\(button)').click();")
                try await browser.until("\(isOpen) && document.querySelector('#tools:popover-open') === null", button)
            }
        }

        @Test("on a phone the search is in sight, and covers the line while it is used")
        func phoneSearch() async throws {
            try await withWarmPage { browser in
                try await browser.resize(width: 390, height: 780)
                try await browser.until(
                    "probe.filled() && !document.querySelector('#search input').disabled", "pictures")
                let field = "document.querySelector('#search input').getBoundingClientRect()"
                #expect(
                    try await browser.run(
                        "return [\(Self.shown("#search input")), \(field).width >= 44, \(Self.shown("#tools"))];")
                        == [true, true, false])
                try await browser.run("document.querySelector('#search input').focus();")
                try await browser.until("\(field).width > innerWidth - 40", "the field over the line")
                try await browser.press("l", "a", "k", "e", Key.enter)
                try await browser.until("/ of 20,000$/.test(document.getElementById('count').textContent)", "the lakes")
                #expect(
                    try await browser.run(
                        "return [\(field).width < 120, document.querySelector('#search input').value];")
                        == [true, "lake"])
            }
        }

        @Test("no two controls overlap, whatever the width of the window", .whereEnginesDiffer)
        func overlaps() async throws {
            try await withWarmPage { browser in
                for width in [320, 390, 719, 720, 730, 768, 779, 780, 860, 1079, 1080, 1280, 1440]
                where width >= 500 || browser.engine == .chromium {
                    try await browser.resize(width: width, height: 700)
                    try await browser.until("Math.abs(innerWidth - \(width)) < 2 && probe.filled()", "\(width) px")
                    let met = try await browser.run(
                        """
                        const controls = [...document.querySelectorAll('#bar :is(h1, button, input:not([type=radio]), #layout)')]
                          .filter((control) => control.checkVisibility() && !control.closest('[popover]:not(#tools)'));
                        const boxes = controls.map((control) => control.getBoundingClientRect());
                        return controls.filter((_, one) => boxes.some((box, other) => other < one && box.left < boxes[one].right - 1 && boxes[one].left < box.right - 1
                          && box.top < boxes[one].bottom - 1 && boxes[one].top < box.bottom - 1)).map(({ id, name }) => id || name);
                        """)
                    #expect(met == [], "\(width) px")
                }
            }
        }

        @Test(
            "the pictures are moved by one bar: the scrubber, or where it has no room the scroller's",
            .whereEnginesDiffer)
        func oneBar() async throws {
            try await withWarmPage { browser in
                for (width, hasRail) in [(1280, true), (860, false)] {
                    try await browser.resize(width: width, height: 700)
                    try await browser.until(
                        "document.documentElement.hasAttribute('data-rail') === \(hasRail) && probe.filled()",
                        "\(width) px")
                    let bars = try await browser.run(
                        """
                        const bar = probe.scroller.offsetWidth - probe.scroller.clientWidth;
                        const style = getComputedStyle(document.getElementById('scrubber'));
                        return { bar, rail: style.visibility === 'visible' && style.display !== 'none' };
                        """)
                    let isDrawn = (bars["bar"]?.number ?? 0) > 0
                    #expect(isDrawn != (bars["rail"] == true), "\(width) px: \(bars)")
                }
            }
        }

        @Test(
            "no control moves, from the first frame to a search that finds nothing and back, but a phone's search field",
            arguments: [1280, 900, 390])
        func steady(width: Int) async throws {
            let demo = try await Demo(items: 20_000)
            defer { demo.stop() }
            try await withBrowser(width: max(width, 500)) { browser in
                if width < 500 {
                    try await browser.emulate(.device(width: width, height: 760, scale: 2, touch: true))
                }
                try await browser.devtools(
                    "Page.addScriptToEvaluateOnNewDocument", ["source": .string(Self.watch)])
                try await browser.open(demo.address)
                try await browser.until(
                    "probe.filled() && \(FirstScreen.complete) && !document.getElementById('arrange-open').disabled",
                    "all of the page")
                let late = try await browser.run(
                    "return seen.now.filter((name) => !seen.first.includes(name));")
                #expect(late == [], "came later")

                func race() async throws -> JSON {
                    try await browser.run(
                        """
                        const race = document.getElementById('race-open');
                        return [race.checkVisibility(), race.disabled, race.title, race.getAttribute('aria-description')];
                        """)
                }
                let usual: JSON = [true, false, "The same scroll with and without prefetching, side by side", .null]
                let reason: JSON = "A comparison needs at least 100 pictures."
                #expect(try await race() == usual)
                try await browser.press("/")
                try await browser.press("1", "2", "3", "4")
                try await browser.until("document.getElementById('count').textContent === '12 of 20,000'", "twelve")
                #expect(try await race() == [true, true, reason, reason])
                try await browser.press("z")
                try await browser.until("!document.getElementById('notice').hidden", "nothing found")
                #expect(try await race() == [true, true, reason, reason])
                try await browser.press(Key.escape)
                try await browser.until("document.getElementById('count').textContent === '20,000 pictures'", "all")
                #expect(try await race() == usual)
                try await browser.wait("await probe.frame(); await probe.frame();")
                let moves = try await browser.run("return [Object.keys(seen.places).length, seen.moves];").array
                #expect(moves?.first?.integer ?? 0 > (width < 500 ? 2 : 6))
                let moved = (moves?.last?.array ?? []).filter { width >= 500 || $0.array?.first != "text" }
                #expect(moved == [])
            }
        }

        /// Writes down in each frame where the controls stand that a person sees, and which of them have moved.
        private static let watch = """
            window.seen = { places: {}, moves: [], first: [], now: [] };
            const look = () => {
              const controls = [...document.querySelectorAll('#bar :is(button, input, fieldset)')];
              const shown = controls.filter((control) => control.checkVisibility({ visibilityProperty: true }));
              const name = (control) => control.id || (control.type === 'radio' ? control.value : control.name);
              seen.now = shown.map(name);
              if (!seen.first.length) seen.first = seen.now;
              for (const control of shown) {
                const { x, y } = control.getBoundingClientRect();
                const before = (seen.places[name(control)] ??= [x, y]);
                const isThere = Math.abs(x - before[0]) <= 1 && Math.abs(y - before[1]) <= 1;
                if (!isThere) seen.moves.push([name(control), before, [x, y]]);
              }
              requestAnimationFrame(look);
            };
            requestAnimationFrame(look);
            """

        @Test("arrow keys go through the layouts", .inEveryBrowser)
        func layouts() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("document.querySelector('#layout :checked').focus();")
                try await browser.press(Key.right)
                try await browser.until(
                    "probe.layout === 'justified' && location.search.includes('layout=justified') && probe.filled()",
                    "the next layout")
                #expect(try await browser.run("return document.activeElement.value;") == "justified")
            }
        }

        @Test(
            "on a phone it is one row with a menu, away while one scrolls down", .inEveryBrowser, arguments: [390, 320])
        func phone(width: Int) async throws {
            try await withPhone { browser in
                try await browser.emulate(.device(width: width, height: 700, scale: 2, touch: true))
                try await browser.until("innerWidth === \(width) && probe.filled()", "first pictures")
                let top = "document.getElementById('bar').getBoundingClientRect().bottom"
                #expect((try await browser.run("return \(top);").number ?? 99) <= 56)
                let height = try await browser.run("return probe.scroller.clientHeight;")
                try await browser.run("document.getElementById('tools-open').click();")
                try await browser.until("\(Self.shown("#share-open")) && \(Self.shown("#density"))", "the menu")
                try await browser.run("document.getElementById('share-open').click();")
                try await browser.until("\(Self.shown("#share")) && !\(Self.shown("#density"))", "what is shared")
                try await browser.run("document.getElementById('sharing').hidePopover();")
                try await browser.wait(
                    "for (let i = 0; i < 10; i++) { probe.scroller.scrollTop += 30; await probe.frame(); }")
                try await browser.until("\(top) <= 0.5", "the header away")
                #expect(try await browser.run("return probe.scroller.clientHeight;") == height, "laid out anew")
                let box = try await browser.run(
                    "const r = probe.scroller.getBoundingClientRect(); return [r.top, innerHeight - r.bottom];")
                #expect(
                    (box.array ?? []).allSatisfy { abs($0.number ?? 9) < 1 },
                    "the pictures have the whole screen: \(box)")
                try await browser.wait(
                    "for (let i = 0; i < 3; i++) { probe.scroller.scrollTop -= 30; await probe.frame(); }")
                try await browser.until("\(top) > 50", "the header again")
                try await browser.until("probe.filled()", "all pictures")
            }
        }

        @Test("f shows the pictures on the whole screen, and ends it", .whereEnginesDiffer)
        func fullScreen() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.press("f")
                try await browser.until(
                    "document.fullscreenElement && document.getElementById('full-screen').getAttribute('aria-pressed') === 'true'",
                    "the full screen")
                try await browser.press("f")
                try await browser.until("!document.fullscreenElement", "no full screen")
            }
        }

        @Test(
            "over the pictures stands a bar with the title, and what it covers is not counted",
            .inEveryBrowser)
        func title() async throws {
            try await withWarmPage(path: "?dashboard") { browser in
                try await browser.until("probe.filled()", "first pictures")
                // The last row but a sliver lies under the title.
                try await browser.run("probe.scroller.scrollTop = 56 + 8 * probe.pitch() - 30;")
                try await browser.until("!document.getElementById('stuck').hidden && probe.filled()", "the title")
                let covered = "document.getElementById('stuck').getBoundingClientRect().bottom"
                let first =
                    "probe.visible().find((cell) => cell.getBoundingClientRect().bottom > \(covered) + 0.5).dataset.item"
                try await browser.until(
                    "document.querySelector('[data-field=visible]').textContent.startsWith(`${Number(\(first)) + 1}–`)",
                    "the first below the title")
                let bar = try await browser.run(
                    """
                    const [bar, scroller] = [document.getElementById('stuck'), probe.scroller].map((element) => element.getBoundingClientRect());
                    return [bar.left - scroller.left, bar.width - probe.scroller.clientWidth, bar.bottom - scroller.top];
                    """)
                #expect(bar == [0, 0, 44])
                // The pictures can be guessed behind it.
                let glass = try await browser.run(
                    "return Number(getComputedStyle(document.getElementById('stuck')).backgroundColor.match(/[\\d.]+/g)[3] ?? 1);"
                )
                #expect((0.5..<1).contains(glass.number ?? 1))
                // Items that keys lead to land below it.
                try await browser.run("probe.cell(Number(\(first))).focus();")
                for _ in 0..<3 {
                    try await browser.press(Key.up)
                    try await browser.until(
                        "probe.box(probe.focused())?.top >= \(covered) - 0.5", "a cell clear of the title")
                }
            }
        }

        @Test("a question mark shows the keys, and i the facts of a picture", .inEveryBrowser)
        func keys() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.press("?")
                try await browser.until(
                    "document.getElementById('keys').open && document.querySelectorAll('#keys kbd').length > 12",
                    "the keys")
                #expect(
                    try await browser.run(
                        "const keys = document.getElementById('keys'); return [keys.ariaLabel ?? keys.getAttribute('aria-label'), keys.querySelector('h2').textContent];"
                    ) == ["Keyboard shortcuts", "Keyboard shortcuts"])
                try await browser.press(Key.escape)
                try await browser.until("!document.getElementById('keys').open", "no keys")
                try await browser.run("probe.cell(5).click();")
                try await browser.until("document.getElementById('viewer').open", "the viewer")
                try await browser.press("i")
                try await browser.until(
                    "document.querySelector('#viewer [data-part=details]').textContent.includes('Number6 of 20,000')",
                    "the facts")
                // One numbering: that of the picture's name, and of its cell.
                #expect(
                    try await browser.run(
                        "return [document.querySelector('#viewer h2').textContent, document.querySelector('.cell[data-item=\"5\"]').getAttribute('aria-label')].every((name) => / 6$/.test(name));"
                    ) == true)
                try await browser.press(Key.right)
                try await browser.until(
                    "document.querySelector('#viewer [data-part=details]').textContent.includes('Number7 of 20,000')",
                    "the next one's")
                try await browser.press("i")
                try await browser.until("document.querySelector('#viewer [data-part=details]').hidden", "no facts")
            }
        }

        @Test("type and motion follow one rule: four sizes, one easing", .inEveryBrowser)
        func rules() async throws {
            try await withPhone { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.until("document.styleSheets.length > 8", "the stylesheets")
                let found = try await browser.run(
                    """
                    const [sizes, easings] = [new Set(), new Set()];
                    const walk = (rules) => {
                      for (const rule of rules) {
                        if (rule.style) {
                          const size = rule.style.fontSize;
                          if (size && !/^(0px|inherit)$/.test(size)) sizes.add(size);
                          for (const easing of [rule.style.transitionTimingFunction, rule.style.animationTimingFunction]) if (easing && easing !== 'ease') easings.add(easing);
                        }
                        if (rule.cssRules) walk(rule.cssRules);
                      }
                    };
                    for (const sheet of document.styleSheets) walk(sheet.cssRules);
                    return { sizes: [...sizes].filter((size) => !size.includes('var(--type-')), easings: [...easings].filter((easing) => easing !== 'linear' && !easing.includes('var(')) };
                    """)
                #expect(found["sizes"] == [], "not one of the four sizes")
                #expect(found["easings"] == [], "another easing")
            }
        }
    }
}
