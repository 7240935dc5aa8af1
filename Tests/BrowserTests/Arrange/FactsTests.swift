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
                // The name and the number stand once: the name above, the number here.
                #expect(facts["Name"] == nil)
                #expect(
                    try await browser.run(
                        "return document.querySelector('#viewer [data-part=facts]').checkVisibility();") == false)
                let map = "document.querySelector('#viewer .details a').href"
                let place = known["location"]
                let at = (place?["latitude"]?.number ?? 0, place?["longitude"]?.number ?? 0)
                let open = try await browser.run("return \(map);").string ?? ""
                #expect(open.hasPrefix("https://www.openstreetmap.org/?mlat=\(at.0)&mlon=\(at.1)#"), "\(open)")
                try await browser.run(
                    """
                    const maps = document.querySelector('#viewer .details select');
                    maps.value = 'app';
                    maps.dispatchEvent(new Event('change'));
                    """)
                #expect(try await browser.run("return \(map);") == .string("geo:\(at.0),\(at.1)"))
                // The choice is kept for the next picture.
                try await browser.press(Key.right)
                try await browser.until(
                    "\(map).startsWith('geo:') && !\(map).includes('\(at.0),')", "the next picture's place")
                try await browser.press(Key.left)
                try await browser.until("\(map).includes('\(at.0),')", "the first picture's place")
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
