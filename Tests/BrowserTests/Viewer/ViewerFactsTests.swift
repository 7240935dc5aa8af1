import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Facts in the viewer")
    struct ViewerFacts {
        private static let boxes = """
            (() => {
              const box = (selector) => document.querySelector('#viewer ' + selector).getBoundingClientRect();
              const [frame, details, stage, picture] = ['.frame', '.details', '.stage', '[data-part=picture]'].map(box);
              return { frame, details, stage, picture };
            })()
            """

        @Test("they stand beside the picture, which has what they leave, and all of it again without them")
        func beside() async throws {
            try await withWarmPage(path: "?view=3") { browser in
                try await browser.until(Viewer.shown, "the picture")
                try await browser.press("i")
                try await browser.until("document.querySelectorAll('#viewer .details dt').length > 4", "the facts")
                let open = try await browser.run(
                    """
                    const { frame, details, stage, picture } = \(Self.boxes);
                    return { apart: frame.right <= details.left + 0.5 && picture.right <= frame.right + 0.5,
                      whole: Math.abs(frame.left - stage.left) < 1 && Math.abs(details.right - stage.right) < 1 };
                    """)
                #expect(open == ["apart": true, "whole": true])
                try await browser.press("i")
                try await browser.until(
                    "(() => { const { frame, stage } = \(Self.boxes); return frame.right === stage.right; })()",
                    "all of the stage")
            }
        }

        // Chromium alone: of the fingers that drive Firefox nothing moves.
        @Test("on a phone they are a sheet below the picture, which a finger makes higher, lower, or closes")
        func sheet() async throws {
            try await withPhone(items: 1000) { browser in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.cell(3).click();")
                try await browser.until(Viewer.shown, "the picture")
                try await browser.run("document.querySelector('#viewer [data-action=facts]').click();")
                try await browser.until("document.querySelectorAll('#viewer .details dt').length > 4", "the facts")
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
                // A press of the handle changes the height, too.
                try await browser.run("document.querySelector('#viewer .grip').click();")
                #expect(abs(try await boxes(browser).sheet - tall.sheet) < 1)
                try await browser.run("document.querySelector('#viewer .grip').click();")
                #expect(abs(try await boxes(browser).sheet - half.sheet) < 1)
                try await drag(by: 280)
                try await browser.until(
                    "document.querySelector('#viewer .details').hidden && document.querySelector('#viewer [data-action=facts]').ariaPressed === 'false'",
                    "the sheet closed")
                let room = try await browser.run(
                    "const { frame, stage } = \(Self.boxes); return stage.bottom - frame.bottom;")
                #expect((room.number ?? 999) < 30, "the picture has its room again")
            }
        }

        private func boxes(
            _ browser: Browser
        ) async throws -> (picture: Double, sheet: Double, top: Double, bottom: Double) {
            let told = try await browser.run(
                """
                const { details, stage, picture } = \(Self.boxes);
                return { picture: picture.bottom, sheet: details.top, top: stage.top, bottom: stage.bottom };
                """)
            func number(_ name: String) -> Double { told[name]?.number ?? -1 }
            return (number("picture"), number("sheet"), number("top"), number("bottom"))
        }

        @Test("the viewer closes into the cell of its picture, and at once where no motion is wanted")
        func closing() async throws {
            try await withWarmPage { browser in
                for isStill in [false, true] {
                    if isStill { try await browser.emulate(.reducedMotion) }
                    try await browser.reload()
                    try await browser.until("probe.filled()", "first pictures")
                    try await browser.run("probe.cell(3).click();")
                    try await browser.until(Viewer.shown, "the picture")
                    try await browser.run(
                        """
                        window.__left = [];
                        new MutationObserver((changes) => {
                          for (const { addedNodes } of changes) for (const node of addedNodes) if (node.className === 'leaving') {
                            const [animation] = node.getAnimations();
                            animation.pause();
                            animation.currentTime = animation.effect.getComputedTiming().duration - 0.01;
                            const [from, to] = [node, probe.cell(3)].map((element) => element.getBoundingClientRect());
                            window.__left.push(Math.hypot(from.x + from.width / 2 - to.x - to.width / 2, from.y + from.height / 2 - to.y - to.height / 2));
                            animation.play();
                          }
                        }).observe(document.body, { childList: true });
                        """)
                    try await browser.run("document.querySelector('#viewer [data-action=close]').click();")
                    try await browser.until(
                        "!document.getElementById('viewer').open && probe.focused() === 3 && !document.querySelector('.leaving')",
                        "the gallery")
                    let left = try await browser.run("return window.__left;").array ?? []
                    #expect(left.count == (isStill ? 0 : 1), "\(isStill ? "still" : "moving")")
                    #expect(left.allSatisfy { ($0.number ?? 99) < 2 }, "it ended beside the cell: \(left)")
                }
            }
        }

        @Test("a name that is too long is cut before its ending")
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
                    "\(Viewer.shown) && document.querySelector('#viewer h2').textContent === '\(name)'", "the picture")
                let told = try await browser.run(
                    """
                    const [head, tail] = document.querySelector('#viewer h2').children;
                    const bar = document.querySelector('#viewer header > button').getBoundingClientRect();
                    return { isCut: head.scrollWidth > head.clientWidth, ends: tail.textContent.endsWith('.jpg'), seen: tail.scrollWidth <= tail.clientWidth && tail.getBoundingClientRect().right <= bar.left };
                    """)
                #expect(told == ["ends": true, "isCut": true, "seen": true])
            }
        }
    }
}
