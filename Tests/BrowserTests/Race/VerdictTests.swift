import JSON
import TestSupport
import Testing

extension PageTests.Races {
    @Test("no side stands out in the first third of the scroll, and a race stopped by then has no verdict")
    func early() async throws {
        try await withPage(path: "?race=operation-queue,lookahead&latency=300&bandwidth=100") { browser, _ in
            try await ready(browser)
            try await state("running", browser)
            let early = try await browser.wait("return await raceProbe.stopOnceDifferent();")
            #expect(early == ["better": 0, "scroll": "wheel"])
            try await state("done", browser)
            let end = try await browser.run("return raceProbe.verdict();")
            #expect(end["marks"] == 0 && end["hidesPoints"] == true, "\(end)")
            #expect(end["headline"]?.string?.hasPrefix("Stopped too early") == true, "\(end)")
            #expect(end["headline"] == end["spoken"], "the verdict is not announced")
        }
    }

    @Test(
        "a race on a busy computer shows figures but no verdict, and says why", .enabled(if: Weekly.isOn, "runs weekly")
    )
    func busy() async throws {
        try await withPage(path: "?race=operation-queue,lookahead&latency=100&bandwidth=25") { browser, _ in
            try await ready(browser)
            try await state("running", browser)
            try await browser.run("raceProbe.tire();")
            try await browser.wait("await raceProbe.drop();")
            try await state("done", browser)
            let end = try await browser.run("return raceProbe.verdict();")
            #expect(end["marks"] == 0 && end["hidesPoints"] == true, "\(end)")
            #expect(end["headline"] == "This computer was too busy to compare.", "\(end)")
            #expect(end["headline"] == end["spoken"], "the verdict is not announced")
            let blank = try await browser.run("return raceProbe.figures('blank');")
            #expect(blank.array?.allSatisfy { $0.string?.hasSuffix("%") == true } == true, "\(blank)")
        }
    }

    @Test("a race of one's own scrolling that is stopped at once has no verdict, and says so", .inEveryBrowser)
    func stoppedAtOnce() async throws {
        try await withPage(path: "?race=lookahead:off,lookahead&trace=own") { browser, _ in
            try await ready(browser)
            try await state("running", browser)
            try await browser.run("raceProbe.part('start').click();")
            try await state("done", browser)
            let end = try await browser.run("return raceProbe.verdict();")
            #expect(end["marks"] == 0 && end["hidesPoints"] == true && end["details"] == "", "\(end)")
            #expect(end["headline"] == "Stopped too early to compare: scroll at least one screen.", "\(end)")
            #expect(end["headline"] == end["spoken"], "the verdict is not announced")
        }
    }

    @Test(
        "the verdict names the network if it limited both sides, and the better figure stands out on either side",
        .enabled(if: Weekly.isOn, "runs weekly"))
    func limited() async throws {
        try await withPage(path: "?race=operation-queue,lookahead&latency=20&bandwidth=3") { browser, _ in
            try await ready(browser)
            try await state("running", browser)
            try await state("done", browser)
            let wrong = try await browser.run("return raceProbe.wronglyMarked();")
            #expect(wrong == [], "\(wrong)")
            let words = try await browser.run("return `${raceProbe.text('headline')} ${raceProbe.text('details')}`;")
            #expect(words.string?.contains("Both were limited by the network: ") == true, "\(words)")
        }
    }
}
