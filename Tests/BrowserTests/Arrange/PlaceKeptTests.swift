import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("By date from the start, and the place that is kept when the order changes")
    struct PlaceKeptTests {
        /// Pictures of a camera; by name the oldest comes first, two a day.
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
                try await browser.until(
                    "probe.visible().length && !document.getElementById('arrange-open').disabled", "the page")
                try await body(browser, folder)
            }
        }

        private static let first = "probe.name(probe.visible()[0])"

        @Test(
            "a folder of dated pictures opens newest first, which is in the address; its own order is, too, once it is chosen",
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
                try await browser.until("!document.getElementById('arrange-open').disabled", "the menu")
                try await browser.run(
                    "document.getElementById('arrange-open').click(); document.querySelector('#arrange [data-part=plain]').click();"
                )
                try await browser.until("\(Self.first) === 'IMG 20190110 100000'", "the folder's own order")
                #expect(try await browser.run("return location.search;") == "?sort=path")
                try await browser.reload()
                try await browser.until("\(Self.first) === 'IMG 20190110 100000'", "the folder's own order again")
                #expect(try await browser.run("return location.search.includes('sort=path');") == true)
            }
        }

        /// The first picture that is whole in sight below the title: `[name, px below the top]`.
        private static let top = """
            (() => {
              const box = probe.scroller.getBoundingClientRect();
              const cell = probe.visible().find((cell) => cell.getBoundingClientRect().top >= box.top + 40);
              return [probe.name(cell), Math.round(cell.getBoundingClientRect().top - box.top)];
            })()
            """

        private func choose(_ browser: Browser, _ name: String, _ value: String) async throws {
            try await browser.run(
                """
                const select = document.querySelector(`#arrange [name=${arguments[0]}]`);
                select.value = arguments[1];
                select.dispatchEvent(new Event('change'));
                """, [.string(name), .string(value)])
        }

        @Test("in another order the picture at the top stays at its pixel", .inEveryBrowser)
        func resorted() async throws {
            try await withDates(path: "?sort=taken&group=none&size=2&layout=grid") { browser, _ in
                try await browser.run("probe.scroller.scrollTop = probe.scroller.scrollHeight / 2.1;")
                try await browser.until(
                    "probe.items()[0] > 50 && probe.visible().every((cell) => cell.dataset.state === 'ready')",
                    "the middle")
                try await browser.wait("await probe.calm();")
                let anchored = try await browser.run(
                    "return [...probe.visible()].map((cell) => [probe.name(cell), Math.round(cell.getBoundingClientRect().top)]);"
                )
                let before = Dictionary(
                    (anchored.array ?? []).map { ($0.array?[0].string ?? "", $0.array?[1].integer ?? 0) }
                ) { first, _ in first }
                for (name, value) in [("order", "ascending"), ("sort", "name")] {
                    try await choose(browser, name, value)
                    try await browser.until("location.search.includes(args[2])", "the address", [.string(value)])
                    try await browser.until(
                        "probe.items()[0] > 50 && probe.visible().every((cell) => cell.dataset.state === 'ready' && probe.name(cell).startsWith('IMG'))",
                        "the same place in it, with names")
                    // One of those at the top stands where it stood; which is beside it is another matter. Where the rail comes or
                    // goes the cells are a little larger or smaller.
                    let now = try await browser.run(
                        "return [...probe.visible()].map((cell) => [probe.name(cell), Math.round(cell.getBoundingClientRect().top)]);"
                    )
                    let kept = (now.array ?? []).contains { entry in
                        before[entry.array?[0].string ?? ""].map { abs($0 - (entry.array?[1].integer ?? 0)) <= 4 }
                            == true
                    }
                    #expect(kept, "\(value): \(before) \(now)")
                }
            }
        }

        @Test(
            "what is on show stays on show while items get other numbers, in a grid and in justified rows",
            .inEveryBrowser)
        func unbroken() async throws {
            for layout in ["grid", "justified"] {
                try await withDates(path: "?sort=name&layout=\(layout)") { browser, folder in
                    try await browser.run("probe.scroller.scrollTop = probe.scroller.scrollHeight / 2;")
                    try await browser.until(
                        "probe.items()[0] > 50 && probe.visible().every((cell) => cell.dataset.state === 'ready' && probe.name(cell).startsWith('IMG'))",
                        "the middle")
                    try await browser.wait("await probe.calm();")
                    // In every frame, of those that were there: which have their picture and their name.
                    try await browser.run(
                        """
                        window.whole = () => new Set(probe.visible().filter((cell) => cell.dataset.state === 'ready').map((cell) => probe.name(cell)));
                        window.before = whole();
                        window.frames = [];
                        const look = () => {
                          frames.push(whole());
                          requestAnimationFrame(look);
                        };
                        look();
                        """)
                    try folder.write("pictures/AAA.jpg", Picture.jpeg(60, 40))
                    try await browser.until(
                        "document.getElementById('count').textContent === '385 pictures'", "the new one")
                    try await browser.until(
                        "probe.visible().every((cell) => cell.dataset.state === 'ready')", "pictures")
                    try await browser.wait("await probe.calm();")
                    // Cells that come in at an edge may lack its picture for as long as it takes. Those that are still there were
                    // there all the time, but for a row that may be out of sight for a moment.
                    let seen = try await browser.run(
                        """
                        const now = whole();
                        const kept = [...before].filter((name) => now.has(name));
                        return { kept: kept.length, worst: Math.max(...frames.map((frame) => kept.filter((name) => !frame.has(name)).length)) };
                        """)
                    #expect((seen["kept"]?.integer ?? 0) > 8, "\(layout): \(seen)")
                    #expect((seen["worst"]?.integer ?? 99) <= 8, "\(layout): \(seen)")
                }
            }
        }

        @Test("what comes while a finger rests on the pictures waits until it is lifted", .inEveryBrowser)
        func touched() async throws {
            try await withDates(path: "?sort=name") { browser, folder in
                try await browser.run(
                    """
                    probe.scroller.scrollTop = probe.scroller.scrollHeight / 2;
                    window.finger = (type, touches) => probe.scroller.dispatchEvent(Object.assign(new Event(type), { touches }));
                    """)
                try await browser.until(
                    "probe.items()[0] > 50 && probe.visible().every((cell) => cell.dataset.state === 'ready')",
                    "the middle")
                try await browser.wait("await probe.calm();")
                let before = try await browser.run("finger('touchstart', [{}]); return \(Self.top);")
                let count = "document.getElementById('count').textContent"
                let session = try await browser.run("return document.documentElement.dataset.session;")
                try folder.write("pictures/AAA.jpg", Picture.jpeg(60, 40))
                // The server has it, and has told.
                try await browser.until(
                    "probe.get('/api/v1/galleries/pictures').then((gallery) => gallery.itemCount === 385)",
                    "the server's word")
                try await browser.wait("await probe.calm();")
                #expect(try await browser.run("return \(count);") == "384 pictures")
                #expect(try await browser.run("return document.documentElement.dataset.session;") == session)
                try await browser.run("finger('touchend', []);")
                try await browser.until("\(count) === '385 pictures'", "the new picture")
                try await browser.until("probe.visible().every((cell) => cell.dataset.state === 'ready')", "pictures")
                let after = try await browser.run(
                    "return [arguments[0], Math.round(probe.visible().find((cell) => probe.name(cell) === arguments[0])?.getBoundingClientRect().top - probe.scroller.getBoundingClientRect().top)];",
                    [before.array?[0] ?? ""])
                // One more before it moves it by a cell, and the row by none.
                #expect(after.array?[0] == before.array?[0])
                #expect(abs((after.array?[1].integer ?? -999) - (before.array?[1].integer ?? 0)) <= 200)
            }
        }
    }
}
