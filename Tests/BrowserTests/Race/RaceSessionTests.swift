import TestSupport
import Testing

extension PageTests.Races {
    @Test(
        "each race starts its sides without a cache, and ends their sessions when it closes",
        .enabled(if: Weekly.isOn, "runs weekly"))
    func cold() async throws {
        try await withPage(path: "?race=chromium-lazy,lookahead") { browser, demo in
            try await ready(browser)
            try await browser.wait("await raceProbe.drop();")
            try await state("done", browser)
            try await demo.call("PATCH", "demo/origin", ["latency": 30_000])
            let requests = try await demo.originCount("requests")
            try await browser.run("raceProbe.part('start').click();")
            try await browser.wait("await raceProbe.staysEmpty();")
            #expect(try await demo.originCount("requests") == requests, "the network of the other sessions was used")
            try await demo.call("PATCH", "demo/origin", ["latency": 0])
            try await browser.press(Key.escape)
            try await browser.until("!raceProbe.dialog.open && probe.filled()", "the gallery back")
            #expect(try await browser.run("return location.search.includes('race');") == false)
            try await browser.wait(
                "await probe.until(async () => (await probe.get('/api/v1/stats')).sessions[0].value === 1, 'only the gallery’s session');"
            )
        }
    }

    @Test("a side shows blurs only if the program that it imitates shows them")
    func blurs() async throws {
        // The origin is slower than the test, so cells show only placeholders.
        try await withPage(path: "?race=immich,lookahead&latency=300&bandwidth=0.1") { browser, demo in
            try await ready(browser)
            try await browser.until("raceProbe.panes.every(raceProbe.isDrawn)", "blurs on both sides")
            try await browser.open(demo.address + "?race=collection-view,lookahead")
            try await ready(browser)
            try await browser.until("raceProbe.isDrawn(raceProbe.panes[1])", "the blurs of Lookahead")
            let blurs = "return raceProbe.panes[0].querySelectorAll('.cell canvas').length;"
            #expect(try await browser.run(blurs) == 0)
        }
    }

    @Test("a race does not open without its server: the page says why, and Retry opens it once the server is back")
    func serverGoneBefore() async throws {
        try await withPage { browser, demo in
            try await browser.until("probe.filled() && \(PageTests.FirstScreen.complete)", "all of the page")
            demo.kill()
            try await browser.run("raceProbe.open();")
            try await browser.until(
                "document.getElementById('unreachable').open && document.activeElement.textContent === 'Retry'",
                "the offer")
            let found = try await browser.run(
                "return [document.getElementById('unreachable').textContent.includes('The server can’t be reached.'), raceProbe.dialog.open, location.search];"
            )
            #expect(found == [true, false, ""])
            try await demo.restart()
            try await browser.press(Key.enter)
            try await browser.until("raceProbe.dialog.open && !document.getElementById('unreachable').open", "the race")
            try await state("running", browser)
        }
    }

    @Test("a race that loses its server says so and has no verdict, and Retry runs it again")
    func serverGoneMeanwhile() async throws {
        try await withPage(path: "?race=operation-queue,lookahead&latency=100") { browser, demo in
            try await ready(browser)
            try await state("running", browser)
            demo.kill()
            try await browser.until("raceProbe.text('start') === 'Retry'", "the end of the race")
            let end = try await browser.run("return raceProbe.verdict();")
            #expect(end["headline"] == "The server can’t be reached. This race has no verdict.", "\(end)")
            #expect(end["spoken"] == end["headline"] && end["hidesPoints"] == true && end["marks"] == 0, "\(end)")
            try await demo.restart()
            try await browser.run("raceProbe.part('start').click();")
            try await state("running", browser)
        }
    }

    @Test("a race that is closed during its preparation opens no session")
    func closedEarly() async throws {
        try await withPage { browser, _ in
            try await browser.until("probe.filled()", "first pictures")
            // The page requests the network once for the menus and once for the race. The second response waits.
            try await browser.run("raceProbe.holdNetwork();")
            try await browser.until("held.length === 1", "the menus' request")
            try await browser.run("held[0]();")
            try await browser.until("held.length === 2", "the race's request")
            try await browser.press(Key.escape)
            try await browser.until("!raceProbe.dialog.open", "the gallery back")
            try await browser.wait("held[1](); for (let frame = 0; frame < 10; frame++) await probe.frame();")
            #expect(try await browser.run("return opened;") == 0)
        }
    }
}
