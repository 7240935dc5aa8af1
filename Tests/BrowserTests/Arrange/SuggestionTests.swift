import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Suggested filters")
    struct SuggestionTests {
        private static func type(_ text: String) -> String {
            "arrangeProbe.search('\(text)');"
        }

        @Test(
            "a typed camera or month becomes a filter by key or click, and its button removes it",
            .inEveryBrowser)
        func chosen() async throws {
            try await withPage(path: "") { browser, demo in
                try await browser.until("headerProbe.canSearch()", "the search")
                let camera = try #require(
                    try await demo.call("GET", "galleries/demo/items/3")["camera"]?["model"]?.string)
                try await browser.run(Self.type(camera.lowercased()))
                try await browser.until("arrangeProbe.suggestions()[0]?.includes('\(camera)')", "the camera")
                let words = try await browser.run("return arrangeProbe.suggestions()[0];").string ?? ""
                #expect(words.contains("Camera, "))
                try await browser.press(Key.down)
                #expect(try await browser.run("return arrangeProbe.isSuggestionSelected();") == true)
                try await browser.press(Key.enter)
                try await browser.until("arrangeProbe.filters()[0]?.includes('\(camera)')", "the chip")
                try await browser.until("/ of 20,000$/.test(headerProbe.count())", "its pictures")
                let count = try await browser.run("return headerProbe.count();").string ?? ""
                #expect(words.hasSuffix("Camera, " + count.prefix { $0 != " " }), "\(words) \(count)")
                #expect(try await browser.run("return arrangeProbe.searchField().value;") == "")

                // A click adds a month.
                try await browser.run(Self.type("jul"))
                try await browser.until(
                    "arrangeProbe.suggestions().some((text) => /^July \\d+ Month/.test(text))", "a month")
                try await browser.run(
                    "[...document.querySelectorAll('#suggestions li')].find((option) => /^July/.test(option.textContent)).click();"
                )
                try await browser.until("arrangeProbe.filters().length === 2", "both chips")
                try await browser.run("document.querySelectorAll('#filters button')[1].click();")
                try await browser.until("arrangeProbe.filters().length === 1", "the month's pictures alone")
                #expect(try await browser.run("return /^July \\d{4}/.test(arrangeProbe.filters()[0]);") == true)
            }
        }

        @Test("Escape clears the text and then leaves the field, and a search without matches has no suggestions")
        func keys() async throws {
            try await withPage(path: "") { browser, demo in
                let make = try #require(
                    try await demo.call("GET", "galleries/demo/items/3")["camera"]?["make"]?.string)
                try await browser.until("headerProbe.canSearch()", "the search")
                try await browser.run(Self.type("2024"))
                try await browser.until("arrangeProbe.suggestions().length > 0", "a year")
                try await browser.press(Key.escape)
                #expect(try await browser.run("return arrangeProbe.suggestions().length;") == 0)
                #expect(try await browser.run("return arrangeProbe.searchField().value;") == "")
                let isFocused = "return document.activeElement === arrangeProbe.searchField();"
                #expect(try await browser.run(isFocused) == true)
                try await browser.press(Key.escape)
                #expect(try await browser.run(isFocused) == false)
                // A search finds a camera by its name, and its pictures by a month.
                try await browser.run(Self.type(make.lowercased()))
                try await browser.until(
                    "arrangeProbe.suggestions().length > 0 && /^[1-9].* of 20,000$/.test(headerProbe.count())",
                    "the camera's pictures")
                try await browser.run(Self.type("\(make.lowercased()) july 2024"))
                try await browser.until(
                    "/^[1-9]\\d* of 20,000$/.test(headerProbe.count()) && !headerProbe.hasNotice()", "fewer pictures")
                try await browser.run(Self.type("july 1969"))
                try await browser.until("headerProbe.hasNotice()", "nothing")
                #expect(try await browser.run("return arrangeProbe.suggestions().length;") == 0)
                try await browser.run(Self.type("july"))
                try await browser.until(
                    "!headerProbe.hasNotice() && arrangeProbe.suggestions().length > 0", "months and their pictures")
            }
        }

        @Test("the page suggests no filter if the active filters exclude every match")
        func filtered() async throws {
            try await withPage(path: "?taken=2024-07..2024-07") { browser, _ in
                try await browser.until("headerProbe.canSearch()", "the search")
                try await browser.run(Self.type("october 2025"))
                try await browser.until(
                    "headerProbe.hasNotice() && arrangeProbe.suggestions().length === 0", "nothing found")
            }
        }
    }
}
