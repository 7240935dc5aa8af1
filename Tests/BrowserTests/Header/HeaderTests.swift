import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Header")
    struct HeaderTests {
        @Test(
            "the header names the gallery, has the controls for viewers, and no controls of the server", .inEveryBrowser
        )
        func viewer() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.until("headerProbe.hasControls()", "the controls for viewers")
                let facts = try await browser.run("return headerProbe.facts();")
                #expect(facts["title"] == "Demo" && facts["count"] == "20,000 pictures")
                #expect(facts["layouts"] == ["Grid", "Justified", "Masonry"])
                #expect(facts["primary"] == ["Compare with prefetching off"])
                #expect(facts["server"] == [], "\(facts)")
                // The dashboard lists the policies by their titles.
                try await browser.press("d")
                try await browser.until(
                    "headerProbe.isShown('#policy') && headerProbe.isShown('#status')", "the dashboard")
                try await browser.until(
                    "document.getElementById('policy').options.length > 5 && document.getElementById('policy-meaning').textContent",
                    "the policies")
                let policies = try await browser.run("return headerProbe.policies();")
                #expect(policies["titles"]?.array?.contains("iOS app") == true)
                #expect(policies["untitled"] == [], "shown by their ids")
            }
        }

        @Test(
            "the menu of a narrow window closes when one of its buttons opens a panel",
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
                try await browser.until("probe.filled() && headerProbe.canArrange()", "pictures")
                try await browser.run("document.getElementById('tools-open').click();")
                try await browser.until("document.querySelector('#tools:popover-open') !== null", "the menu")
                try await browser.run("document.getElementById('\(button)').click();")
                try await browser.until("\(isOpen) && document.querySelector('#tools:popover-open') === null", button)
            }
        }

        @Test("a narrow window shows the search field, which covers the header while it has the focus")
        func phoneSearch() async throws {
            try await withWarmPage { browser in
                try await browser.resize(width: 390, height: 780)
                try await browser.until("probe.filled() && headerProbe.canSearch()", "pictures")
                #expect(try await browser.run("return headerProbe.isShown('#search input');") == true)
                #expect(try await browser.run("return headerProbe.isShown('#tools');") == false)
                #expect(try await browser.run("return headerProbe.searchBox().width >= 44;") == true)
                try await browser.run("document.querySelector('#search input').focus();")
                try await browser.until("headerProbe.searchBox().width > innerWidth - 40", "the field over the line")
                try await browser.press("l", "a", "k", "e", Key.enter)
                try await browser.until("/ of 20,000$/.test(headerProbe.count())", "the lakes")
                #expect(
                    try await browser.run(
                        "return [headerProbe.searchBox().width < 120, document.querySelector('#search input').value];")
                        == [true, "lake"])
            }
        }

        @Test(
            "no two controls of the header overlap at any width of the window",
            .enabled(if: Weekly.isOn, "runs weekly"), .whereEnginesDiffer)
        func overlaps() async throws {
            try await withWarmPage { browser in
                for width in [320, 390, 719, 720, 730, 768, 779, 780, 860, 1079, 1080, 1280, 1440]
                where width >= 500 || browser.engine == .chromium {
                    try await browser.resize(width: width, height: 700)
                    try await browser.until("Math.abs(innerWidth - \(width)) < 2 && probe.filled()", "\(width) px")
                    let met = try await browser.run("return headerProbe.overlaps();")
                    #expect(met == [], "\(width) px")
                }
            }
        }

        @Test(
            "a wide window has the scrubber, and a narrow window has the scrollbar instead",
            .whereEnginesDiffer)
        func oneBar() async throws {
            try await withWarmPage { browser in
                for (width, hasRail) in [(1280, true), (860, false)] {
                    try await browser.resize(width: width, height: 700)
                    try await browser.until(
                        "document.documentElement.hasAttribute('data-rail') === \(hasRail) && probe.filled()",
                        "\(width) px")
                    let bars = try await browser.run("return headerProbe.bars();")
                    let isDrawn = (bars["bar"]?.number ?? 0) > 0
                    #expect(isDrawn != (bars["rail"] == true), "\(width) px: \(bars)")
                }
            }
        }

        // Only in Chromium, whose DevTools run a script before the page's own.
        @Test(
            "no control moves during loading and a search without matches, except a phone's search field",
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
                    "probe.filled() && \(FirstScreen.complete) && headerProbe.canArrange()", "all of the page")
                let late = try await browser.run(
                    "return seen.now.filter((name) => !seen.first.includes(name));")
                #expect(late == [], "came later")

                func comparison() async throws -> JSON {
                    try await browser.run("return headerProbe.comparison();")
                }
                let usual: JSON = [true, false, "The same scroll with and without prefetching, side by side", .null]
                let reason: JSON = "A comparison needs at least 100 pictures."
                #expect(try await comparison() == usual)
                try await browser.press("/")
                try await browser.press("1", "2", "3", "4")
                try await browser.until("headerProbe.count() === '12 of 20,000'", "twelve")
                #expect(try await comparison() == [true, true, reason, reason])
                try await browser.press("z")
                try await browser.until("headerProbe.hasNotice()", "nothing found")
                #expect(try await comparison() == [true, true, reason, reason])
                try await browser.press(Key.escape)
                try await browser.until("headerProbe.count() === '20,000 pictures'", "all")
                #expect(try await comparison() == usual)
                try await browser.wait("await probe.frame(); await probe.frame();")
                let moves = try await browser.run("return [Object.keys(seen.places).length, seen.moves];").array
                #expect(moves?.first?.integer ?? 0 > (width < 500 ? 2 : 6))
                let moved = (moves?.last?.array ?? []).filter { width >= 500 || $0.array?.first != "text" }
                #expect(moved == [])
            }
        }

        /// Script that notes in each frame where the visible controls are, and which of them have moved.
        private static let watch = "{ \(Probe.script("headerProbe.watchControls();")) }"

        @Test("arrow keys on the layout control change the layout", .inEveryBrowser)
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
            "a phone's header is one row with a menu, and scrolling down hides it",
            .inEveryBrowser, arguments: [390, 320])
        func phone(width: Int) async throws {
            try await withPhone { browser in
                try await browser.emulate(.device(width: width, height: 700, scale: 2, touch: true))
                try await browser.until("innerWidth === \(width) && probe.filled()", "first pictures")
                let top = "document.getElementById('bar').getBoundingClientRect().bottom"
                #expect((try await browser.run("return \(top);").number ?? 99) <= 56)
                let height = try await browser.run("return probe.scroller.clientHeight;")
                try await browser.run("document.getElementById('tools-open').click();")
                try await browser.until(
                    "headerProbe.isShown('#share-open') && headerProbe.isShown('#density')", "the menu")
                try await browser.run("document.getElementById('share-open').click();")
                try await browser.until(
                    "headerProbe.isShown('#share') && !headerProbe.isShown('#density')", "what is shared")
                try await browser.run("document.getElementById('sharing').hidePopover();")
                try await browser.wait("await scrollProbe.scroll(30, 10);")
                try await browser.until("\(top) <= 0.5", "the header away")
                #expect(try await browser.run("return probe.scroller.clientHeight;") == height, "laid out anew")
                let box = try await browser.run(
                    "const r = probe.scroller.getBoundingClientRect(); return [r.top, innerHeight - r.bottom];")
                #expect(
                    (box.array ?? []).allSatisfy { abs($0.number ?? 9) < 1 },
                    "the pictures have the whole screen: \(box)")
                try await browser.wait("await scrollProbe.scroll(-30, 3);")
                try await browser.until("\(top) > 50", "the header again")
                try await browser.until("probe.filled()", "all pictures")
            }
        }

        @Test("the F key turns the full screen on and off", .whereEnginesDiffer)
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
            "a translucent title bar covers the pictures, and covered pictures do not count as visible",
            .inEveryBrowser)
        func title() async throws {
            try await withWarmPage(path: "?dashboard") { browser in
                try await browser.until("probe.filled()", "first pictures")
                // The title covers a row except a sliver of it.
                try await browser.run("probe.scroller.scrollTop = 56 + 8 * probe.pitch() - 30;")
                try await browser.until("gridProbe.hasTitle() && probe.filled()", "the title")
                try await browser.until(
                    "document.querySelector('[data-field=visible]').textContent.startsWith(`${gridProbe.firstBelowTitle(0.5) + 1}–`)",
                    "the first below the title")
                let bar = try await browser.run("return headerProbe.titleBar();")
                #expect(bar == [0, 0, 44])
                // The title bar is translucent.
                let glass = try await browser.run("return headerProbe.titleOpacity();")
                #expect((0.5..<1).contains(glass.number ?? 1))
                // Keys scroll the focused item below the title bar.
                try await browser.run("probe.cell(gridProbe.firstBelowTitle(0.5)).focus();")
                for _ in 0..<3 {
                    try await browser.press(Key.up)
                    try await browser.until(
                        "probe.box(probe.focused())?.top >= gridProbe.titleBottom() - 0.5", "a cell clear of the title")
                }
            }
        }

        @Test("the question mark shows the keyboard shortcuts, and I shows the facts of a picture", .inEveryBrowser)
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
                try await browser.until("gridProbe.isViewerOpen()", "the viewer")
                try await browser.press("i")
                try await browser.until("headerProbe.details().includes('Number6 of 20,000')", "the facts")
                // The names in the viewer and in the cell have the same number.
                #expect(
                    try await browser.run(
                        "return [document.querySelector('#viewer h2').textContent, document.querySelector('.cell[data-item=\"5\"]').getAttribute('aria-label')].every((name) => / 6$/.test(name));"
                    ) == true)
                try await browser.press(Key.right)
                try await browser.until("headerProbe.details().includes('Number7 of 20,000')", "the next one's")
                try await browser.press("i")
                try await browser.until("document.querySelector('#viewer [data-part=details]').hidden", "no facts")
            }
        }

        @Test("the stylesheets use four font sizes and one easing", .inEveryBrowser)
        func rules() async throws {
            try await withPhone { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.until("document.styleSheets.length > 8", "the stylesheets")
                let found = try await browser.run("return headerProbe.styles();")
                #expect(found["sizes"] == [], "not one of the four sizes")
                #expect(found["easings"] == [], "another easing")
            }
        }
    }
}
