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

    @Test("a race on a busy computer has figures, but no verdict, and says why")
    func busy() async throws {
        try await withPage(path: "?race=operation-queue,lookahead&latency=100&bandwidth=25") { browser, _ in
            try await ready(browser)
            try await state("running", browser)
            try await browser.run(Self.tire)
            try await browser.wait(Self.helpers + "await drop();")
            try await state("done", browser)
            let end = try await browser.run(
                Self.helpers
                    + """
                    return { marks: race.querySelectorAll('[data-better], [data-winner]').length, points: part('points').hidden,
                      headline: part('headline').textContent, spoken: part('spoken').textContent, blank: panes.map((pane) => figure(pane, 'blank')) };
                    """)
            #expect(end["marks"] == 0 && end["points"] == true, "\(end)")
            #expect(end["headline"] == "This computer was too busy to compare.", "\(end)")
            #expect(end["headline"] == end["spoken"], "it is not said aloud")
            #expect(end["blank"]?.array?.allSatisfy { $0.string?.hasSuffix("%") == true } == true, "\(end)")
        }
    }

    @Test("one's own scrolling stopped at once has no verdict, but a sentence that says so", .inEveryBrowser)
    func stoppedAtOnce() async throws {
        try await withPage(path: "?race=lookahead:off,lookahead&trace=own") { browser, _ in
            try await ready(browser)
            try await state("running", browser)
            try await browser.run(Self.helpers + "part('start').click();")
            try await state("done", browser)
            let end = try await browser.run(
                Self.helpers
                    + """
                    return { marks: race.querySelectorAll('[data-better], [data-winner]').length, points: part('points').hidden,
                      headline: part('headline').textContent, details: part('details').textContent, spoken: part('spoken').textContent };
                    """)
            #expect(end["marks"] == 0 && end["points"] == true && end["details"] == "", "\(end)")
            #expect(end["headline"] == "Stopped too early to compare: scroll at least one screen.", "\(end)")
            #expect(end["headline"] == end["spoken"], "it is not said aloud")
        }
    }

    @Test(
        "where both lines are full the verdict names the network; the better figure stands out on either side",
        .enabled(if: Weekly.isOn, "runs weekly"))
    func limited() async throws {
        try await withPage(path: "?race=operation-queue,lookahead&latency=20&bandwidth=3") { browser, _ in
            try await ready(browser)
            try await state("running", browser)
            try await state("done", browser)
            let end = try await browser.run(
                Self.helpers
                    + """
                    // Of each figure with a better side, the smaller number stands out.
                    const wrong = ['blank', 'empty', 'slow', 'waste'].filter((name) => {
                      const [left, right] = panes.map((pane) => pane.querySelector(`[data-figure="${name}"]`));
                      const [one, other] = [left, right].map((field) => parseFloat(field.textContent));
                      return (left.matches('[data-better]') && one >= other) || (right.matches('[data-better]') && other >= one);
                    });
                    return { wrong, words: part('headline').textContent + ' ' + part('details').textContent };
                    """)
            #expect(end["wrong"] == [], "\(end)")
            #expect(end["words"]?.string?.contains("Both were limited by the network: ") == true, "\(end)")
        }
    }
}
