import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("The scrubber")
    struct Scrubbers {
        @Test("the scrubber names sections, shows the picture where a drag leads, and takes keys", .inEveryBrowser)
        func scrubber() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                let facts = try await browser.wait(
                    """
                    const rail = document.getElementById('scrubber');
                    const box = rail.getBoundingClientRect();
                    const { sections } = await probe.get('/api/v1/galleries/demo');
                    const titles = [...rail.querySelectorAll('[data-part="labels"] span')].map((span) => span.dataset.section);
                    return { x: box.left + 30, top: box.top, height: box.height, count: titles.length, known: titles.every((title) => sections.some((section) => section.title === title)), second: sections[1] };
                    """)
                #expect((facts["count"]?.integer ?? 0) > 5 && facts["known"]?.bool == true)
                let x = facts["x"]?.number ?? 0
                let y = (facts["top"]?.number ?? 0) + (facts["height"]?.number ?? 0) / 2
                let bubble = "document.querySelector('#scrubber output')"
                // Pointing shows what is there, and moves nothing.
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
                try await browser.until(
                    """
                    (() => {
                      const image = document.querySelector('#scrubber [data-part="image"]');
                      const item = Number(\(bubble).lastElementChild.textContent.replaceAll(',', '')) - 1;
                      return image.checkVisibility() && image.src === probe.cell(item)?.querySelector('img').src;
                    })()
                    """, "the picture beside the rail")

                try await browser.run("document.getElementById('scrubber').focus();")
                try await browser.press(Key.home)
                try await browser.until("probe.items()[0] === 0", "the beginning")
                try await browser.press(Key.down)
                let from = facts["second"]?["from"]?.integer ?? -1
                try await browser.until("probe.items()[0] === \(from)", "the second section")
                let value = try await browser.run(
                    """
                    const rail = document.getElementById('scrubber');
                    return [rail.getAttribute('role'), rail.getAttribute('aria-valuetext'), rail.getAttribute('aria-valuenow')];
                    """)
                let words = (value.array ?? []).map { $0.string ?? "" }
                #expect(words.count == 3 && words[0] == "slider" && words[2] == "\(from + 1)", "\(words)")
                #expect(words.count == 3 && words[1].hasPrefix(facts["second"]?["title"]?.string ?? "?"), "\(words)")
                try await browser.press(Key.end)
                try await browser.until("probe.items().at(-1) === 19999 && probe.filled()", "the end")
            }
        }

        @Test("the rail leads by years and months; where one is stands in bold", .inEveryBrowser)
        func rail() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                let current = "document.querySelector('#scrubber [data-part=current]')"
                try await browser.until("\(current).textContent === 'Oct · Lisbon'", "the first section")
                #expect(try await browser.run("return Number(getComputedStyle(\(current)).fontWeight) >= 600;") == true)
                let labels = try await browser.run(
                    "return [...document.querySelectorAll('#scrubber [data-year]')].map((label) => label.textContent);")
                #expect(labels.array?.contains("2024") == true, "\(labels)")
                try await browser.run("probe.scroller.scrollTop = 60000;")
                try await browser.until(
                    "\(current).textContent !== 'Oct · Lisbon' && / · /.test(\(current).textContent)", "another")
                // No two stand on each other.
                let crossed = try await browser.run(
                    """
                    const boxes = [...document.querySelectorAll('#scrubber span')].map((label) => label.getBoundingClientRect()).filter((r) => r.height).sort((a, b) => a.top - b.top);
                    return boxes.filter((r, index) => index && r.top < boxes[index - 1].top + 16).length;
                    """)
                #expect(crossed == 0)
            }
        }

        @Test(
            "a press on a label opens its section, with the title at the top and the marker beside the label",
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
                let found = try await browser.run(
                    """
                    return [...document.querySelectorAll('#scrubber [data-part="labels"] span')].map((label) => label.dataset.section);
                    """)
                // The last sections may be lower than a screen: no scroll brings them to the top.
                let titles = (found.array ?? []).compactMap(\.string).filter { $0 < "Wall 18" }
                #expect(titles.count > 3, "\(found)")
                for title in titles.reversed() {
                    try await browser.run("probe.scroller.scrollTop = probe.scroller.scrollHeight;")
                    try await browser.wait("await probe.calm();")
                    let label = try await browser.run(
                        """
                        const label = [...document.querySelectorAll('#scrubber [data-part="labels"] span')].find((label) => label.dataset.section === arguments[0]);
                        const box = label.getBoundingClientRect();
                        return { x: box.left + 10, top: box.top, isShown: box.height > 0 };
                        """, [.string(title)])
                    #expect(label["isShown"] == true, "\(title)")
                    let (x, top) = (label["x"]?.number ?? 0, label["top"]?.number ?? 0)
                    try await browser.drag([(x, top + 3)])
                    try await browser.until(
                        """
                        [...document.querySelectorAll('#headers .header')].some((header) =>
                          header.firstChild.textContent === args[2]
                            && Math.abs(header.getBoundingClientRect().top - probe.scroller.getBoundingClientRect().top) < 2)
                        """, "\(title) at the top", [.string(title)])
                    let marker = try await browser.run(
                        "return document.querySelector('#scrubber [data-part=here]').getBoundingClientRect().top;")
                    #expect(abs((marker.number ?? 0) - top) <= 1, "\(title): marker at \(marker), label at \(top)")
                }
            }
        }
    }
}
