import JSON
import Testing

extension PageTests {
    @Suite("For fingers")
    struct Fingers {
        @Test("whatever is tapped is large enough for a finger", .inEveryBrowser)
        func targets() async throws {
            try await withPhone { browser in
                try await browser.until("probe.filled()", "first pictures")
                let small = try await browser.run(
                    """
                    return [...document.querySelectorAll('button, select, input, .cell')].filter((element) => {
                      const r = (element.closest('label') ?? element).getBoundingClientRect();
                      return r.width > 0 && (r.width < 24 || r.height < 24);
                    }).map((element) => element.outerHTML.slice(0, 60));
                    """)
                #expect(small == [])
            }
        }

        @Test(
            "what a finger taps is 44 px tall and wide, in the menu, the dashboard, the race and the viewer",
            .inEveryBrowser)
        func fingers() async throws {
            try await withPhone { browser in
                try await browser.until("probe.filled()", "first pictures")
                func small(in place: String) async throws -> JSON {
                    try await browser.run(
                        """
                        return [...document.querySelectorAll(arguments[0])].flatMap((place) => [...place.querySelectorAll('button, select, input, summary, nav a')])
                          .map((element) => element.closest('label') ?? element)
                          .filter((element) => element.checkVisibility({ visibilityProperty: true }))
                          .filter((element) => { const box = element.getBoundingClientRect(); return box.height < 43.5 || box.width < 43.5; })
                          .map((element) => element.outerHTML.slice(0, 80));
                        """, [.string(place)])
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
                try await browser.until("document.getElementById('viewer').open", "the viewer")
                #expect(try await small(in: "#viewer") == [])
                try await browser.press(Key.escape)
                try await browser.until("!document.getElementById('viewer').open", "no viewer")
                try await browser.run("document.getElementById('race-open').click();")
                try await browser.until("document.getElementById('race').open", "the race")
                #expect(try await small(in: "#race") == [])
            }
        }
    }
}
