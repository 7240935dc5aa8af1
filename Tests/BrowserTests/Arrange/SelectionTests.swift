import JSON
import Testing

extension PageTests {
    @Suite("Selection")
    struct SelectionTests {
        /// Returns the text of the selection's bar, and the visible cells that are marked as selected.
        private func selected(_ browser: Browser) async throws -> (words: String, items: [Int]) {
            let selection = try await browser.run("return arrangeProbe.selection();")
            #expect(selection["agrees"] == true, "the accessible state differs from the visible one")
            return (selection["words"]?.string ?? "", (selection["items"]?.array ?? []).compactMap(\.integer))
        }

        private func click(_ browser: Browser, _ item: Int, holding key: String? = nil, at corner: Double? = nil)
            async throws
        {
            let box = try await browser.run("return probe.box(\(item));")
            let x = corner.map { (box["left"]?.number ?? 0) + $0 } ?? box["x"]?.number ?? 0
            let y = corner.map { (box["top"]?.number ?? 0) + $0 } ?? box["y"]?.number ?? 0
            let press: JSON = [
                "type": "pointer", "id": "mouse", "parameters": ["pointerType": "mouse"],
                "actions": [
                    [
                        "type": "pointerMove", "x": .number(x.rounded()), "y": .number(y.rounded()), "duration": 0,
                        "origin": "viewport",
                    ],
                    ["type": "pause", "duration": 50], ["type": "pointerDown", "button": 0],
                    ["type": "pointerUp", "button": 0],
                ],
            ]
            guard let key else { return try await browser.act(press) }
            try await browser.act([
                "type": "key", "id": "keyboard", "actions": [["type": "keyDown", "value": .string(key)]],
            ])
            try await browser.act(press)
            try await browser.act([
                "type": "key", "id": "keyboard", "actions": [["type": "keyUp", "value": .string(key)]],
            ])
        }

