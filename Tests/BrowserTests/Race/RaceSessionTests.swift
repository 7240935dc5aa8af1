import TestSupport
import Testing

extension PageTests.Races {
    @Test(
        "each side begins cold, and again with each race; the sessions end with it",
        .enabled(if: Weekly.isOn, "runs weekly"))
    func cold() async throws {
        try await withPage(path: "?race=chromium-lazy,lookahead") { browser, demo in
            try await ready(browser)
            try await browser.wait(Self.helpers + "await drop();")
            try await state("done", browser)
            try await demo.call("PATCH", "demo/origin", ["latency": 30_000])
            let requests = try await demo.originCount("requests")
            try await browser.run(Self.helpers + "part('start').click();")
            try await browser.wait(
                Self.helpers
                    + """
                    await probe.until(() => race.dataset.state === 'preparing' && panes.every((pane) => cells(pane).length > 8), 'cells');
                    for (let frame = 0; frame < 60; frame++) {
                      await probe.frame();
                      for (const pane of panes) for (const cell of cells(pane)) if (probe.number(cell) >= 0) throw new Error('a picture came from a cache');
                    }
                    """)
            #expect(try await demo.originCount("requests") == requests, "the others' line was used")
            try await demo.call("PATCH", "demo/origin", ["latency": 0])
            try await browser.press(Key.escape)
            try await browser.until("!document.getElementById('race').open && probe.filled()", "the gallery back")
            #expect(try await browser.run("return location.search.includes('race');") == false)
            try await browser.wait(
                "await probe.until(async () => (await probe.get('/api/v1/stats')).sessions[0].value === 1, 'only the gallery’s session');"
            )
        }
    }

    @Test("a side has blurs if the program it is named after has them")
    func blurs() async throws {
        // Pictures that never come: the cells show what there is of them before.
        try await withPage(path: "?race=immich,lookahead&latency=300&bandwidth=0.1") { browser, demo in
            try await ready(browser)
            let drawn = """
                const drawn = () => panes.map((pane) => cells(pane).length > 8 && cells(pane).every((cell) => cell.querySelector('canvas') || cell.dataset.state === 'ready'));

                """
            try await browser.wait(
                Self.helpers + drawn + "await probe.until(() => drawn().every(Boolean), 'blurs on both sides');")
            try await browser.open(demo.address + "?race=collection-view,lookahead")
            try await ready(browser)
            try await browser.wait(
                Self.helpers + drawn + "await probe.until(() => drawn()[1], 'the blurs of Lookahead');")
            #expect(
                try await browser.run(Self.helpers + "return panes[0].querySelectorAll('.cell canvas').length;") == 0)
        }
    }

    @Test("without its server a race does not open: the page says why, and Retry opens it once the server is back")
    func serverGoneBefore() async throws {
        try await withPage { browser, demo in
            try await browser.until("probe.filled() && \(PageTests.FirstScreen.complete)", "all of the page")
            demo.kill()
            try await browser.run("document.getElementById('race-open').click();")
            try await browser.until(
                "document.getElementById('unreachable').open && document.activeElement.textContent === 'Retry'",
                "the offer")
            let found = try await browser.run(
                "return [document.getElementById('unreachable').textContent.includes('The server can’t be reached.'), document.getElementById('race').open, location.search];"
            )
            #expect(found == [true, false, ""])
            try await demo.restart()
            try await browser.press(Key.enter)
            try await browser.until(
                "document.getElementById('race').open && !document.getElementById('unreachable').open", "the race")
            try await state("running", browser)
        }
    }

    @Test("a race whose server goes says so and has no verdict; Retry runs it again")
    func serverGoneMeanwhile() async throws {
        try await withPage(path: "?race=operation-queue,lookahead&latency=100") { browser, demo in
            try await ready(browser)
            try await state("running", browser)
            demo.kill()
            try await browser.wait(
                Self.helpers + "await probe.until(() => part('start').textContent === 'Retry', 'the end of the race');")
            let end = try await browser.run(
                Self.helpers
                    + """
                    return { headline: part('headline').textContent, spoken: part('spoken').textContent, points: part('points').hidden,
                      marks: race.querySelectorAll('[data-better], [data-winner]').length };
                    """)
            #expect(end["headline"] == "The server can’t be reached. This race has no verdict.", "\(end)")
            #expect(end["spoken"] == end["headline"] && end["points"] == true && end["marks"] == 0, "\(end)")
            try await demo.restart()
            try await browser.run(Self.helpers + "part('start').click();")
            try await state("running", browser)
        }
    }

    @Test("a race that is closed while it is prepared opens no session")
    func closedEarly() async throws {
        try await withPage { browser, _ in
            try await browser.until("probe.filled()", "first pictures")
            // The network is asked for once for the menus and once for the race: the second answer waits.
            try await browser.run(
                """
                window.held = [];
                window.opened = 0;
                const { fetch } = window;
                window.fetch = async (...given) => {
                  if (/"share"/.test(given[1]?.body)) opened += 1; // a side's, not the gallery's own
                  const answer = await fetch(...given);
                  if (/demo\\/origin$/.test(given[0])) await new Promise((resolve) => held.push(resolve));
                  return answer;
                };
                document.getElementById('race-open').click();
                """)
            try await browser.until("held.length === 1", "the menus' question")
            try await browser.run("held[0]();")
            try await browser.until("held.length === 2", "the race's question")
            try await browser.press(Key.escape)
            try await browser.until("!document.getElementById('race').open", "the gallery back")
            try await browser.wait("held[1](); for (let frame = 0; frame < 10; frame++) await probe.frame();")
            #expect(try await browser.run("return opened;") == 0)
        }
    }
}
