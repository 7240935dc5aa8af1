import JSON
import Testing

extension PageTests {
    @Suite("Controls are large enough for fingers")
    struct Fingers {
        @Test("on a phone every control and cell is at least 24 px wide and high", .inEveryBrowser)
        func targets() async throws {
            try await withPhone { browser in
                try await browser.until("probe.filled()", "first pictures")
                #expect(try await browser.run("return pageProbe.tinyTargets();") == [])
            }
        }

        @Test(
            "controls of the menu, the dashboard, the race and the viewer are at least 44 px wide and high on a phone",
            .inEveryBrowser)
        func fingers() async throws {
            try await withPhone { browser in
                try await browser.until("probe.filled()", "first pictures")
                func small(in place: String) async throws -> JSON {
                    try await browser.run("return pageProbe.smallTargets('\(place)');")
                }
                #expect(try await small(in: "#bar") == [])
                try await browser.run("document.getElementById('tools-open').click();")
                try await browser.until("document.getElementById('share-open').checkVisibility()", "the menu")
                #expect(try await small(in: "#tools") == [])
                try await browser.run("document.getElementById('share-open').click();")
                try await browser.until("document.getElementById('presenter').checkVisibility()", "the dialog")
                #expect(try await small(in: "#sharing") == [])
                try await browser.run(
                    "document.getElementById('sharing').hidePopover(); document.getElementById('dashboard-toggle').click();"
                )
                try await browser.until("document.getElementById('record').checkVisibility()", "the dashboard")
                #expect(try await small(in: "#dashboard") == [])
                let isBelow = try await browser.run(
                    "return probe.scroller.getBoundingClientRect().bottom <= document.getElementById('dashboard').getBoundingClientRect().top + 0.5;"
                )
                #expect(isBelow == true, "it covers pictures that count as visible")
                try await browser.run("document.getElementById('dashboard-toggle').click();")
                try await browser.run("document.querySelector('.cell[data-state=ready]').click();")
                try await browser.until("viewerProbe.isOpen()", "the viewer")
                #expect(try await small(in: "#viewer") == [])
                try await browser.press(Key.escape)
                try await browser.until("!viewerProbe.isOpen()", "no viewer")
                try await browser.run("raceProbe.open();")
                try await browser.until("raceProbe.dialog.open", "the race")
                #expect(try await small(in: "#race") == [])
            }
        }
    }
}
