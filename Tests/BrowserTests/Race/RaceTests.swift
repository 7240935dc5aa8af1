import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("A race plays one scroll with two loading policies")
    struct Races {
        func ready(_ browser: Browser) async throws {
            try await browser.until("raceProbe.isSetUp()", "a race")
        }

        func state(_ name: String, _ browser: Browser) async throws {
            try await browser.wait("await raceProbe.reach('\(name)');")
        }

        @Test(
            "a link opens a race, which plays by itself: both sides scroll together, and the verdict quotes the figures",
            .enabled(if: Weekly.isOn, "runs weekly"), .inEveryBrowser)
        func link() async throws {
            try await withPage(path: "?race=collection-view,lookahead&trace=fling&latency=120&bandwidth=12") {
                browser, demo in
                try await ready(browser)
                let conditions = try await demo.call("GET", "demo/origin")["conditions"]
                #expect(conditions?["bandwidth"] != 12, "a link changes the network of its own page alone")
                #expect(try await browser.run("return raceProbe.names();") == ["iOS app", "Lookahead"])
                #expect(try await browser.run("return raceProbe.part('scroll').value;") == "fling")
                let terms = try await browser.run("return raceProbe.text('terms');")
                #expect(terms.string?.contains("6 of 12\u{a0}Mbit/s") == true)
                let ways = try await browser.run(
                    "return raceProbe.panes.map((pane) => pane.querySelector('.side p').textContent);")
                #expect(ways == ["Loads as iOS apps do", "Fetches in the order you’ll see them"])
                try await state("running", browser)
                #expect(try await browser.run("return raceProbe.text('start');") == "Stop")
                // The names of the figures are on one line, and the figures on another.
                #expect(try await browser.run("return raceProbe.figureLines();") == [1, 1])
                let scroll = try await browser.wait("return await raceProbe.watchScroll();")
                #expect(scroll["apart"] == 0, "the two sides do not show the same place")
                #expect((scroll["moved"]?.integer ?? 0) > 0, "nothing moved")
                try await browser.wait("await raceProbe.stopOnceDecided();")
                try await state("done", browser)
                let end = try await browser.run("return raceProbe.verdict();")
                let headline = try #require(end["headline"]?.string)
                let details = try #require(end["details"]?.string)
                for side in end["figures"]?.array ?? [] {
                    let figures = (side.array ?? []).compactMap(\.string)
                    #expect(figures.allSatisfy { $0.first?.isNumber == true || $0 == "none" }, "\(figures)")
                    #expect(headline.contains(figures[0]), "\(headline): \(figures)")
                    for figure in figures.dropFirst() where figure != "none" {
                        #expect(details.contains(figure), "\(details): \(figure)")
                    }
                }
                #expect(
                    end["spoken"]?.string?.hasSuffix(headline + " " + details) == true, "the verdict is not announced")
                #expect(
                    try await browser.run("return raceProbe.lede();")
                        == "The same scroll and the same network on both sides. A cell is loaded, blurred or empty; blank counts blurred and empty cells."
                )
                let colors = try await browser.run("return raceProbe.waterfallColors();").array ?? []
                #expect(colors.count == 2 && colors.allSatisfy { $0.integer ?? 0 > 20 }, "\(colors)")
                #expect(end["points"]?.string?.first?.isNumber == true, "no large figure")
            }
        }

        @Test("Back and the close button close a race, and the button leaves no entry in the history", .inEveryBrowser)
        func back() async throws {
            try await withPage { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                let entries = try await browser.run("return history.length;")
                let isClosed = "!raceProbe.dialog.open && location.search === '' && probe.filled()"
                for way in ["Back", "the button", "Back"] {
                    try await browser.run("raceProbe.open();")
                    try await browser.until("raceProbe.dialog.open && location.search.includes('race=')", "the race")
                    if way == "Back" {
                        try await browser.goBack()
                    } else {
                        try await browser.run("raceProbe.part('close').click();")
                    }
                    try await browser.until(isClosed, "the gallery after \(way)")
                }
                // Forward would lead to the entry of the last race.
                #expect(try await browser.run("return history.length;").integer == entries.integer.map { $0 + 1 })
            }
        }

        @Test("scrolling one side by wheel or by keys scrolls the other side", .inEveryBrowser)
        func own() async throws {
            try await withPage { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("raceProbe.open();")
                try await ready(browser)
                let menu = try await browser.run(
                    "return [...raceProbe.part('race').options].map((option) => option.value);")
                #expect(menu.array?.contains("collection-view,lookahead") == true, "\(menu)")
                // The menu names programs that people know, not policies.
                let missing = try await browser.run(
                    "return raceProbe.missingFromMenu(['Web page', 'iOS', 'Android', 'PhotoKit']);")
                #expect(missing == [], "not in the menu")
                try await browser.run(
                    "raceProbe.choose('race', 'lookahead:off,lookahead'); raceProbe.choose('scroll', 'own');")
                #expect(
                    try await browser.run("return new URLSearchParams(location.search).get('race');")
                        == "lookahead:off,lookahead")
                try await browser.until(
                    "raceProbe.dialog.dataset.state === 'running' && raceProbe.text('headline').startsWith('Scroll either side')",
                    "the race")
                try await browser.wheel(by: 400, turns: 6)  // over the left side
                try await browser.until("raceProbe.areTogether(8)", "both sides there")
                try await browser.run("raceProbe.panes[1].querySelector('.view').focus();")
                try await browser.press(Key.pageDown)
                try await browser.until(
                    "raceProbe.areTogether(24) && raceProbe.panes.every(raceProbe.isFull)", "both sides further down")
                try await browser.run("raceProbe.part('start').click();")
                try await state("done", browser)
                #expect(try await browser.run("return raceProbe.names()[0];") == "Lookahead, prefetching off")
            }
        }
    }
}
