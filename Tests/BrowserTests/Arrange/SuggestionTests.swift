import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Filters suggested for a typed text")
    struct SuggestionTests {
        private static let shown =
            "[...document.querySelectorAll('#suggestions:not([hidden]) li')].map((option) => option.innerText.replace(/\\s+/g, ' '))"
        private static let chips =
            "[...document.querySelectorAll('#filters button')].map((chip) => chip.innerText.trim())"

        private static func type(_ text: String) -> String {
            """
            const field = document.querySelector('#search input');
            field.focus();
            field.value = '\(text)';
            field.dispatchEvent(new InputEvent('input', { bubbles: true }));
            """
        }

        @Test(
            "a camera, a lens or a month that is typed becomes a filter by key or click, and goes by its chip",
            .inEveryBrowser)
        func chosen() async throws {
            try await withPage(path: "") { browser, demo in
                try await browser.until("!document.querySelector('#search input').disabled", "the search")
                let camera = try #require(
                    try await demo.call("GET", "galleries/demo/items/3")["camera"]?["model"]?.string)
                try await browser.run(Self.type(camera.lowercased()))
                try await browser.until("\(Self.shown)[0]?.includes('\(camera)')", "the camera")
                let words = try await browser.run("return \(Self.shown)[0];").string ?? ""
                #expect(words.contains("Camera, "))
                try await browser.press(Key.down)
                #expect(
                    try await browser.run(
                        "const field = document.querySelector('#search input'); return document.getElementById(field.getAttribute('aria-activedescendant')).ariaSelected;"
                    ) == "true")
                try await browser.press(Key.enter)
                try await browser.until("\(Self.chips)[0]?.includes('\(camera)')", "the chip")
                try await browser.until(
                    "/ of 20,000$/.test(document.getElementById('count').textContent)", "its pictures")
                let count = try await browser.run("return document.getElementById('count').textContent;").string ?? ""
                #expect(words.hasSuffix("Camera, " + count.prefix { $0 != " " }), "\(words) \(count)")
                #expect(
                    try await browser.run("return document.querySelector('#search input').value;") == "")

                // A month beside it, by a click.
                try await browser.run(Self.type("jul"))
                try await browser.until("\(Self.shown).some((text) => /^July \\d+ Month/.test(text))", "a month")
                try await browser.run(
                    "[...document.querySelectorAll('#suggestions li')].find((option) => /^July/.test(option.textContent)).click();"
                )
                try await browser.until("\(Self.chips).length === 2", "both chips")
                try await browser.run("document.querySelectorAll('#filters button')[1].click();")
                try await browser.until("\(Self.chips).length === 1", "the month's pictures alone")
                #expect(try await browser.run("return /^July \\d{4}/.test(\(Self.chips)[0]);") == true)
            }
        }

        @Test("Escape clears the text, a second one leaves the field; nothing is suggested beside “Nothing found”")
        func keys() async throws {
            try await withPage(path: "") { browser, demo in
                let make = try #require(
                    try await demo.call("GET", "galleries/demo/items/3")["camera"]?["make"]?.string)
                try await browser.until("!document.querySelector('#search input').disabled", "the search")
                try await browser.run(Self.type("2024"))
                try await browser.until("\(Self.shown).length > 0", "a year")
                try await browser.press(Key.escape)
                #expect(
                    try await browser.run(
                        "const field = document.querySelector('#search input'); return [\(Self.shown).length, field.value, document.activeElement === field];"
                    ) == [0, "", true])
                try await browser.press(Key.escape)
                #expect(
                    try await browser.run("return document.activeElement === document.querySelector('#search input');")
                        == false)
                // A camera is found by its name, and so are its pictures of a month.
                try await browser.run(Self.type(make.lowercased()))
                try await browser.until(
                    "\(Self.shown).length > 0 && /^[1-9].* of 20,000$/.test(document.getElementById('count').textContent)",
                    "the camera's pictures")
                try await browser.run(Self.type("\(make.lowercased()) july 2024"))
                try await browser.until(
                    "/^[1-9]\\d* of 20,000$/.test(document.getElementById('count').textContent) && document.getElementById('notice').hidden",
                    "fewer pictures")
                try await browser.run(Self.type("july 1969"))
                try await browser.until("!document.getElementById('notice').hidden", "nothing")
                #expect(try await browser.run("return \(Self.shown).length;") == 0)
                try await browser.run(Self.type("july"))
                try await browser.until(
                    "document.getElementById('notice').hidden && \(Self.shown).length > 0", "months and their pictures")
            }
        }

        @Test("beside a filter that leaves nothing of a text no filter is suggested for it")
        func filtered() async throws {
            try await withPage(path: "?taken=2024-07..2024-07") { browser, _ in
                try await browser.until("!document.querySelector('#search input').disabled", "the search")
                try await browser.run(Self.type("october 2025"))
                try await browser.until(
                    "!document.getElementById('notice').hidden && \(Self.shown).length === 0", "nothing found")
            }
        }
    }
}
