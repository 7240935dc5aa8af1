import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Default order by date, and places kept across changes of order")
    struct PlaceKeptTests {
        /// Serves pictures of a camera, two a day, whose names sort by date.
        private func withDates(
            path: String = "", _ body: (Browser, TemporaryFolder) async throws -> Void
        )
            async throws
        {
            let folder = try TemporaryFolder()
            let picture = Picture.jpeg(60, 40)
            for month in 1...12 {
                for day in 10...25 {
                    for hour in [10, 15] {
                        let date = "2019\(month < 10 ? "0" : "")\(month)\(day)"
                        try folder.write("pictures/IMG_\(date)_\(hour)0000.jpg", picture)
                    }
                }
            }
            let server = try await LookaheadProcess(["serve", "\(folder.path)/pictures"])
            defer { server.stop() }
            try await eventually("the dates") {
                try await server.call("GET", "galleries/pictures")["defaultArrangement"] != nil
            }
            try await withBrowser { browser in
                try await browser.open(server.address + path)
                try await browser.until("probe.visible().length && headerProbe.canArrange()", "the page")
                try await body(browser, folder)
            }
        }

        private static let first = "probe.name(probe.visible()[0])"

        @Test(
            "a folder of dated pictures opens newest first, and the address names this or the chosen order",
            .inEveryBrowser)
        func opening() async throws {
            try await withDates { browser, _ in
                try await browser.until("\(Self.first) === 'IMG 20191225 150000'", "the newest")
                #expect(try await browser.run("return location.search;") == "?sort=taken")
                #expect(
                    try await browser.run("return document.querySelector('#headers .header span').textContent;")
                        == "December 2019")
                try await browser.reload()
                try await browser.until("\(Self.first) === 'IMG 20191225 150000'", "the newest again")
                try await browser.until("headerProbe.canArrange()", "the menu")
                try await browser.run("arrangeProbe.clickInMenu('[data-part=plain]');")
                try await browser.until("\(Self.first) === 'IMG 20190110 100000'", "the folder's own order")
                #expect(try await browser.run("return location.search;") == "?sort=path")
                try await browser.reload()
                try await browser.until("\(Self.first) === 'IMG 20190110 100000'", "the folder's own order again")
                #expect(try await browser.run("return location.search.includes('sort=path');") == true)
            }
        }

        private func choose(_ browser: Browser, _ name: String, _ value: String) async throws {
            try await browser.run(
                "arrangeProbe.select(`#arrange [name=${arguments[0]}]`, arguments[1]);",
                [.string(name), .string(value)])
        }

        @Test("a picture at the top keeps its place when the order changes", .inEveryBrowser)
        func resorted() async throws {
            try await withDates(path: "?sort=taken&group=none&size=2&layout=grid") { browser, _ in
                try await browser.run("probe.scroller.scrollTop = probe.scroller.scrollHeight / 2.1;")
                try await browser.until("arrangeProbe.isInMiddle()", "the middle")
                try await browser.wait("await probe.calm();")
                let anchored = try await browser.run("return arrangeProbe.tops();")
                let before = Dictionary(
                    (anchored.array ?? []).map { ($0.array?[0].string ?? "", $0.array?[1].integer ?? 0) }
                ) { first, _ in first }
                for (name, value) in [("order", "ascending"), ("sort", "name")] {
                    try await choose(browser, name, value)
                    try await browser.until("location.search.includes(args[2])", "the address", [.string(value)])
                    try await browser.until(
                        "arrangeProbe.isInMiddle() && arrangeProbe.areNamed()", "the same place in it, with names")
                    // One of the pictures keeps its place, whatever is beside it. The cells change a little in size if the
                    // scrubber appears or disappears.
                    let now = try await browser.run("return arrangeProbe.tops();")
                    let kept = (now.array ?? []).contains { entry in
                        before[entry.array?[0].string ?? ""].map { abs($0 - (entry.array?[1].integer ?? 0)) <= 4 }
                            == true
                    }
                    #expect(kept, "\(value): \(before) \(now)")
                }
            }
        }

        @Test(
            "visible pictures stay visible when a new picture changes their numbers, in a grid and in justified rows",
            .inEveryBrowser)
        func unbroken() async throws {
            for layout in ["grid", "justified"] {
                try await withDates(path: "?sort=name&layout=\(layout)") { browser, folder in
                    try await browser.run("probe.scroller.scrollTop = probe.scroller.scrollHeight / 2;")
                    try await browser.until("arrangeProbe.isInMiddle() && arrangeProbe.areNamed()", "the middle")
                    try await browser.wait("await probe.calm();")
                    // Each frame is noted with the names of its visible pictures.
                    try await browser.run("arrangeProbe.watchNames();")
                    try folder.write("pictures/AAA.jpg", Picture.jpeg(60, 40))
                    try await browser.until("headerProbe.count() === '385 pictures'", "the new one")
                    try await browser.until("gridProbe.isReady()", "pictures")
                    try await browser.wait("await probe.calm();")
                    // A cell that appears at an edge may wait for its picture. The other pictures must be visible in every
                    // frame, except a row that may be outside the screen for a moment.
                    let seen = try await browser.run("return arrangeProbe.lostNames(arrangeProbe.whole());")
                    #expect((seen["kept"]?.integer ?? 0) > 8, "\(layout): \(seen)")
                    #expect((seen["worst"]?.integer ?? 99) <= 8, "\(layout): \(seen)")
                }
            }
        }

        @Test("a new picture waits until no finger touches the pictures", .inEveryBrowser)
        func touched() async throws {
            try await withDates(path: "?sort=name") { browser, folder in
                try await browser.run("probe.scroller.scrollTop = probe.scroller.scrollHeight / 2;")
                try await browser.until("arrangeProbe.isInMiddle()", "the middle")
                try await browser.wait("await probe.calm();")
                let before = try await browser.run(
                    "arrangeProbe.touch('touchstart', [{}]); return arrangeProbe.first();")
                let session = try await browser.run("return document.documentElement.dataset.session;")
                try folder.write("pictures/AAA.jpg", Picture.jpeg(60, 40))
                // The server has the new picture and has notified the page.
                try await browser.until(
                    "probe.get('/api/v1/galleries/pictures').then((gallery) => gallery.itemCount === 385)",
                    "the server's new count")
                try await browser.wait("await probe.calm();")
                #expect(try await browser.run("return headerProbe.count();") == "384 pictures")
                #expect(try await browser.run("return document.documentElement.dataset.session;") == session)
                try await browser.run("arrangeProbe.touch('touchend', []);")
                try await browser.until("headerProbe.count() === '385 pictures'", "the new picture")
                try await browser.until("gridProbe.isReady()", "pictures")
                let after = try await browser.run(
                    "return arrangeProbe.distance(arguments[0]);", [before.array?[0] ?? ""])
                // The new picture moves this one by a cell, so its row may change.
                #expect(abs((after.integer ?? -999) - (before.array?[1].integer ?? 0)) <= 200)
            }
        }
    }
}
