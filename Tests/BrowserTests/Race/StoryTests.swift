import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("The story compares a scroll without and with prefetching")
    struct Story {
        private func state(_ name: String, _ browser: Browser) async throws {
            try await browser.until(
                "document.getElementById('story')?.dataset.state === '\(name)'", "the story \(name)")
        }

        /// Waits until the story is closed, the grid has the focus, and the gallery's session is the only one.
        private func closed(_ browser: Browser) async throws {
            try await browser.wait("await raceProbe.storyEnded();")
        }

        /// Gives the page time to show the story, and expects that it does not.
        private func absent(_ browser: Browser) async throws {
            // A picture of a slow origin may have failed: the page does not wait for it, either.
            try await browser.until(
                "probe.visible().length && probe.visible().every((cell) => cell.dataset.state !== 'waiting') && \(FirstScreen.complete)",
                "all of the page")
            #expect(try await browser.wait("return await raceProbe.storyAppears();") == [false, false])
        }

        @Test(
            "the story plays one scroll on both sides, compares the figures, and its button leads to the gallery",
            .inEveryBrowser)
        func whole() async throws {
            try await withPage(latency: 150, bandwidth: 25, path: "?story") { browser, _ in
                try await state("playing", browser)
                let start = try await browser.wait("return await raceProbe.storyStart();")
                #expect(start["strip"] == "Same scroll. Same 25\u{a0}Mbit/s network. 20,000\u{a0}pictures.")
                #expect(start["names"] == ["Without prefetching", "With prefetching"])
                #expect(start["focus"] == "Skip" && start["isModal"] == true, "\(start)")
                #expect(start["result"] == "" && start["role"] == "status", "\(start)")
                #expect(start["sessions"] == 3)
                try await state("done", browser)
                let end = try await browser.wait("return await raceProbe.storyEnd();")
                let shares = (end["shares"]?.array ?? []).compactMap { $0.string }
                try #require(shares.count == 2)
                let numbers = shares.compactMap { Double($0.dropLast()) }
                #expect(numbers.count == 2 && numbers[1] + 2 <= numbers[0], "\(end)")
                let isBusy = end["result"] == "This computer was too busy to compare."
                #expect(isBusy || end["result"] == .string("\(shares[1]) empty instead of \(shares[0])."), "\(end)")
                // The story ends at the moment with the largest lead of prefetching, not on two full grids.
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

        @Test("the story keeps the focus, and Escape skips it", .inEveryBrowser)
        func skipped() async throws {
            try await withPage(path: "?story") { browser, _ in
                try await state("playing", browser)
                for _ in 0..<3 {
                    try await browser.press(Key.tab)
                    // The browser's own controls may have the focus in between. Then nothing of the page has it.
                    #expect(
                        try await browser.run(
                            "return raceProbe.story.contains(document.activeElement) || document.activeElement === document.body;"
                        ) == true)
                }
                try await browser.press(Key.escape)
                try await closed(browser)
                try await browser.run("raceProbe.open();")
                try await browser.until("raceProbe.dialog.open", "the race")
            }
        }

        @Test(
            "with reduced motion the story shows only its end", .enabled(if: Weekly.isOn, "runs weekly"))
        func withoutMotion() async throws {
            try await withPage { browser, demo in
                try await browser.emulate(.reducedMotion)
                try await browser.open(demo.address + "?story")
                try await state("playing", browser)
                let presence = "return raceProbe.storyPresence();"
                #expect(try await browser.run(presence) == [false, false, false])
                try await state("done", browser)
                #expect(try await browser.run(presence) == [true, true, true])
                let result = try await browser.run("return raceProbe.storyPart('result').textContent;")
                #expect(result.string?.contains(#/[\d.]+% empty|Nothing was empty|too busy/#) == true, "\(result)")
            }
        }

        @Test("with reduced motion the story does not open if a person goes on using the gallery")
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

        @Test(
            "on a busy computer the story ends without a winner and says why", .enabled(if: Weekly.isOn, "runs weekly"))
        func busy() async throws {
            try await withPage(latency: 100, path: "?story") { browser, _ in
                try await state("playing", browser)
                try await browser.run("raceProbe.tire();")
                try await state("done", browser)
                let end = try await browser.run(
                    "return [raceProbe.storyPart('result').textContent, raceProbe.story.querySelectorAll('[data-winner]').length];"
                )
                #expect(end == ["This computer was too busy to compare.", 0])
            }
        }

        /// Opens the demo in a browser that does not say that it is automated.
        private func visit(_ demo: Demo, _ browser: Browser) async throws {
            try await browser.devtools(
                "Page.addScriptToEvaluateOnNewDocument",
                ["source": "Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false });"])
            try await browser.open(demo.address)
        }

        @Test("the story opens by itself at the first visit, after the page's own pictures, and never again")
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

        @Test(
            "the story does not open after a person has pressed a key", .enabled(if: Weekly.isOn, "runs weekly"))
        func atWork() async throws {
            try await withPage(latency: 5000, path: "api/v1/galleries") { browser, demo in
                try await visit(demo, browser)
                try await browser.until("probe.visible().length > 20 && \(FirstScreen.complete)", "the page")
                try await browser.press(Key.shift)
                try await absent(browser)
            }
        }

        @Test("the story does not open by itself in an automated browser", .inEveryBrowser)
        func driven() async throws {
            try await withPage { browser, _ in
                #expect(try await browser.run("return navigator.webdriver;") == true)
                try await absent(browser)
                #expect(try await browser.run("return Object.keys(localStorage).includes('lookahead-story');") == false)
            }
        }

        @Test("the story closes if the server goes away")
        func serverGone() async throws {
            try await withPage(path: "?story") { browser, demo in
                try await state("playing", browser)
                demo.kill()
                try await browser.until("raceProbe.isStoryClosed()", "the gallery")
            }
        }

        @Test(
            "the story fits on a phone, and stacks its panes if the phone is upright",
            .enabled(if: Weekly.isOn, "runs weekly"), .inEveryBrowser,
            arguments: [[390, 844], [320, 640], [844, 390]])
        func phone(size: [Int]) async throws {
            try await withPage { browser, demo in
                try await browser.emulate(.device(width: size[0], height: size[1], scale: 2, touch: true))
                try await browser.until("innerWidth === \(size[0])", "the window")
                try await browser.run("history.replaceState(null, '', '?story'); location.reload();")
                try await state("playing", browser)
                let boxes = try await browser.run("return raceProbe.storyBoxes();")
                #expect(boxes["stacked"] == .bool(size[0] < 700))
                #expect((boxes["height"]?.number ?? 0) > 150, "\(boxes)")
                #expect(boxes["outside"] == [], "\(boxes)")
            }
        }
    }
}
