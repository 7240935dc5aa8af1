import JSON
import TestSupport
import Testing

extension PageTests.Races {
    @Test("with reduced motion a race waits for its Start button", .inEveryBrowser)
    func withoutMotion() async throws {
        try await withPage { browser, _ in
            try await browser.emulate(.reducedMotion)
            try await browser.until("probe.filled()", "first pictures")
            try await browser.run("raceProbe.open();")
            try await browser.until("raceProbe.text('terms')", "a race")
            #expect(try await browser.run("return raceProbe.dialog.dataset.state;") == "ready")
            try await browser.run("raceProbe.part('start').click();")
            try await state("running", browser)
        }
    }

    @Test("a blur fills its cell, and the bar stays on one line", .inEveryBrowser)
    func blurAndBar() async throws {
        try await withPage { browser, demo in
            try await browser.resize(width: 1440, height: 900)
            try await browser.until("Math.abs(innerWidth - 1440) < 20", "the window")
            try await browser.open(demo.address + "?race=operation-queue:off,scroll-end:off&trace=read")
            try await ready(browser)
            try await state("running", browser)
            let found = try await browser.run("return raceProbe.layout();")
            #expect(found["position"] == "absolute" && found["isWhole"] == true, "\(found)")
            #expect(found["menus"] == 4 && found["isOneLine"] == true, "\(found)")
        }
    }

    @Test(
        "panes keep their height and menus show whole words, on a phone in both orientations and at 400 % zoom",
        .enabled(if: Weekly.isOn, "runs weekly"), .inEveryBrowser, arguments: [[390, 844], [844, 390], [320, 256]])
    func phone(size: [Int]) async throws {
        try await withPage { browser, _ in
            try await browser.emulate(.device(width: size[0], height: size[1], scale: 2, touch: true))
            try await browser.until("innerWidth === \(size[0])", "the window")
            try await browser.run("history.replaceState(null, '', '?race'); location.reload();")
            try await browser.until("document.getElementById('race')?.open", "the race")
            try await ready(browser)
            let boxes = try await browser.run("return raceProbe.boxes();")
            #expect(boxes["stacked"] == .bool(size[0] < 700))
            #expect((boxes["height"]?.number ?? 0) > 150, "\(boxes)")
            #expect(boxes["outside"] == [] && boxes["cut"] == [], "\(boxes)")
            // The verdict scrolls into view by itself.
            try await state("running", browser)
            try await browser.run("raceProbe.part('start').click();")
            try await state("done", browser)
            let top = try await browser.run("return raceProbe.part('headline').getBoundingClientRect().top;")
            #expect((0..<Double(size[1]) - 20).contains(top.number ?? -1), "\(top)")
        }
    }
}
