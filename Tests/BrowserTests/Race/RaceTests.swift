import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("A race")
    struct Races {
        /// Questions to a race on the page.
        static let helpers = """
            const race = document.getElementById('race');
            const part = (name) => race.querySelector(`[data-part="${name}"]`);
            const panes = [...race.querySelectorAll('article')];
            const figure = (pane, name) => pane.querySelector(`[data-figure="${name}"]`).textContent;
            /** Cells of a pane that a person sees, in reading order. */
            const cells = (pane) => {
              const box = pane.querySelector('.view').getBoundingClientRect();
              return [...pane.querySelectorAll('.cell')].filter((cell) => {
                const r = cell.getBoundingClientRect();
                return r.height > 0 && r.bottom > box.top + 2 && r.top < box.bottom - 2;
              });
            };
            const items = (pane) => cells(pane).map((cell) => Number(cell.dataset.item)).join();
            const full = (pane) => cells(pane).every((cell) => probe.number(cell) === Number(cell.dataset.item));
            /** Drops a trace: down at 3,000 px a second for a second, then a rest. */
            const drop = () => {
              const samples = [];
              for (let i = 0; i <= 120; i++) samples.push({ t: i * 16, y: Math.min(i, 60) * 48, phase: i < 60 ? 'momentum' : 'idle' });
              const header = { version: 1, itemCount: 20000, viewport: { width: 600, height: 600 }, layout: { kind: 'grid', itemWidth: 100, itemHeight: 80 } };
              const text = [header, ...samples].map((line) => JSON.stringify(line)).join('\\n');
              const data = new DataTransfer();
              data.items.add(new File([text], 'short.ndjson'));
              race.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
              return probe.until(() => part('scroll').value === 'file', 'the trace');
            };

            """

        /// Keeps the page busy: no frame takes less than 80 ms from now on.
        static let tire =
            "const tire = () => { const end = performance.now() + 250; while (performance.now() < end); requestAnimationFrame(tire); }; tire();"

        func ready(_ browser: Browser) async throws {
            try await browser.wait(
                Self.helpers
                    + "await probe.until(() => race.dataset.state !== 'ready' && part('terms').textContent, 'a race');")
        }

        func state(_ name: String, _ browser: Browser) async throws {
            try await browser.wait(
                Self.helpers
                    + "await probe.until(() => race.dataset.state === '\(name)', 'the race \(name): ' + part('headline').textContent, 55000);"
            )
        }

        @Test(
            "a link opens it and it plays by itself; both sides play the same scroll; the verdict quotes the figures",
            .enabled(if: Weekly.isOn, "runs weekly"), .inEveryBrowser)
        func link() async throws {
            try await withPage(path: "?race=collection-view,lookahead&trace=fling&latency=120&bandwidth=12") {
                browser, demo in
                try await ready(browser)
                let conditions = try await demo.call("GET", "demo/origin")["conditions"]
                #expect(conditions?["bandwidth"] != 12, "a link changes the network of its own page alone")
                let names = try await browser.run(
                    Self.helpers + "return panes.map((pane) => pane.querySelector('h3').textContent.trim());")
                #expect(names == ["iOS app", "Lookahead"])
                #expect(try await browser.run(Self.helpers + "return part('scroll').value;") == "fling")
                #expect(
                    try await browser.run(Self.helpers + "return part('terms').textContent;").string?.contains(
                        "6 of 12\u{a0}Mbit/s") == true)
                let ways = try await browser.run(
                    Self.helpers + "return panes.map((pane) => pane.querySelector('.side p').textContent);")
                #expect(ways == ["Loads as iOS apps do", "Fetches in the order you’ll see them"])
                try await state("running", browser)
                #expect(try await browser.run(Self.helpers + "return part('start').textContent;") == "Stop")
                // The names of the figures stand on one line, the figures on another.
                let lines = try await browser.run(
                    Self.helpers
                        + """
                        const baseline = (element) => {
                          const mark = element.appendChild(document.createElement('i'));
                          mark.style.display = 'inline-block';
                          const { bottom } = mark.getBoundingClientRect();
                          mark.remove();
                          return Math.round(bottom);
                        };
                        return ['dt', 'dd'].map((name) => new Set([...panes[0].querySelectorAll(name)].map(baseline)).size);
                        """)
                #expect(lines == [1, 1])
                let apart = try await browser.wait(
                    Self.helpers
                        + """
                        // However few frames there are, the scroll goes on by its own clock, and one side is better in the end.
                        await probe.frame();
                        let [apart, moved, last] = [0, 0, items(panes[0])];
                        await probe.until(() => {
                          if (race.dataset.state !== 'running') return true;
                          const [left, right] = panes.map(items);
                          if (left !== right) apart += 1;
                          if (left !== last) moved += 1;
                          last = left;
                          return moved > 20;
                        }, 'a scroll');
                        return { apart, moved };
                        """)
                #expect(apart["apart"] == 0, "the two sides do not show the same place")
                #expect((apart["moved"]?.integer ?? 0) > 0, "nothing moved")
                // Enough is seen as soon as one side is better, and both have rested.
                try await browser.wait(
                    Self.helpers
                        + """
                        await probe.until(() => race.querySelector('.blank [data-better]') && panes.every(full), 'the better side');
                        if (race.dataset.state === 'running') part('start').click();
                        """)
                try await state("done", browser)
                let end = try await browser.run(
                    Self.helpers
                        + """
                        const chart = part('chart').getContext('2d');
                        const ink = (x, y, width, height) => chart.getImageData(x, y, width, height).data.some(Boolean);
                        const { width, height } = chart.canvas;
                        return {
                          lede: race.querySelector('.lede').innerText.replaceAll(/\\s+/g, ' '),
                          axes: [ink(0, 0, 32 * devicePixelRatio, height), ink(width / 2, height - 12 * devicePixelRatio, width / 2, 12 * devicePixelRatio)],
                          headline: part('headline').textContent, details: part('details').textContent, spoken: part('spoken').textContent,
                          figures: panes.map((pane) => ['blank', 'slow', 'settle', 'waste'].map((name) => figure(pane, name))),
                          points: part('points').textContent,
                        };
                        """)
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
                #expect(end["spoken"]?.string?.hasSuffix(headline + " " + details) == true, "it is not said aloud")
                #expect(
                    end["lede"]
                        == "The same scroll and the same network on both sides. A cell is loaded, blurred or empty; blank counts blurred and empty cells."
                )
                #expect(end["axes"] == [true, true], "numbers beside the chart and below it")
                #expect(end["points"]?.string?.first?.isNumber == true, "no one big figure")
            }
        }

        @Test("Back closes a race, and so does its button, which leaves no entry to go back to", .inEveryBrowser)
        func back() async throws {
            try await withPage { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                let entries = try await browser.run("return history.length;")
                let isClosed = "!document.getElementById('race').open && location.search === '' && probe.filled()"
                for way in ["Back", "the button", "Back"] {
                    try await browser.run("document.getElementById('race-open').click();")
                    try await browser.until(
                        "document.getElementById('race').open && location.search.includes('race=')", "the race")
                    if way == "Back" {
                        try await browser.goBack()
                    } else {
                        try await browser.run(Self.helpers + "part('close').click();")
                    }
                    try await browser.until(isClosed, "the gallery after \(way)")
                }
                // The entry of the last race is the one that Forward would lead to.
                #expect(
                    try await browser.run("return history.length;").integer == entries.integer.map { $0 + 1 })
            }
        }

        @Test("one's own scrolling of one side moves the other, by wheel and by keys", .inEveryBrowser)
        func own() async throws {
            try await withPage { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("document.getElementById('race-open').click();")
                try await ready(browser)
                let menu = try await browser.run(
                    Self.helpers + "return [...part('race').options].map((option) => option.value);")
                #expect(menu.array?.contains("collection-view,lookahead") == true, "\(menu)")
                // By what people know, not by names of policies.
                let known = try await browser.run(
                    Self.helpers
                        + "return ['Web page', 'iOS', 'Android', 'PhotoKit'].filter((word) => ![...part('race').options].some((option) => option.text.includes(word)));"
                )
                #expect(known == [], "not in the menu")
                try await browser.run(
                    Self.helpers
                        + """
                        part('race').value = 'lookahead:off,lookahead';
                        part('race').dispatchEvent(new Event('change'));
                        part('scroll').value = 'own';
                        part('scroll').dispatchEvent(new Event('change'));
                        """)
                #expect(
                    try await browser.run("return new URLSearchParams(location.search).get('race');")
                        == "lookahead:off,lookahead")
                try await browser.wait(
                    Self.helpers
                        + "await probe.until(() => race.dataset.state === 'running' && part('headline').textContent.startsWith('Scroll either side'), 'the race');"
                )
                try await browser.wheel(by: 400, turns: 6)  // over the left side
                try await browser.wait(
                    Self.helpers
                        + "await probe.until(() => items(panes[0]) === items(panes[1]) && Number(items(panes[1]).split(',')[0]) > 8, 'both there');"
                )
                try await browser.run(Self.helpers + "panes[1].querySelector('.view').focus();")
                try await browser.press(Key.pageDown)
                try await browser.wait(
                    Self.helpers
                        + "await probe.until(() => items(panes[0]) === items(panes[1]) && Number(items(panes[0]).split(',')[0]) > 24 && panes.every(full), 'both further');"
                )
                try await browser.run(Self.helpers + "part('start').click();")
                try await state("done", browser)
                let name = try await browser.run(
                    Self.helpers + "return panes[0].querySelector('h3').textContent.trim();")
                #expect(name == "Lookahead, prefetching off")
            }
        }
    }
}
