import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Facts of a picture")
    struct FactsTests {
        @Test(
            "the I key shows date, camera and place of a picture, and links to a map and to the camera's pictures",
            .inEveryBrowser)
        func taken() async throws {
            try await withPage(path: "?view=3") { browser, demo in
                try await browser.until(
                    "gridProbe.isViewerOpen() && headerProbe.canArrange()",
                    "the viewer"
                )
                let known = try await demo.call("GET", "galleries/demo/items/3")
                let model = known["camera"]?["model"]?.string ?? "?"
                try await browser.press("i")
                try await browser.until("'Camera' in arrangeProbe.facts()", "the facts")
                let facts = try await browser.run("return arrangeProbe.facts();")
                #expect(facts["Camera"]?.string?.hasSuffix(model) == true, "\(facts)")
                let time = known["taken"]?["time"]?.string ?? ""
                #expect(facts["Taken"]?.string?.contains(time.dropFirst(11).prefix(8)) == true, "\(facts) \(time)")
                #expect(facts["Number"] == "4 of 20,000")
                #expect(facts["Place"]?.string?.contains("°") == true, "\(facts)")
                // The viewer shows the name only in its heading, and the number only here.
                #expect(facts["Name"] == nil)
                #expect(
                    try await browser.run(
                        "return document.querySelector('#viewer [data-part=facts]').checkVisibility();") == false)
                let map = "document.querySelector('#viewer .details a').href"
                let place = known["location"]
                let at = (place?["latitude"]?.number ?? 0, place?["longitude"]?.number ?? 0)
                let open = try await browser.run("return \(map);").string ?? ""
                #expect(open.hasPrefix("https://www.openstreetmap.org/?mlat=\(at.0)&mlon=\(at.1)#"), "\(open)")
                try await browser.run("arrangeProbe.select('#viewer .details select', 'app');")
                #expect(try await browser.run("return \(map);") == .string("geo:\(at.0),\(at.1)"))
                // The next picture uses the same map.
                try await browser.press(Key.right)
                try await browser.until(
                    "\(map).startsWith('geo:') && !\(map).includes('\(at.0),')", "the next picture's place")
                try await browser.press(Key.left)
                try await browser.until("\(map).includes('\(at.0),')", "the first picture's place")
                try await browser.run("arrangeProbe.followFact('Camera');")
                try await browser.until(
                    "!gridProbe.isViewerOpen() && / of 20,000$/.test(headerProbe.count())",
                    "the pictures of that camera")
                #expect(
                    try await browser.run("return new URLSearchParams(location.search).get('camera');").string?
                        .hasSuffix(model) == true)
            }
        }
    }
}
