import Foundation
import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("The page remembers the place, and prints and saves it")
    struct Place {
        @Test(
            "the address has the item, layout and size: a reload restores them to the pixel, and a link to the item",
            .inEveryBrowser)
        func restored() async throws {
            try await withPage(path: "?layout=masonry&size=2") { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 23456;")
                try await browser.until(
                    "location.search.includes('item=') && probe.filled()", "the place in the address")
                let place = try await browser.run("return probe.scroller.scrollTop;")
                let first = try await browser.run("return probe.items()[0];").integer ?? -1
                let address = try await browser.run("return location.search;").string ?? ""
                try await browser.reload()
                try await browser.until("probe.items().includes(\(first)) && probe.filled()", "the same again")
                try await browser.until(
                    "Math.abs(probe.scroller.scrollTop - \(place.number ?? 0)) < 1", "the same pixel")
                #expect(
                    try await browser.run(
                        "return [probe.layout, document.getElementById('density').value];")
                        == ["masonry", "2"])

                // Another person opens the link.
                try await browser.inAnotherTab(demo.address + address) {
                    try await browser.until("probe.items().includes(\(first)) && probe.filled()", "the same item")
                    #expect(try await browser.run("return probe.layout;") == "masonry")
                }
            }
        }

        @Test("a link to an item beyond the end leads to the end, and the address changes accordingly", .inEveryBrowser)
        func beyond() async throws {
            try await withWarmPage(path: "?item=123456789") { browser in
                try await browser.until("probe.filled() && probe.items().includes(19_999)", "the last picture")
                #expect((try await browser.run("return pageProbe.addressItem();").integer ?? .max) < 20_000)
            }
        }

        @Test(
            "on paper the page has the pictures in view and those after them, at most 60, with names and without controls",
            .inEveryBrowser)
        func printed() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 50000;")
                try await browser.until("probe.items()[0] > 1000 && probe.filled()", "further down")
                let items = try await browser.run("return probe.items();")
                // Without controls the page shows more pictures. Those have arrived, too, once the page is calm.
                try await browser.wait("await probe.calm();")
                try await browser.emulate(.medium("print"))
                try await browser.until("pageProbe.isStill()", "the still page")
                try await browser.until("document.querySelectorAll('#print li').length", "paper")
                let printed = try await browser.run("return pageProbe.paper();")
                let shown = (printed["items"]?.array ?? []).compactMap(\.integer)
                // The print leaves out the row under the title at the top.
                #expect(Set(shown).isSuperset(of: (items.array ?? []).compactMap(\.integer).suffix(12)))
                #expect(shown.count <= 60 && shown == Array((shown.first ?? 0)..<(shown.first ?? 0) + shown.count))
                #expect(printed["titles"]?.array?.isEmpty == false && printed["names"] == true)
                #expect(printed["foot"]?.string?.hasPrefix("\(shown.count) of 20,000 pictures") == true, "\(printed)")
                #expect(printed["controls"] == 0)
                // The paper has new images, which the browser loads after the page has changed.
                try await browser.until(
                    "[...document.images].every((image) => !image.currentSrc || image.complete && image.naturalWidth)",
                    "pictures on paper")
                try await browser.emulate(.medium("screen"))
                try await browser.until("probe.filled()", "the gallery again")
                #expect(try await browser.run("return probe.items();") == items)
            }
        }

        @Test("the browser prints 12 to 60 pictures on one to four sheets", .whereEnginesDiffer)
        func paper() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 50000;")
                try await browser.until("probe.items()[0] > 1000 && probe.filled()", "further down")
                try await browser.wait("await probe.calm();")
                // The page's own listener runs before this one.
                try await browser.run(
                    "addEventListener('beforeprint', () => (window.printed = document.querySelectorAll('#print img').length));"
                )
                let paper = try await browser.print()
                let printed = try await browser.run("return printed;")
                #expect((12...60).contains(printed.integer ?? 0), "\(printed)")
                #expect(paper.count > 100_000, "a page without pictures: \(paper.count) bytes")
                #expect(try await browser.run("return document.querySelectorAll('#print li').length;") == 0)
                // No sheet is empty. Firefox compresses the objects that describe sheets.
                guard browser.engine == .chromium else { return }
                let sheets = String(decoding: paper, as: UTF8.self).matches(of: /\/Type\s*\/Page\b(?!s)/).count
                #expect((1...4).contains(sheets), "\(sheets) sheets")
            }
        }

        // Chromium only: Firefox cannot save a page as one file.
        @Test("a saved page shows the pictures that were in view, without a server and without scripts")
        func saved() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 50000;")
                try await browser.until("probe.items()[0] > 1000 && probe.filled()", "further down")
                let items = Set((try await browser.run("return probe.items();").array ?? []).compactMap(\.integer))
                let copy = try await browser.devtools("Page.captureSnapshot", ["format": "mhtml"])["data"]?.string ?? ""
                let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).mhtml")
                defer { try? FileManager.default.removeItem(at: file) }
                try Data(copy.utf8).write(to: file)
                try await browser.open(file.absoluteString)
                try await browser.until("pageProbe.isStill()", "the still page")
                let shown = Set(
                    (try await browser.run("return pageProbe.itemsOnPage();").array ?? []).compactMap(\.integer))
                #expect(shown.isSuperset(of: items))
            }
        }

        @Test("a page saved with its files shows the pictures that were in view, and makes no requests to a server")
        func savedWithFiles() async throws {
            let folder = try TemporaryFolder()
            var items: Set<Int> = []
            try await withPage { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 50000;")
                try await browser.until("probe.items()[0] > 1000 && probe.filled()", "further down")
                items = Set((try await browser.run("return probe.items();").array ?? []).compactMap(\.integer))
                // As "Save page as" does, saves the document and the files that it names.
                let copy = try await browser.run("return pageProbe.copy();")
                try folder.write("copy.html", Array((copy["html"]?.string ?? "").utf8))
                for file in (copy["files"]?.array ?? []).compactMap(\.string) {
                    let answer = try await TestClient.exchange("GET", port: demo.port, path: "/" + file)
                    try folder.write(file, answer.body)
                }
            }
            try await withBrowser { browser in
                try await browser.open("file://\(folder.path)/copy.html")
                try await browser.until("pageProbe.isStill()", "the still page")
                let shown = Set(
                    (try await browser.run("return pageProbe.itemsOnPage();").array ?? []).compactMap(\.integer))
                #expect(shown.isSuperset(of: items))
                #expect(try await browser.run("return sessionProbe.notice.hidden;") == true)
                #expect(
                    try await browser.run(
                        "return performance.getEntriesByType('resource').filter(({ name }) => !name.startsWith('file:') && !name.startsWith('data:')).map(({ name }) => name);"
                    ) == [])
            }
        }
    }
}
