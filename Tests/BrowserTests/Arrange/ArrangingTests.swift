import Foundation
import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Sorting, grouping and filters")
    struct ArrangingTests {
        /// Serves three folders whose names, folders and sizes have different orders.
        private func withFolder(path: String = "", _ body: (Browser, Demo) async throws -> Void)
            async throws
        {
            let folder = try TemporaryFolder()
            for (index, name) in ["alps/d.jpg", "alps/a sunset.jpg", "rome/c.jpg", "rome/b.jpg", "sunset/e.jpg"]
                .enumerated()
            {
                try folder.write(name, Picture.jpeg(200 + 90 * ((index * 3) % 5), 200))
            }
            try folder.write("rome/b.jpg.xmp", Array(#"<x xmp:Rating="5"/>"#.utf8))
            let server = try await Demo(["serve", folder.path])
            defer { server.stop() }
            try await withBrowser { browser in
                try await browser.open(server.address + path)
                try await browser.until("headerProbe.canArrange()", "the search field")
                try await body(browser, server)
            }
        }

        private static let names =
            "probe.visible().map((cell) => probe.name(cell)).join()"

        private func waits(_ browser: Browser, for names: String, _ why: String) async throws {
            try await browser.until("\(Self.names) === args[2]", why, [.string(names)])
        }

        @Test(
            "the slash key starts a search, which is in the address, and Escape restores all pictures",
            .inEveryBrowser)
        func search() async throws {
            try await withFolder { browser, _ in
                try await waits(browser, for: "a sunset,d,b,c,e", "all pictures")
                try await browser.press("/")
                try await browser.press("s", "u", "n", "s")
                try await waits(browser, for: "a sunset,e", "matches by name or folder")
                #expect(
                    try await browser.run(
                        "return [headerProbe.count(), location.search, document.activeElement.name];"
                    ) == ["2 of 5", "?text=suns", "text"])
                try await browser.press("x")
                try await browser.until("headerProbe.hasNotice()", "the notice")
                #expect(
                    try await browser.run("return document.getElementById('notice').innerText.split(/\\n+/);")
                        == [
                            "Nothing found", "No name, folder, camera, lens or date matches “sunsx”.",
                            "Show all pictures",
                        ])
                try await browser.press(Key.escape)
                try await waits(browser, for: "a sunset,d,b,c,e", "all again")
                #expect(try await browser.run("return !headerProbe.hasNotice();") == true)
                try await browser.press("s", "x")
                try await browser.until("headerProbe.hasNotice()", "the notice again")
                try await browser.run(
                    "const all = document.querySelector('#notice [data-part=all]'); all.focus(); all.click();")
                try await waits(browser, for: "a sunset,d,b,c,e", "all by the button, too")
                #expect(
                    try await browser.run(
                        "return [document.querySelector('#search [name=text]').value, location.search];") == ["", ""])
            }
        }

        @Test(
            "the menu sorts and groups, its choices are in the address, and Back undoes them", .whereEnginesDiffer)
        func menu() async throws {
            try await withFolder { browser, _ in
                try await waits(browser, for: "a sunset,d,b,c,e", "the folder's own order")
                func choose(_ name: String, _ value: String) async throws {
                    try await browser.run(
                        "arrangeProbe.openMenu(); arrangeProbe.select(`#arrange [name=${arguments[0]}]`, arguments[1]);",
                        [.string(name), .string(value)])
                }
                try await choose("sort", "name")
                try await waits(browser, for: "a sunset,b,c,d,e", "by name")
                try await choose("order", "descending")
                try await waits(browser, for: "e,d,c,b,a sunset", "the other way")
                try await choose("group", "folder")
                try await waits(browser, for: "d,a sunset,c,b,e", "in folders, which keep their order")
                #expect(
                    try await browser.run("return location.search;") == "?sort=name&order=descending&group=folder")
                try await browser.reload()
                try await waits(browser, for: "d,a sunset,c,b,e", "the same again")
                try await browser.goBack()
                try await waits(browser, for: "e,d,c,b,a sunset", "without folders")
                try await browser.run("arrangeProbe.clickInMenu('[data-part=plain]');")
                try await waits(browser, for: "a sunset,d,b,c,e", "as it was")
                #expect(try await browser.run("return location.search;") == "")
            }
        }

        @Test("a filter from a link has a button that removes it", .inEveryBrowser)
        func filters() async throws {
            try await withFolder(path: "?folder=rome") { browser, _ in
                try await waits(browser, for: "b,c", "the folder's pictures")
                #expect(
                    try await browser.run(
                        "return [...document.querySelectorAll('#filters button')].map((button) => button.textContent);")
                        == ["Folder: rome×"])
                try await browser.run("document.querySelector('#filters button').click();")
                try await waits(browser, for: "a sunset,d,b,c,e", "all pictures")
                #expect(try await browser.run("return document.getElementById('filters').hidden;") == true)
            }
        }

        @Test("the menu filters by five stars")
        func fiveStars() async throws {
            try await withFolder { browser, _ in
                try await browser.run("arrangeProbe.clickInMenu('[name=fiveStars]');")
                try await waits(browser, for: "b", "the picture with five stars")
                #expect(
                    try await browser.run(
                        "return [location.search, document.querySelector('#filters button').textContent];")
                        == ["?fiveStars=1", "Five stars×"])
            }
        }

        @Test("the G key leads to a folder by its name, and refuses unknown names", .inEveryBrowser)
        func folderName() async throws {
            try await withFolder { browser, _ in
                try await waits(browser, for: "a sunset,d,b,c,e", "all pictures")
                try await browser.press("g")
                try await browser.press("s", "o", "o", "n", Key.enter)
                try await browser.until(
                    "arrangeProbe.refusal() === '“soon” is no date, number or folder here.'", "a refusal")
                #expect(
                    try await browser.run("return document.getElementById('go-hint').innerText;")
                        == "Enter a number like 5 or a name like alps.")
                try await browser.run("arrangeProbe.enterPlace('July 2019');")
                try await browser.press(Key.enter)
                try await browser.until(
                    "arrangeProbe.refusal() === 'No picture here has a date that is known.'", "a message about dates")
                try await browser.run("arrangeProbe.enterPlace('Rome');")
                try await browser.press(Key.enter)
                try await browser.until("arrangeProbe.hasGoneTo(2)", "the folder's first picture with the focus")
            }
        }

        @Test(
            "in a gallery sorted by name, a date leads to a picture of that date, and a number to its position",
            .inEveryBrowser)
        func number() async throws {
            try await withWarmPage(path: "?sort=name") { browser in
                try await browser.until("probe.visible().length && headerProbe.canArrange()", "the page")
                try await browser.press("g")
                try await browser.press("s", "o", "o", "n", Key.enter)
                try await browser.until(
                    "!document.querySelector('#go [data-part=nowhere]').hidden", "a refusal")
                try await browser.run("arrangeProbe.enterPlace('July 1969');")
                try await browser.press(Key.enter)
                try await browser.until(
                    "arrangeProbe.refusal() === 'No picture here is known to be from July 1969.'",
                    "a date without pictures")
                try await browser.run("arrangeProbe.enterPlace('July 2024');")
                try await browser.press(Key.enter)
                try await browser.until(
                    "document.activeElement.dataset.item > 0 && !document.getElementById('go').open",
                    "a picture with the focus")
                let taken = try await browser.wait(
                    """
                    const { id } = await arrangeProbe.arrange({ sort: 'name' });
                    return (await probe.get(`api/v1/galleries/${id}/items/${probe.focused()}`)).taken.time;
                    """)
                #expect(taken.string?.hasPrefix("2024-07") == true, "\(taken)")
                try await browser.press("g")
                try await browser.run("arrangeProbe.enterPlace('12,345');")
                try await browser.press(Key.enter)
                try await browser.until(
                    "arrangeProbe.hasGoneTo(12344) && probe.cell(12344)", "the picture with the focus")
            }
        }

        @Test("Back returns to the pixel before a jump, and Forward repeats the jump", .inEveryBrowser)
        func back() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled() && !document.getElementById('go-open').disabled", "the page")
                try await browser.run("probe.scroller.scrollTop = 4321;")
                try await browser.until("location.search.includes('item=') && probe.filled()", "a place")
                try await browser.run("document.getElementById('go-open').click();")
                try await browser.run("arrangeProbe.enterPlace('9,000');")
                try await browser.press(Key.enter)
                try await browser.until("probe.focused() === 8999 && probe.scroller.scrollTop > 20000", "the jump")
                try await browser.goBack()
                try await browser.until(
                    "Math.abs(probe.scroller.scrollTop - 4321) < 1 && probe.filled()", "the place before")
                try await browser.run("history.forward();")
                try await browser.until("probe.items().includes(8999)", "the jump again")
                // Opening and closing a picture there does not change the place.
                try await browser.run("probe.cell(8999).click();")
                try await browser.until("gridProbe.isViewerOpen()", "the viewer")
                try await browser.goBack()
                try await browser.until("!gridProbe.isViewerOpen() && probe.items().includes(8999)", "the same place")
            }
        }
    }
}
