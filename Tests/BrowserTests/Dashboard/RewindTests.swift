import JSON
import TestSupport
import Testing

extension PageTests.Dashboard {
    @Test(
        "the slider shows each cell as it was, posts no update, and Live returns to the person's position",
        .inEveryBrowser)
    func rewind() async throws {
        try await withPage(latency: 1_000, path: "?dashboard") { browser, _ in
            try await browser.until("probe.filled()", "first pictures")
            try await browser.wait("await dashboardProbe.visit(60000);")
            try await browser.wait("await dashboardProbe.visit(120000);")
            try await browser.wait("await sessionProbe.quiet();")
            let session = try await browser.session()
            let before = try await browser.wait("return await dashboardProbe.updates('\(session)');")
            // No picture arrives within a quarter of the latency.
            try await browser.run("dashboardProbe.rewindTo(dashboardProbe.page.visits[0].came + 250);")
            try await browser.until("probe.visible().length > 5", "the cells of that place")
            let blank = try await browser.run("return dashboardProbe.past();")
            #expect(blank["top"] == 60_000)
            #expect(blank["shown"] == 0 && blank["blank"] == blank["cells"], "\(blank)")
            try await browser.run("dashboardProbe.rewindTo(dashboardProbe.page.visits[0].left - 50);")
            try await browser.until("probe.filled()", "the pictures of that place")
            let loaded = try await browser.run("return dashboardProbe.past();")
            #expect(loaded["top"] == 60_000)
            #expect(loaded["blank"] == 0 && loaded["shown"] == loaded["cells"], "\(loaded)")
            try await browser.run("dashboardProbe.part('live').click();")
            let present = try await browser.run("return [dashboardProbe.isPast(), probe.scroller.scrollTop];")
            #expect(present == [false, 120_000])
            try await browser.until("probe.filled()", "the pictures of the present")
            try await browser.wait("await sessionProbe.quiet();")
            #expect(try await browser.wait("return await dashboardProbe.updates('\(session)');") == before)
        }
    }

    @Test(
        "Escape in the slider returns to the present, and a scroll continues from the moment on show", .inEveryBrowser)
    func endOfRewind() async throws {
        try await withPage(path: "?dashboard") { browser, _ in
            try await browser.until("probe.filled()", "first pictures")
            try await browser.wait("await dashboardProbe.visit(60000);")
            try await browser.wait("await dashboardProbe.visit(120000);")
            try await browser.run("dashboardProbe.part('rewind').focus();")
            try await browser.press(Key.left)
            try await browser.until("dashboardProbe.isPast()", "the past")
            try await browser.press(Key.escape)
            try await browser.until("!dashboardProbe.isPast() && probe.scroller.scrollTop === 120000", "the present")
            try await browser.run("dashboardProbe.rewindTo(dashboardProbe.page.visits[0].left - 50);")
            try await browser.until("dashboardProbe.isPast() && probe.scroller.scrollTop === 60000", "the past again")
            try await browser.wheel(by: 100)
            try await browser.until(
                "!dashboardProbe.isPast() && probe.scroller.scrollTop > 60000 && probe.scroller.scrollTop < 70000",
                "a scroll from there")
            try await browser.until("probe.filled()", "its pictures")
        }
    }

    @Test("the server simulates the minute with another policy and network, which is drawn beside it", .inEveryBrowser)
    func simulation() async throws {
        try await withPage(latency: 100, path: "?dashboard") { browser, _ in
            try await browser.until("probe.filled()", "first pictures")
            try await browser.wait("await dashboardProbe.visit(60000);")
            try await browser.run("dashboardProbe.rewindTo(dashboardProbe.page.visits[0].came);")
            try await browser.run("dashboardProbe.simulate('collection-view', 2000, 1);")
            try await browser.until("dashboardProbe.isCompared()", "both shares")
            try await browser.until("dashboardProbe.isWaterfallDrawn('simulated')", "the simulated minute")
            try await browser.run("dashboardProbe.part('as-simulated').click();")
            try await browser.run("dashboardProbe.rewindTo(dashboardProbe.page.visits[0].came + 1000);")
            let past = try await browser.run("return dashboardProbe.past();")
            #expect(past["shown"] == 0 && past["blank"] == past["cells"], "\(past)")
        }
    }

    @Test("a button copies a link to a race of the scroll from the moment on show", .inEveryBrowser)
    func raceLink() async throws {
        try await withPage(path: "?dashboard") { browser, _ in
            try await browser.until("probe.filled()", "first pictures")
            try await browser.wait("await dashboardProbe.visit(60000);")
            try await browser.run("dashboardProbe.rewindTo(dashboardProbe.page.visits[0].left - 50);")
            let link = try await browser.wait(
                "return await sessionProbe.copiedLink(dashboardProbe.part('race-link'));")
            try await browser.open(try #require(link.string))
            try await browser.until(
                "raceProbe.dialog.dataset.state === 'done' && raceProbe.part('scroll').value === 'link'", "the race")
            // The moment on show is after the jump.
            try await browser.until(
                "raceProbe.panes.every((pane) => pane.querySelector('.view').scrollTop > 10000)", "the place")
        }
    }
}