        @Test(
            "the circle and Ctrl+click select a picture, Shift+click a range, and then a click is enough",
            .inEveryBrowser)
        func mouse() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                // A mouse over the pictures shows the circle as soon as the code for selections has loaded.
                try await browser.until("arrangeProbe.hover()", "the circle")
                try await click(browser, 3, at: 18)
                var now = try await selected(browser)
                #expect(now.words == "1 selected")
                #expect(now.items == [3])
                try await click(browser, 5, holding: Key.control)
                try await click(browser, 8, holding: Key.shift)
                now = try await selected(browser)
                #expect(now.words == "5 selected")
                #expect(now.items == [3, 5, 6, 7, 8])
                try await click(browser, 6)
                now = try await selected(browser)
                #expect(now.items == [3, 5, 7, 8])
                #expect(try await browser.run("return gridProbe.isViewerOpen();") == false)
                // Reused cells show the mark only for selected items.
                try await browser.run("probe.scroller.scrollTop = 30000;")
                try await browser.until("probe.items()[0] > 500 && probe.filled()", "another place")
                #expect(try await selected(browser).items == [])
                try await browser.run("probe.scroller.scrollTop = 0;")
                try await browser.until("probe.items()[0] === 0 && probe.filled()", "the beginning")
                #expect(try await selected(browser).items == [3, 5, 7, 8])
                try await browser.run("document.querySelector('#selected [data-action=clear]').click();")
                now = try await selected(browser)
                #expect(now.words == "" && now.items == [])
                try await click(browser, 3)
                try await browser.until("gridProbe.isViewerOpen()", "the viewer again")
            }
        }

        @Test(
            "the title of a day selects the whole day while pictures are selected, and deselects it again",
            .inEveryBrowser)
        func day() async throws {
            try await withWarmPage(path: "?sort=taken&group=day") { browser in
                try await browser.until("probe.filled() && document.querySelector('#headers .header')", "days")
                let title = "document.querySelector('#headers [data-section=\"0\"]')"
                try await browser.run("probe.cell(0).focus();")
                try await browser.until("arrangeProbe.pressX()", "the selection")
                let count = try await browser.run("return \(title).querySelector('small').textContent;").string ?? ""
                let mark = "\(title).querySelector('button')"
                #expect(
                    try await browser.run(
                        "return [\(mark).ariaPressed, \(mark).ariaLabel.startsWith('Select all of ')];")
                        == ["false", true])
                try await browser.run("\(title).querySelector('span').click();")
                #expect(try await selected(browser).words == "\(count) selected")
                #expect(try await browser.run("return \(mark).ariaPressed;") == "true")
                let offer = try await browser.run("return arrangeProbe.archiveButton().textContent;")
                #expect(offer == .string("Download \(count) pictures"))
                // Enter on the title's button deselects the day. Titles have no button if nothing is selected.
                try await browser.run("\(mark).focus();")
                try await browser.press(Key.enter)
                #expect(try await selected(browser).words == "")
                #expect(
                    try await browser.run(
                        "return [document.querySelectorAll('.header button').length, document.getElementById('grid').contains(document.activeElement)];"
                    ) == [0, true])
                try await browser.run("\(title).querySelector('span').click();")
                #expect(try await selected(browser).words == "", "a title alone selects nothing")
            }
        }

        @Test(
            "X selects the focused picture, Shift with arrow keys a range, Ctrl+A all, and Escape none",
            .whereEnginesDiffer)
        func keys() async throws {
            try await withWarmPage { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.cell(0).focus();")
                // The keys work as soon as the code for selections has loaded.
                try await browser.until("arrangeProbe.pressX()", "the selection")
                #expect(try await selected(browser).items == [0])
                try await browser.press(Key.right, Key.right, holding: Key.shift)
                #expect(try await selected(browser).items == [0, 1, 2])
                try await browser.press(Key.left, holding: Key.shift)
                #expect(try await selected(browser).items == [0, 1])
                try await browser.press(Key.right, Key.right, " ")
                #expect(try await selected(browser).items == [0, 1, 3])
                try await browser.press("a", holding: Key.control)
                #expect(try await selected(browser).words == "20,000 selected")
                try await browser.press(Key.escape)
                #expect(try await selected(browser).words == "")
                try await browser.press(Key.enter)
                try await browser.until("gridProbe.isViewerOpen()", "the viewer")
            }
        }

        @Test(
            "the page copies links to the selected pictures, one a line, and each link opens its picture",
            .inEveryBrowser)
        func links() async throws {
            try await withPage(path: "?sort=taken") { browser, demo in
                try await browser.until("probe.filled() && document.querySelector('#selected')", "first pictures")
                try await browser.run(
                    "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text } } });"
                )
                try await browser.until("arrangeProbe.hover()", "the circle")
                try await click(browser, 2, at: 18)
                try await click(browser, 4, holding: Key.control)
                // A sorted page makes its cells itself, because no script has drawn its first screen.
                #expect(try await selected(browser).items == [2, 4])
                try await browser.run("document.querySelector('#selected [data-action=links]').click();")
                try await browser.until("window.copied", "the links")
                let links =
                    try await browser.run("return window.copied.split('\\n');").array?.compactMap(\.string) ?? []
                #expect(
                    links.count == 2 && links.allSatisfy { $0.hasPrefix(demo.address) && $0.contains("sort=taken") })
                try await browser.open(links.last ?? "")
                try await browser.until(
                    "gridProbe.isViewerOpen() && document.querySelector('#viewer [data-part=facts]').textContent.startsWith('5 of')",
                    "the picture")
            }
        }

        @Test("a long press selects a picture, and then a tap selects another", .whereEnginesDiffer)
        func finger() async throws {
            try await withBrowser { browser in
                try await browser.emulate(.device(width: 1280, height: 800, touch: true))
                let demo = try await Demo(items: 2000)
                defer { demo.stop() }
                try await browser.open(demo.address)
                try await browser.until(
                    "probe.filled() && gridProbe.hasLoaded('/long-press.js')",
                    "first pictures, and the code that selects")
                try await browser.wait("await probe.calm();")
                let box = try await browser.run("return probe.box(2);")
                let (x, y) = (box["x"]?.number ?? 0, box["y"]?.number ?? 0)
                func rest() async throws {
                    try await browser.act([
                        "type": "pointer", "id": "finger", "parameters": ["pointerType": "touch"],
                        "actions": [
                            [
                                "type": "pointerMove", "x": .number(x.rounded()), "y": .number(y.rounded()),
                                "duration": 0, "origin": "viewport",
                            ],
                            ["type": "pointerDown", "button": 0], ["type": "pause", "duration": 800],
                            ["type": "pointerUp", "button": 0],
                        ],
                    ])
                }
                try await rest()
                try await browser.until("!document.getElementById('selected').hidden", "the selection")
                #expect(try await selected(browser).items == [2])
                let other = try await browser.run("return probe.box(4);")
                try await browser.tap(x: other["x"]?.number ?? 0, y: other["y"]?.number ?? 0)
                try await browser.until(
                    "document.querySelector('#selected b').textContent.startsWith('2 ')", "one more")
                #expect(try await selected(browser).items == [2, 4])
                #expect(try await browser.run("return gridProbe.isViewerOpen();") == false)
            }
        }
    }
}
