import JSON
import TestSupport
import Testing

extension PageTests.Dashboard {
    @Test(
        "the dashboard begins with a sentence on the scroll so far, and counts no cancellations before the first scroll",
        .inEveryBrowser)
    func sentence() async throws {
        try await withPage(latency: 150, bandwidth: 8, path: "?dashboard") { browser, _ in
            try await browser.until("probe.filled()", "first pictures")
            // Downloads that a layout change drops do not count as cancelled by the person.
            try await browser.run("probe.choose('masonry');")
            try await browser.until("probe.layout === 'masonry' && probe.filled()", "masonry")
            try await browser.run("probe.choose('grid');")
            try await browser.until("probe.filled()", "the grid again")
            #expect(
                try await browser.run("return document.querySelector('[data-field=cancelled]').textContent;") == "0"
            )
            #expect(try await browser.run("return dashboardProbe.sentence.startsWith('Scroll');") == true)
            try await browser.wait("await dashboardProbe.scroll(150); probe.scroller.scrollTop = 90000;")
            try await browser.until(
                "/^[\\d,]+ pictures? fetched before you got there, [\\d,]+ cancelled because you moved on\\.$/.test(dashboardProbe.sentence)",
                "the sentence")
        }
    }

    @Test(
        "colour-blind people can distinguish the five states of the legend, and each figure says which way is better",
        .enabled(if: Weekly.isOn, "runs weekly"), .whereEnginesDiffer, arguments: ["light", "dark"])
    func colours(scheme: String) async throws {
        try await withWarmPage(path: "?dashboard") { browser in
            try await browser.emulate(.colorScheme(scheme))
            try await browser.until("probe.filled()", "first pictures")
            let found = try await browser.run("return dashboardProbe.colours();")
            #expect(found["states"]?.integer == 5)
            #expect((found["apart"]?.number ?? 0) > 20, "\(found)")
            #expect((found["outline"]?.number ?? 0) >= 3, "\(found)")
            #expect(found["accent"] == false && found["ways"] == 7, "\(found)")
            #expect(found["red"] == ["failed"] && found["grey"] == ["cancelled", "idle"], "\(found)")
        }
    }

    @Test("the dashboard shows no stale values while the server does not respond", .inEveryBrowser)
    func offline() async throws {
        try await withPage(path: "?dashboard") { browser, demo in
            try await browser.until("probe.filled()", "first pictures")
            try await browser.wait("await dashboardProbe.scroll(20);")
            try await browser.until("dashboardProbe.hasAllValues()", "the figures")
            demo.kill()
            try await browser.until("dashboardProbe.isOffline()", "no values")
        }
    }
}
