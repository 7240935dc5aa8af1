import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Small sections")
    struct SmallSections {
        private static let counts = [1, 2, 1, 3, 1, 1, 2, 12, 1, 1, 3, 30, 2, 1, 1, 1, 1, 1, 1, 2, 3, 3, 40, 1]

        private func serve(
            path: String = "", _ body: (Browser) async throws -> Void
        ) async throws {
            let folder = try TemporaryFolder()
            for (section, count) in Self.counts.enumerated() {
                for number in 1...count {
                    let shape = (section + number) % 3 == 0 ? (200, 300) : (300, 200)
                    try folder.write(
                        "walls/Wallpapers of kind \(section + 10)/\(number).jpg",
                        Picture.jpeg(shape.0, shape.1, red: UInt8(section * 10)))
                }
            }
            let server = try await LookaheadProcess(["serve", folder.path + "/walls"])
            defer { server.stop() }
            try await withBrowser { browser in
                try await browser.open(server.address + path)
                try await browser.until("gridProbe.isReady(3)", "the pictures")
                try await body(browser)
            }
        }

        @Test(
            "small sections share a row, and each has a title that keeps its end and a tooltip with all of it",
            .inEveryBrowser, arguments: ["grid", "justified", "masonry"])
        func sideBySide(kind: String) async throws {
            try await serve(path: "?layout=\(kind)") { browser in
                let found = try await browser.run("return gridProbe.titlesInRow();")
                #expect((found["first"]?.integer ?? 0) > 1, "\(found)")
                #expect(
                    found["apart"] == true && found["over"] == true && found["said"] == true && found["ends"] == true,
                    "\(kind): \(found)")
                #expect((found["firstRow"]?.integer ?? 0) > 2, "\(found)")
                // Short sections and long ones have titles of one size.
                let sizes = try await browser.run(
                    """
                    const titles = gridProbe.all('#headers .header');
                    return new Set(titles.map((title) => getComputedStyle(title).fontSize)).size;
                    """)
                // The rail cuts a title in its middle, because its end distinguishes it from its neighbours.
                let labels = try await browser.run("return gridProbe.railLabels();")
                #expect(labels.array?.isEmpty == false && labels.array?.allSatisfy { $0 == true } == true, "\(labels)")
                // All titles of the row stay at the top, each above its section.
                let stuck = try await browser.wait("return await gridProbe.stuckOffsets();")
                #expect(stuck.array?.count == found["first"]?.integer, "\(stuck)")
                #expect(stuck.array?.allSatisfy { ($0.number ?? 9) < 1 } == true, "\(stuck)")
            }
        }

        @Test("the page and the server compute the same frames at any width, size and limit")
        func sameFrames() async throws {
            try await serve { browser in
                let different = try await browser.wait("return await gridProbe.layoutDifference();")
                #expect(different == .null, "\(different)")
            }
        }

        @Test(
            "arrow keys cross rows of several sections, a layout change keeps the place, and the rail steps by rows",
            .enabled(if: Weekly.isOn, "runs weekly"), arguments: ["grid", "justified"])
        func ways(kind: String) async throws {
            try await serve(path: "?layout=\(kind)") { browser in
                let walked = try await browser.wait("return await gridProbe.walk();")
                #expect((walked["end"]?.integer ?? 0) > 1, "\(walked)")
                #expect(walked["level"] == true && walked["below"] == true && walked["back"] == true, "\(walked)")
                // A change of layout and back returns to the same pixel in a grid, which needs no shapes of pictures.
                try await browser.run("probe.scroller.scrollTop = 900;")
                try await browser.until("location.search.includes('item=') && gridProbe.isReady(3)", "further down")
                let first = try await browser.run("return probe.items().at(-1);").integer ?? -1
                try await browser.run("probe.choose('masonry');")
                try await browser.until("location.search.includes('masonry')", "columns")
                try await browser.run("probe.choose('\(kind)');")
                try await browser.until(
                    kind == "grid" ? "probe.scroller.scrollTop === 900" : "probe.items().includes(\(first))",
                    "the same place")
                // Each press of the Down key on the rail scrolls down by a row.
                let tops = try await browser.wait("return await gridProbe.stepOnRail();")
                let numbers = (tops.array ?? []).compactMap(\.number)
                #expect(numbers.count == 4 && zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "\(tops)")
            }
        }

        @Test("small sections share a row in print", .inEveryBrowser)
        func printed() async throws {
            try await serve { browser in
                let columns = try await browser.wait("return await gridProbe.printedSections();")
                #expect(columns.array?.prefix(3) == ["1", "2", "1"], "\(columns)")
            }
        }
    }
}
