import JSON
import Testing

extension PageTests {
    @Suite("Dates")
    struct DatesTests {
        @Test("the scrubber shows years and months, and the G key leads to a month", .inEveryBrowser)
        func rail() async throws {
            try await withPage(path: "?sort=taken") { browser, _ in
                try await browser.until("/^[A-Z][a-z]{2} 20\\d\\d$/.test(scrollProbe.current())", "the current month")
                let months = try await browser.wait("return await arrangeProbe.months();")
                #expect(months["first"] == months["expected"])
                #expect(try await browser.run("return scrollProbe.years();") == ["2025", "2024"])
                try await browser.press("g")
                try await browser.run("arrangeProbe.enterPlace(arguments[0]);", [months["middle"] ?? ""])
                try await browser.press(Key.enter)
                try await browser.until(
                    "probe.focused() === args[2]", "the first of the month",
                    [months["item"] ?? 0])
                #expect(try await browser.run("return scrollProbe.titlesAtTop(3);") == [months["middle"] ?? ""])
            }
        }

        @Test("a date appears beside the handle during a scroll, and disappears afterwards", .inEveryBrowser)
        func floating() async throws {
            try await withWarmPage(path: "?sort=taken&group=none", width: 820, height: 700) { browser in
                try await browser.until("probe.visible().length > 0 && headerProbe.canArrange()", "the page")
                let date = "document.querySelector('#scrubber [data-part=date]')"
                #expect(try await browser.run("return \(date).checkVisibility();") == false)
                // The date needs the months, which load after the pictures.
                try await browser.wait("await arrangeProbe.scrollToDate();")
                try await browser.until("!\(date).checkVisibility()", "no date")
            }
        }
    }
}
