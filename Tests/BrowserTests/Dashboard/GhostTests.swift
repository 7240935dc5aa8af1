import JSON
import TestSupport
import Testing

extension PageTests.Dashboard {
    private static let showsError =
        "dashboardProbe.fling().then(() => /^(exact|[\\d,]+ rows? off)$/.test(dashboardProbe.ghost.textContent))"

    @Test(
        "a frame on the scrubber runs ahead of the scroll, and at rest it snaps to the view and shows the error",
        .inEveryBrowser)
    func ghost() async throws {
        try await withPage(items: 2_000, path: "?dashboard") { browser, _ in
            try await browser.until("probe.filled() && dashboardProbe.ghost", "first pictures")
            #expect(try await browser.run("return dashboardProbe.ghost.hidden;") == true)
            let ahead = try await browser.wait("return await dashboardProbe.framesAhead();")
            #expect((ahead.integer ?? 0) > 3, "no frame ahead of the marker")
            try await browser.until(Self.showsError, "the error")
            try await browser.until("dashboardProbe.isGhostOverMarker()", "the frame around the view")
            try await browser.until("dashboardProbe.ghost.hidden", "no frame at rest")
            try await browser.press("d")
            try await browser.until("!dashboardProbe.isOpen()", "no dashboard")
            #expect(try await browser.wait("return await dashboardProbe.framesAhead();") == 0)
        }
    }

    @Test("with reduced motion the scrubber shows the error without a frame", .inEveryBrowser)
    func ghostWithoutMotion() async throws {
        try await withPage(items: 2_000, path: "?dashboard") { browser, _ in
            try await browser.emulate(.reducedMotion)
            try await browser.until("probe.filled() && dashboardProbe.ghost", "first pictures")
            try await browser.until(Self.showsError, "the error")
            let style = "return getComputedStyle(dashboardProbe.ghost)"
            #expect(try await browser.run("\(style).borderTopStyle;") == "none")
            #expect(try await browser.run("\(style).transitionDuration;") == "0s")
        }
    }
}
