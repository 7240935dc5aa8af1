import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("What is known of a picture")
    struct FactsTests {
        private static let facts = """
            Object.fromEntries([...document.querySelectorAll('#viewer .details dt')].map((term) => [term.textContent, term.nextElementSibling.innerText.replaceAll('\\u00a0', ' ')]))
            """

        @Test(
            "i shows when, where and with what it was taken, and what the same camera took", .inEveryBrowser)
        func taken() async throws {
            try await withPage(path: "?view=3") { browser, demo in
                try await browser.until(
                    "document.getElementById('viewer').open && !document.getElementById('arrange-open').disabled",
                    "the viewer"
                )
                let known = try await demo.call("GET", "galleries/demo/items/3")
                let model = known["camera"]?["model"]?.string ?? "?"
                try await browser.press("i")
                try await browser.until("'Camera' in \(Self.facts)", "the facts")
                let facts = try await browser.run("return \(Self.facts);")
                #expect(facts["Camera"]?.string?.hasSuffix(model) == true, "\(facts)")
                let time = known["taken"]?["time"]?.string ?? ""
                #expect(facts["Taken"]?.string?.contains(time.dropFirst(11).prefix(8)) == true, "\(facts) \(time)")
                #expect(facts["Number"] == "4 of 20,000")
                #expect(facts["Place"]?.string?.contains("°") == true, "\(facts)")
                #expect(
                    try await browser.run("return document.querySelector('#viewer .details a').href.slice(0, 4);")
                        == "geo:")
                try await browser.run(
                    "[...document.querySelectorAll('#viewer .details dt')].find((term) => term.textContent === 'Camera').nextElementSibling.firstChild.click();"
                )
                try await browser.until(
                    "!document.getElementById('viewer').open && / of 20,000$/.test(document.getElementById('count').textContent)",
                    "the pictures of that camera")
                #expect(
                    try await browser.run("return new URLSearchParams(location.search).get('camera');").string?
                        .hasSuffix(model) == true)
            }
        }
    }
}
