import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("The viewer shows the facts of a picture, and returns to its cell")
    struct ViewerFacts {
        @Test("the facts are beside the picture, which has the whole stage again once they close")
        func beside() async throws {
            try await withWarmPage(path: "?view=3") { browser in
                try await browser.until("viewerProbe.isShown()", "the picture")
                try await browser.press("i")
                try await browser.until("viewerProbe.hasFacts()", "the facts")
                let open = try await browser.run("return viewerProbe.factsLayout();")
                #expect(open == ["apart": true, "whole": true])
                try await browser.press("i")
                try await browser.until(
                    "viewerProbe.box('.frame').right === viewerProbe.box('.stage').right", "all of the stage")
            }
        }

        // Chromium only: simulated fingers move nothing in Firefox.
        @Test("on a phone the facts are a sheet below the picture that a finger makes taller, shorter or closes")
        func sheet() async throws {
            try await withPhone(items: 1000) { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.cell(3).click();")
                try await browser.until("viewerProbe.isShown()", "the picture")
                try await browser.run("viewerProbe.press('facts');")
                try await browser.until("viewerProbe.hasFacts()", "the facts")
                let half = try await boxes(browser)
                #expect(half.picture <= half.sheet + 0.5, "the sheet covers the picture: \(half)")
                #expect((0.3...0.6).contains((half.bottom - half.sheet) / (half.bottom - half.top)))
                func drag(by distance: Double) async throws {
                    let (x, y) = (195.0, try await boxes(browser).sheet + 14)
                    try await browser.drag(
                        [0, 0.25, 0.5, 0.75, 1, 1].map { (x, y + distance * $0) }, with: "touch")
                }
                try await drag(by: -200)
                let tall = try await boxes(browser)
                #expect(tall.sheet < half.sheet - 100, "\(tall)")
                try await drag(by: 200)
                #expect(abs(try await boxes(browser).sheet - half.sheet) < 1)
                // A click on the handle changes the height, too.
                try await browser.run("viewerProbe.find('.grip').click();")
                #expect(abs(try await boxes(browser).sheet - tall.sheet) < 1)
                try await browser.run("viewerProbe.find('.grip').click();")
                #expect(abs(try await boxes(browser).sheet - half.sheet) < 1)
                try await drag(by: 280)
                try await browser.until(
                    "viewerProbe.find('.details').hidden && viewerProbe.find('[data-action=facts]').ariaPressed === 'false'",
                    "the sheet closed")
                let room = try await browser.run(
                    "return viewerProbe.box('.stage').bottom - viewerProbe.box('.frame').bottom;")
                #expect((room.number ?? 999) < 30, "the picture has its room again")
            }
        }

        private func boxes(
            _ browser: Browser
        ) async throws -> (picture: Double, sheet: Double, top: Double, bottom: Double) {
            let told = try await browser.run("return viewerProbe.sheet();")
            func number(_ name: String) -> Double { told[name]?.number ?? -1 }
            return (number("picture"), number("sheet"), number("top"), number("bottom"))
        }

        @Test("the viewer shrinks into the cell of its picture when it closes, except with reduced motion")
        func closing() async throws {
            try await withWarmPage { browser in
                for isStill in [false, true] {
                    if isStill { try await browser.emulate(.reducedMotion) }
                    try await browser.reload()
                    try await browser.until("probe.filled()", "first pictures")
                    try await browser.run("probe.cell(3).click();")
                    try await browser.until("viewerProbe.isShown()", "the picture")
                    try await browser.run("viewerProbe.recordClosing(3);")
                    try await browser.run("viewerProbe.press('close');")
                    try await browser.until(
                        "!viewerProbe.isOpen() && probe.focused() === 3 && !document.querySelector('.leaving')",
                        "the gallery")
                    let left = try await browser.run("return viewerProbe.page.closings;").array ?? []
                    #expect(left.count == (isStill ? 0 : 1), "\(isStill ? "still" : "moving")")
                    #expect(left.allSatisfy { ($0.number ?? 99) < 2 }, "it ended beside the cell: \(left)")
                }
            }
        }

        @Test("a name that is too long is cut before its extension")
        func longName() async throws {
            let folder = try TemporaryFolder()
            let name = "A walk along the coast with everybody who could come and their dogs, first part.jpg"
            try folder.write("pictures/\(name)", Picture.jpeg(600, 400))
            let server = try await LookaheadProcess(["serve", "\(folder.path)/pictures"])
            defer { server.stop() }
            try await withBrowser { browser in
                try await browser.resize(width: 700, height: 700)
                try await browser.open(server.address + "?view=0")
                try await browser.until(
                    "viewerProbe.isShown() && viewerProbe.find('h2').textContent === '\(name)'", "the picture")
                let told = try await browser.run("return viewerProbe.nameLayout();")
                #expect(told == ["ends": true, "isCut": true, "seen": true])
            }
        }
    }
}
