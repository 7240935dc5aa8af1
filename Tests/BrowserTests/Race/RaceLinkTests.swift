import JSON
import TestSupport
import Testing

extension PageTests.Races {
    /// Two seconds of a scroll, by 2,880 px.
    private static let scroll = "#trace=yzXQNsg1NNM2sRglaUdmwkmDUYIoAgA"

    @Test(
        "a link with a scroll opens a race that plays it, and closing the race removes the scroll from the address",
        .inEveryBrowser)
    func scrollInLink() async throws {
        try await withPage(path: "?race=collection-view,lookahead&trace=link\(Self.scroll)") { browser, _ in
            try await ready(browser)
            #expect(try await browser.run("return raceProbe.part('scroll').value;") == "link")
            #expect(try await browser.run("return location.hash;") == .string(Self.scroll))
            try await browser.until("raceProbe.areTogether(24)", "the scroll on both sides")
            try await state("done", browser)
            // The address contains the scroll only if it is chosen.
            try await browser.run("raceProbe.choose('scroll', 'fling');")
            #expect(try await browser.run("return location.hash;") == "")
            try await browser.run("raceProbe.choose('scroll', 'link');")
            #expect(try await browser.run("return location.hash;") == .string(Self.scroll))
            try await browser.run("raceProbe.part('close').click();")
            try await browser.until("!raceProbe.dialog.open && location.search + location.hash === ''", "the gallery")
        }
    }

    @Test("an incomplete link opens the race, which says so and can play other scrolls", .inEveryBrowser)
    func incompleteLink() async throws {
        try await withPage(path: "?race=collection-view,lookahead&trace=link\(Self.scroll.dropLast(9))") { browser, _ in
            try await browser.until(
                "raceProbe.text('headline') === 'The scroll in this link is incomplete or too long.'", "the message")
            #expect(
                try await browser.run("return [raceProbe.part('scroll').value, location.hash];") == ["wheel", ""])
            try await browser.run("raceProbe.part('start').click();")
            try await state("running", browser)
        }
    }
}
