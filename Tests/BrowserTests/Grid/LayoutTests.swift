import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Layouts and sizes")
    struct Layouts {
        @Test("a folder opens in justified rows with whole pictures, unless the address names another layout")
        func folder() async throws {
            let folder = try TemporaryFolder()
            for number in 10..<40 {
                let size = number.isMultiple(of: 3) ? (200, 300) : (300, 200)
                try folder.write("pictures/\(number).jpg", Picture.jpeg(size.0, size.1, red: UInt8(number)))
            }
            let server = try await LookaheadProcess(["serve", "\(folder.path)/pictures"])
            defer { server.stop() }
            try await withBrowser { browser in
                try await browser.open(server.address)
                try await browser.until("probe.layout === 'justified' && gridProbe.isReady(8)", "justified rows")
                try await browser.until("gridProbe.areShaped(0.03)", "whole pictures")
                try await browser.run("probe.choose('grid');")
                try await browser.until("location.search.includes('layout=grid')", "the choice in the address")
                try await browser.open(server.address + "?layout=grid")
                try await browser.until("probe.layout === 'grid' && gridProbe.isReady(8)", "a grid")
            }
        }

        @Test(
            "every visible cell shows its own picture in justified rows and in masonry",
            arguments: ["justified", "masonry"])
        func otherLayouts(kind: String) async throws {
            try await withWarmPage(path: "?layout=\(kind)") { browser in
                try await browser.until("probe.items().includes(0) && probe.filled()", "the beginning")
                try await browser.run("probe.scroller.scrollTop = probe.scroller.scrollHeight / 2;")
                try await browser.until("Math.abs(probe.items()[0] - 10000) < 1000 && probe.filled()", "the middle")
                try await browser.run("probe.scroller.scrollTop = probe.scroller.scrollHeight;")
                try await browser.until("probe.items().includes(19999) && probe.filled()", "the end")
            }
        }

        @Test("switching the layout keeps the first visible item on the screen", .inEveryBrowser)
        func switching() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 50000;")
                try await browser.until("probe.filled()", "the middle")
                let first = try await browser.run("return gridProbe.firstBelowTitle(16);").integer ?? -1
                for kind in ["justified", "masonry", "grid"] {
                    try await browser.run("probe.choose('\(kind)');")
                    try await browser.until(
                        "probe.items().includes(\(first)) && probe.filled()", "\(kind), at the same item")
                }
            }
        }

        @Test(
            "changing layouts and sizes back and forth returns to the same pixel, and so does a reload",
            .inEveryBrowser)
        func backAndForth() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 5486;")
                try await browser.until("location.search.includes('item=') && probe.filled()", "further down")
                func place() async throws -> JSON { try await browser.run("return gridProbe.place();") }
                let there = try await place()
                for round in 1...(Weekly.isOn ? 4 : 2) {
                    for kind in ["justified", "masonry", "grid"] {
                        try await browser.run("probe.choose('\(kind)');")
                        try await browser.until(
                            "location.search.includes('\(kind)') === \(kind != "grid") && probe.filled()", kind)
                        if kind == "grid" {
                            try await browser.until(
                                "probe.scroller.scrollTop === 5486", "round \(round): the same pixel")
                            #expect(try await place() == there)
                        }
                    }
                    try await browser.run("gridProbe.setSize(\(round.isMultiple(of: 2) ? 0 : 5));")
                    try await browser.until("location.search.includes('size=') && probe.filled()", "another size")
                    try await browser.run("gridProbe.setSize(3);")
                    try await browser.until(
                        "probe.scroller.scrollTop === 5486 && probe.filled()",
                        "round \(round): the same size, the same pixel")
                }
                #expect(try await place() == there)
                try await browser.reload()
                try await browser.until(
                    "probe.filled() && probe.scroller.scrollTop === 5486", "the same after a reload")
                #expect(try await place() == there)
            }
        }

        @Test(
            "no visible picture is blank for a frame while layouts and sizes change",
            .enabled(if: Weekly.isOn, "runs weekly"), .inEveryBrowser)
        func noFlicker() async throws {
            try await withPage { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 50000;")
                try await browser.until("probe.items()[0] > 500 && probe.filled()", "the middle")
                try await browser.run("gridProbe.watchLost();")
                for kind in ["justified", "masonry", "grid"] {
                    try await browser.run("probe.choose('\(kind)');")
                    try await browser.until(
                        "location.search.includes('\(kind)') === \(kind != "grid") && probe.filled()", kind)
                    for size in [5, 2] {
                        try await browser.wait("await probe.calm();")  // so that cells are noted as out of sight first
                        try await browser.run("gridProbe.setSize(\(size));")
                        try await browser.until(
                            "location.search.includes('size=\(size)') && probe.filled()", "size \(size)")
                    }
                    try await browser.wait("await probe.calm();")
                }
                let lost = try await browser.run("return lost;")
                #expect(lost == [], "\(lost)")
            }
        }

        @Test("the size control keeps the first visible item on the screen", .inEveryBrowser)
        func sizeControl() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 50000;")
                try await browser.until("probe.items()[0] > 500 && probe.filled()", "the middle")
                let first = try await browser.run("return gridProbe.firstBelowTitle(16);").integer ?? -1
                for size in [5, 1] {
                    try await browser.run("gridProbe.setSize(\(size));")
                    try await browser.until(
                        "location.search.includes('size=\(size)') && probe.items().includes(\(first)) && probe.filled()",
                        "size \(size), at the same item")
                }
            }
        }

        @Test(
            "zooming with the wheel keeps the item under the pointer",
            .inEveryBrowser, arguments: ["grid", "justified", "masonry"])
        func size(kind: String) async throws {
            try await withWarmPage(path: "?layout=\(kind)") { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 50000;")
                try await browser.until("probe.filled()", "the middle")
                let pointer = try await browser.run("return gridProbe.zoomByWheel();")
                let (item, y) = (pointer["item"]?.integer ?? -1, pointer["y"]?.number ?? 0)
                try await browser.until("location.search.includes('size=4') && probe.filled()", "larger cells")
                try await browser.until("gridProbe.isAt(\(item), \(y))", "item \(item) under the pointer")
            }
        }

        @Test(
            "a pinch changes the size, keeps the item between the fingers, and does not zoom the page",
            .whereEnginesDiffer)
        func pinch() async throws {
            try await withPhone { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 50000;")
                try await browser.until("probe.items()[0] > 500 && probe.filled()", "the middle")
                let middle = try await browser.run("return gridProbe.middle();")
                let (item, y) = (middle["item"]?.integer ?? -1, middle["y"]?.number ?? 0)
                let x = middle["x"]?.number ?? 0
                try await browser.pinch(
                    (0...8).map { (x - 15 - Double($0) * 4, y) }, (0...8).map { (x + 15 + Double($0) * 4, y) })
                try await browser.until(
                    "location.search.includes('size=') && gridProbe.isAt(\(item), \(y))",
                    "item \(item) between the fingers")
                #expect(try await browser.run("return visualViewport.scale;") == 1)
            }
        }

        @Test(
            "the current section's title stays at the top until the next title pushes it away",
            .inEveryBrowser)
        func stickyHeaders() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                #expect(try await browser.run("return !gridProbe.hasTitle();") == true)
                try await browser.run("probe.scroller.scrollTop = 3000;")
                let title = "document.querySelector('#stuck span').textContent"
                try await browser.until("gridProbe.hasTitle() && \(title) === 'Lisbon, October 2025'", "the title")
                let gallery = try await browser.wait("return (await probe.get('/api/v1/galleries/demo')).sections[1];")
                let next = try #require(gallery["title"]?.string)
                let pushed = try await browser.wait("return await gridProbe.pushTitle(args[0]);", [.string(next)])
                #expect(abs(pushed["gap"]?.number ?? 99) < 1 && pushed["above"]?.bool == true, "\(pushed)")
                try await browser.run("probe.scroller.scrollTop += 60;")
                try await browser.until("\(title) === '\(next)'", "the next title in its place")
            }
        }
    }
}
