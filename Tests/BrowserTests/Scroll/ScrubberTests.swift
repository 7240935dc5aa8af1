import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Scrubber")
    struct Scrubbers {
        @Test(
            "the scrubber names sections, shows the picture at the pointer, and accepts drags and keys",
            .inEveryBrowser)
        func scrubber() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                let facts = try await browser.wait("return await scrollProbe.sections();")
                #expect((facts["count"]?.integer ?? 0) > 5 && facts["known"]?.bool == true)
                let rail = try await browser.run("return scrollProbe.rail();")
                let (x, y) = ((rail["left"]?.number ?? 0) + 30, rail["y"]?.number ?? 0)
                let bubble = "document.querySelector('#scrubber output')"
                // A pointer over the scrubber shows a preview and does not scroll.
                try await browser.act([
                    "type": "pointer", "id": "one", "parameters": ["pointerType": "mouse"],
                    "actions": [
                        ["type": "pointerMove", "x": .number(x), "y": .number(y), "duration": 0, "origin": "viewport"]
                    ],
                ])
                try await browser.until(
                    "!\(bubble).hidden && /^10,|^9,/.test(\(bubble).lastElementChild.textContent)", "a preview")
                #expect(try await browser.run("return probe.scroller.scrollTop;") == 0)
                try await browser.drag([(x, y - 100), (x, y - 50), (x, y)])
                try await browser.until("Math.abs(probe.items()[0] - 10000) < 600 && probe.filled()", "where it led")
                try await browser.until("scrollProbe.hasPreview()", "the picture beside the rail")

                try await browser.run("document.getElementById('scrubber').focus();")
                try await browser.press(Key.home)
                try await browser.until("probe.items()[0] === 0", "the beginning")
                try await browser.press(Key.down)
                let from = facts["second"]?["from"]?.integer ?? -1
                try await browser.until("probe.items()[0] === \(from)", "the second section")
                let value = try await browser.run("return scrollProbe.slider();")
                let words = (value.array ?? []).map { $0.string ?? "" }
                #expect(words.count == 3 && words[0] == "slider" && words[2] == "\(from + 1)", "\(words)")
                #expect(words.count == 3 && words[1].hasPrefix(facts["second"]?["title"]?.string ?? "?"), "\(words)")
                try await browser.press(Key.end)
                try await browser.until("probe.items().at(-1) === 19999 && probe.filled()", "the end")
            }
        }

        @Test("the scrubber shows years and months, and the current one in bold", .inEveryBrowser)
        func rail() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.until("scrollProbe.current() === 'Oct · Lisbon'", "the first section")
                #expect(try await browser.run("return scrollProbe.isCurrentBold();") == true)
                let years = try await browser.run("return scrollProbe.years();")
                #expect(years.array?.contains("2024") == true, "\(years)")
                try await browser.run("probe.scroller.scrollTop = 60000;")
                try await browser.until(
                    "scrollProbe.current() !== 'Oct · Lisbon' && / · /.test(scrollProbe.current())", "another section")
                // No two labels overlap.
                let crossed = try await browser.run("return scrollProbe.overlaps();")
                #expect(crossed == 0)
            }
        }

        @Test(
            "a press on a label scrolls its section to the top and the marker to the label",
            .inEveryBrowser)
        func labels() async throws {
            let folder = try TemporaryFolder()
            for (section, count) in [60, 7, 150, 9, 8, 90, 40, 7, 120, 60].enumerated() {
                for number in 1...count {
                    try folder.write(
                        "walls/Wall \(section + 10)/\(number).jpg", Picture.jpeg(30, 20, red: UInt8(section * 10)))
                }
            }
            let server = try await LookaheadProcess(["serve", folder.path + "/walls"])
            defer { server.stop() }
            try await withBrowser { browser in
                try await browser.open(server.address)
                try await browser.until("probe.visible().length > 3", "the pictures")
                let found = try await browser.run("return scrollProbe.labels().map((label) => label.dataset.section);")
                // The last sections may be shorter than a screen, so the gallery cannot scroll them to the top.
                let titles = (found.array ?? []).compactMap(\.string).filter { $0 < "Wall 18" }
                #expect(titles.count > 3, "\(found)")
                for title in titles.reversed() {
                    try await browser.run("probe.scroller.scrollTop = probe.scroller.scrollHeight;")
                    try await browser.wait("await probe.calm();")
                    let label = try await browser.run("return scrollProbe.label(arguments[0]);", [.string(title)])
                    #expect(label["isShown"] == true, "\(title)")
                    let (x, top) = (label["x"]?.number ?? 0, label["top"]?.number ?? 0)
                    try await browser.drag([(x, top + 3)])
                    try await browser.until(
                        "scrollProbe.titlesAtTop(2).includes(args[2])", "\(title) at the top", [.string(title)])
                    let marker = try await browser.run(
                        "return document.querySelector('#scrubber [data-part=here]').getBoundingClientRect().top;")
                    #expect(abs((marker.number ?? 0) - top) <= 1, "\(title): marker at \(marker), label at \(top)")
                }
            }
        }
    }
}
