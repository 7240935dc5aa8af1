import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("The story of the demo")
    struct Story {
        /// Questions to the story on the page.
        private static let helpers = """
            const story = document.getElementById('story');
            const part = (name) => story.querySelector(`[data-part="${name}"]`);
            const panes = [...story.querySelectorAll('article')];
            const sessions = async () => (await probe.get('/api/v1/stats')).sessions[0].value;
            const isInGrid = () => document.getElementById('grid').contains(document.activeElement);

            """

        private func state(_ name: String, _ browser: Browser) async throws {
            try await browser.until(
                "document.getElementById('story')?.dataset.state === '\(name)'", "the story \(name)")
        }

        /// Closed, with the focus in the grid, and no session but the gallery's.
        private func closed(_ browser: Browser) async throws {
            try await browser.wait(
                Self.helpers
                    + """
                    await probe.until(() => !story.open && isInGrid(), 'the gallery');
                    await probe.until(async () => (await sessions()) === 1, 'the gallery’s session alone');
                    if (location.search.includes('story')) throw new Error('it would come again');
                    """)
        }

        /// The code that would show the story has had its time, and did not.
        private func absent(_ browser: Browser) async throws {
            // A picture of a slow origin may have failed: it is not waited for, either.
            try await browser.until(
                "probe.visible().length && probe.visible().every((cell) => cell.dataset.state !== 'waiting') && \(FirstScreen.complete)",
                "all of the page")
            let found = try await browser.wait(
                Self.helpers
                    + """
                    await new Promise((resolve) => requestIdleCallback(resolve));
                    for (let frame = 0; frame < 60; frame++) await probe.frame();
                    return [story.open, performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/story/story.js'))];
                    """)
            #expect(found == [false, false])
        }

        @Test(
            "it plays one scroll on both sides, tells both figures, and hands the gallery over by its button",
            .inEveryBrowser)
        func whole() async throws {
            try await withPage(latency: 150, bandwidth: 25, path: "?story") { browser, _ in
                try await state("playing", browser)
                let start = try await browser.wait(
                    Self.helpers
                        + """
                        await probe.until(() => panes.every((pane) => /^[\\d.]+% empty$/.test(pane.querySelector('output').textContent)), 'figures');
                        const label = document.getElementById(story.getAttribute('aria-labelledby'));
                        return {
                          strip: label.textContent, names: panes.map((pane) => pane.querySelector('h3').textContent.trim()),
                          focus: document.activeElement.textContent, result: part('result').textContent, role: part('result').role ?? part('result').getAttribute('role'),
                          isModal: story.matches(':modal'), sessions: await sessions(),
                        };
                        """)
                #expect(start["strip"] == "Same scroll. Same 25\u{a0}Mbit/s network. 20,000\u{a0}pictures.")
                #expect(start["names"] == ["Without prefetching", "With prefetching"])
                #expect(start["focus"] == "Skip" && start["isModal"] == true, "\(start)")
                #expect(start["result"] == "" && start["role"] == "status", "\(start)")
                #expect(start["sessions"] == 3)
                try await state("done", browser)
                let end = try await browser.wait(
                    Self.helpers
                        + """
                        const moment = part('moment').textContent.match(/After [\\d.]+\\ss, (\\d+) and (\\d+) of (\\d+) were loaded\\.$/).slice(1).map(Number);
                        const inView = (pane, state) => {
                          const { top, bottom } = pane.querySelector('.view').getBoundingClientRect();
                          return [...pane.querySelectorAll(`.cell[data-state="${state}"]`)].filter((cell) => {
                            const box = cell.getBoundingClientRect();
                            return box.height && box.bottom > top && box.top < bottom;
                          }).length;
                        };
                        await probe.until(() => inView(panes[1], 'ready') > inView(panes[0], 'ready'), 'the pictures of that moment');
                        const timelines = panes.map((pane) => {
                          const canvas = pane.querySelector('canvas');
                          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
                          return data.filter((value, index) => index % 4 === 3 && value > 0).length / (canvas.width * canvas.height);
                        });
                        const shares = panes.map((pane) => pane.querySelector('output').textContent.split(' ')[0]);
                        return {
                          shares, moment, waiting: inView(panes[0], 'waiting'), timelines, result: part('result').textContent, focus: document.activeElement.textContent,
                          items: panes.map((pane) => [...pane.querySelectorAll('.row:not([hidden]) .cell')].map((cell) => cell.dataset.item).join()),
                        };
                        """)
                let shares = (end["shares"]?.array ?? []).compactMap { $0.string }
                try #require(shares.count == 2)
                let numbers = shares.compactMap { Double($0.dropLast()) }
                #expect(numbers.count == 2 && numbers[1] + 2 <= numbers[0], "\(end)")
                let isBusy = end["result"] == "This computer was too busy to compare."
                #expect(isBusy || end["result"] == .string("\(shares[1]) empty instead of \(shares[0])."), "\(end)")
                // It ends on the moment at which prefetching had most more loaded, not on two full grids.
                let moment = (end["moment"]?.array ?? []).compactMap { $0.integer }
                try #require(moment.count == 3)
                #expect(moment[0] < moment[1], "\(end)")
                #expect((end["waiting"]?.integer ?? 0) > 0, "\(end)")
                let timelines = (end["timelines"]?.array ?? []).compactMap { $0.number }
                #expect(timelines.count == 2 && timelines[0] > 0 && timelines[0] < timelines[1], "\(end)")
                let items = (end["items"]?.array ?? []).compactMap { $0.string }
                #expect(items.count == 2 && items[0] == items[1] && !items[0].isEmpty, "not the same place")
                #expect(end["focus"] == "Try it yourself")
                try await browser.press(Key.enter)
                try await closed(browser)
            }
        }

        @Test("the focus stays in it, and Escape skips it", .inEveryBrowser)
        func skipped() async throws {
            try await withPage(path: "?story") { browser, _ in
                try await state("playing", browser)
                for _ in 0..<3 {
                    try await browser.press(Key.tab)
                    // A browser's own controls may come between: then nothing of the page has it.
                    #expect(
                        try await browser.run(
                            Self.helpers
                                + "return story.contains(document.activeElement) || document.activeElement === document.body;"
                        ) == true)
                }
                try await browser.press(Key.escape)
                try await closed(browser)
                try await browser.run("document.getElementById('race-open').click();")
                try await browser.until("document.getElementById('race').open", "the race, as ever")
            }
        }

        @Test("whoever wants no motion sees nothing of it but its end")
        func withoutMotion() async throws {
            try await withPage { browser, demo in
                try await browser.emulate(.reducedMotion)
                try await browser.open(demo.address + "?story")
                try await state("playing", browser)
                let seen =
                    Self.helpers
                    + "return [story.checkVisibility({ visibilityProperty: true }), story.matches(':modal'), document.activeElement === part('leave')];"
                #expect(try await browser.run(seen) == [false, false, false])
                try await state("done", browser)
                #expect(try await browser.run(seen) == [true, true, true])
                let result = try await browser.run(Self.helpers + "return part('result').textContent;")
                #expect(result.string?.contains(#/[\d.]+% empty|Nothing was empty|too busy/#) == true, "\(result)")
            }
        }

        @Test("whoever wants no motion and goes on using the gallery does not get it")
        func withoutMotionAtWork() async throws {
            try await withPage { browser, demo in
                try await browser.emulate(.reducedMotion)
                try await browser.open(demo.address + "?story")
                try await state("playing", browser)
                try await browser.press("/")
                try await browser.until(
                    "!document.getElementById('story').open && document.activeElement.matches('#search input')",
                    "the search alone")
            }
        }

        @Test("on a busy computer its end shows no winner and says why")
        func busy() async throws {
            try await withPage(latency: 100, path: "?story") { browser, _ in
                try await state("playing", browser)
                try await browser.run(Races.tire)
                try await state("done", browser)
                let end = try await browser.run(
                    Self.helpers
                        + "return [part('result').textContent, story.querySelectorAll('[data-winner]').length];")
                #expect(end == ["This computer was too busy to compare.", 0])
            }
        }

        /// As in a browser that nobody drives.
        private func visit(_ demo: Demo, _ browser: Browser) async throws {
            try await browser.devtools(
                "Page.addScriptToEvaluateOnNewDocument",
                ["source": "Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false });"])
            try await browser.open(demo.address)
        }

        @Test("it comes by itself at a first visit, after the page's own pictures, and never again")
        func once() async throws {
            try await withPage(path: "api/v1/galleries") { browser, demo in
                try await visit(demo, browser)
                try await browser.until("document.getElementById('story')?.open", "the story")
                let states = try await browser.run(
                    "return probe.visible().filter((cell) => cell.closest('#grid')).map((cell) => cell.dataset.state);")
                #expect((states.array?.count ?? 0) > 20 && states.array?.allSatisfy { $0 == "ready" } == true)
                try await browser.run("document.querySelector('#story [data-part=leave]').click();")
                try await closed(browser)
                try await browser.reload()
                try await absent(browser)
            }
        }

        @Test("whoever does something before it comes is left alone")
        func atWork() async throws {
            try await withPage(latency: 5000, path: "api/v1/galleries") { browser, demo in
                try await visit(demo, browser)
                try await browser.until("probe.visible().length > 20 && \(FirstScreen.complete)", "the page")
                try await browser.press(Key.shift)
                try await absent(browser)
            }
        }

        @Test("a browser that is driven does not get it unasked", .inEveryBrowser)
        func driven() async throws {
            try await withPage { browser, _ in
                #expect(try await browser.run("return navigator.webdriver;") == true)
                try await absent(browser)
                #expect(try await browser.run("return Object.keys(localStorage).includes('lookahead-story');") == false)
            }
        }

        @Test("a server that goes ends it without a word")
        func serverGone() async throws {
            try await withPage(path: "?story") { browser, demo in
                try await state("playing", browser)
                demo.kill()
                try await browser.wait(
                    Self.helpers + "await probe.until(() => !story.open && isInGrid(), 'the gallery');")
            }
        }

        @Test(
            "on a phone one pane is above the other, and all is in reach", .inEveryBrowser,
            arguments: [[390, 844], [320, 640], [844, 390]])
        func phone(size: [Int]) async throws {
            try await withPage { browser, demo in
                try await browser.emulate(.device(width: size[0], height: size[1], scale: 2, touch: true))
                try await browser.until("innerWidth === \(size[0])", "the window")
                try await browser.run("history.replaceState(null, '', '?story'); location.reload();")
                try await state("playing", browser)
                let boxes = try await browser.run(
                    Self.helpers
                        + """
                        const [a, b] = panes.map((pane) => pane.querySelector('.view').getBoundingClientRect());
                        const isOut = ({ left, top, right, bottom }) => left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
                        const outside = [...story.querySelectorAll('h2, h3, output, button, .pane, p')].filter((e) => e.checkVisibility() && isOut(e.getBoundingClientRect()));
                        return { stacked: a.bottom <= b.top, height: Math.min(a.height, b.height), outside: outside.map((e) => e.outerHTML.slice(0, 80)) };
                        """)
                #expect(boxes["stacked"] == .bool(size[0] < 700))
                #expect((boxes["height"]?.number ?? 0) > 150, "\(boxes)")
                #expect(boxes["outside"] == [], "\(boxes)")
            }
        }
    }
}
