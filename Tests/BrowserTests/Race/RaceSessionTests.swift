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
