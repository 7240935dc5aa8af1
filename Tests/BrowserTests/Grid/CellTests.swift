import JSON
import Testing

extension PageTests {
    @Suite("Cells")
    struct CellTests {
        @Test("a cell that has lost its picture shows no broken one")
        func lostPicture() async throws {
            try await withPage(latency: 500) { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 60000;")
                try await browser.until("probe.items()[0] > 1000", "cells without pictures")
                #expect(try await browser.run("return gridProbe.images().filter(gridProbe.isDrawn).length;") == 0)
                try await browser.until("probe.filled()", "their pictures")
                #expect(try await browser.run("return gridProbe.images().some(gridProbe.isDrawn);") == true)
            }
        }

        @Test("a cell has its name as a tooltip, and a middle click opens it in a new tab", .whereEnginesDiffer)
        func link() async throws {
            try await withWarmPage(path: "?layout=justified&item=40") { browser in
                try await browser.until("probe.items().includes(40) && probe.filled()", "pictures")
                // The title does not cover the picture that the address names.
                #expect(try await browser.run("return probe.box(40).top >= gridProbe.titleBottom() - 0.5;") == true)
                let place = try await browser.run("return probe.box(42);")
                let (x, y) = (place["x"]?.number ?? 0, place["y"]?.number ?? 0)
                func point(_ actions: [JSON]) async throws {
                    try await browser.act([
                        "type": "pointer", "id": "mouse", "parameters": ["pointerType": "mouse"],
                        "actions": .array(
                            [
                                [
                                    "type": "pointerMove", "x": .number(x), "y": .number(y), "duration": 0,
                                    "origin": "viewport",
                                ]
                            ] + actions),
                    ])
                }
                try await point([])
                try await browser.until(
                    "document.querySelector('.cell .link')?.parentElement === probe.cell(42)", "a link")
                let link = try await browser.run("return gridProbe.link();")
                #expect((link.array?.first?.string ?? "").isEmpty == false)
                #expect(link.array?.dropFirst() == ["42", "justified", .null], "\(link)")
                try await browser.run("gridProbe.catchClicks();")
                try await point([["type": "pointerDown", "button": 1], ["type": "pointerUp", "button": 1]])
                try await browser.until(
                    "window.__opened.some(([button, href]) => button === 1 && href.includes('view=42'))",
                    "the middle button on the link")
                #expect(try await browser.run("return gridProbe.isViewerOpen();") == false)
                // The first button opens the viewer here.
                try await point([["type": "pointerDown", "button": 0], ["type": "pointerUp", "button": 0]])
                try await browser.until("gridProbe.isViewerOpen() && location.search.includes('view=42')", "the viewer")
            }
        }

        @Test("a picture is opaque as soon as it has loaded, without a fade", .inEveryBrowser)
        func opaque() async throws {
            try await withWarmPage { browser in
                let opacity = try await browser.wait("return await gridProbe.opacityAfterLoad();")
                #expect(opacity == ["1", true, 0])
            }
        }

        @Test(
            "a cell shows an embedded preview until the picture arrives, and nothing if the preview is broken",
            .inEveryBrowser)
        func preview() async throws {
            try await withWarmPage { browser in
                let states = try await browser.wait("return await gridProbe.previewStates();")
                #expect(states == [["preview", 1], ["ready", 1], ["waiting", 0]], "\(states)")
            }
        }

        @Test(
            "a failed cell shows the failure and the picture's name, and its button shows the reason", .inEveryBrowser)
        func failed() async throws {
            try await withPage(arguments: ["--failure-rate", "1"], path: "?size=4") { browser, _ in
                try await browser.until("document.querySelectorAll('.problem').length > 3", "failed cells")
                #expect(
                    try await browser.run("return document.querySelectorAll('.cell[data-state=ready]').length;") == 0,
                    "failures of 100 % let something through")
                try await browser.until(
                    "[...document.querySelectorAll('.cell .problem span')].every((name) => /^(?!Picture).* \\d+$/.test(name.textContent))",
                    "the name of each, once it is known")
                let problem = "document.querySelector('.cell .problem')"
                #expect(
                    try await browser.run(
                        "return /^Can’t (load this picture|open this file)$/.test(\(problem).querySelector('b').textContent);"
                    )
                        == true)
                #expect(try await browser.run("return \(problem).querySelector('small').checkVisibility();") == false)
                try await browser.run("\(problem).querySelector('button').click();")
                #expect(try await browser.run("return \(problem).querySelector('small').checkVisibility();") == true)
                #expect(
                    try await browser.run("return \(problem).parentElement.dataset.state;") == "failed",
                    "it was tried again")
            }
        }
    }
}
