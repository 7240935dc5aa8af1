import JSON
import TestSupport
import Testing

extension PageTests.Races {
    @Test("no side stands out before a third of the scroll has played; a race stopped by then has no verdict")
    func early() async throws {
        try await withPage(path: "?race=operation-queue,lookahead&latency=300&bandwidth=100") { browser, _ in
            try await ready(browser)
            try await state("running", browser)
            let early = try await browser.wait(
                Self.helpers
                    + """
                    const blank = () => panes.map((pane) => parseFloat(figure(pane, 'blank')));
                    await probe.until(() => Math.abs(blank()[0] - blank()[1]) > 5 || race.dataset.state !== 'running', 'a difference');
                    const better = race.querySelectorAll('[data-better]').length;
                    part('start').click();
                    return { better, scroll: part('scroll').value };
                    """)
            #expect(early == ["better": 0, "scroll": "wheel"])
            try await state("done", browser)
            let end = try await browser.run(
                Self.helpers
                    + """
                    return { marks: race.querySelectorAll('[data-better], [data-winner]').length, points: part('points').hidden,
                      headline: part('headline').textContent, spoken: part('spoken').textContent };
                    """)
            #expect(end["marks"] == 0 && end["points"] == true, "\(end)")
            #expect(end["headline"]?.string?.hasPrefix("Stopped too early") == true, "\(end)")
            #expect(end["headline"] == end["spoken"], "it is not said aloud")
        }
    }

    @Test(
        "where both lines are full the verdict names the network; only our own side is praised for waits and waste",
        .enabled(if: Weekly.isOn, "runs weekly"))
    func limited() async throws {
        try await withPage(path: "?race=operation-queue,lookahead&latency=20&bandwidth=3") { browser, _ in
            try await ready(browser)
            try await state("running", browser)
            try await state("done", browser)
            let end = try await browser.run(
                Self.helpers
                    + """
                    const praised = ['settle', 'waste'].filter((name) => panes[0].querySelector(`[data-figure="${name}"][data-better]`));
                    return { praised, words: part('headline').textContent + ' ' + part('details').textContent };
                    """)
            #expect(end["praised"] == [], "\(end)")
            #expect(end["words"]?.string?.contains("Both were limited by the network: ") == true, "\(end)")
        }
    }
}
