import JSON
import ServerFixtures
import TestSupport
import Testing

extension PageTests {
    @Suite("Pictures whose shapes are learned as they come")
    struct LearnedShapes {
        /// Whether every visible cell has a picture, and its picture's shape.
        private static let shaped = """
            (() => {
              const cells = probe.visible();
              return cells.length > 0 && cells.every((cell) => {
                const image = cell.querySelector('img'), box = cell.getBoundingClientRect();
                return image.naturalWidth > 0 && Math.abs(box.width / box.height / (image.naturalWidth / image.naturalHeight) - 1) < 0.05;
              });
            })()
            """

        /// From frame to frame, how far the first visible cell moved, as a part of its height, and how often its size changed.
        private static let watch = """
            window.__jump = 0;
            window.__changes = 0;
            let last = null;
            // The state about to be painted: after all that the page does in a frame.
            const beat = document.body.appendChild(document.createElement('i'));
            beat.style.cssText = 'position: fixed; visibility: hidden; height: 1px';
            const tick = (time) => {
              beat.style.width = `${1 + (time % 7)}px`;
              requestAnimationFrame(tick);
            };
            const look = () => {
              const top = probe.scroller.getBoundingClientRect().top;
              if (last) {
                const box = probe.cell(last.item)?.getBoundingClientRect();
                window.__jump = Math.max(window.__jump, box ? Math.abs((top - box.top) / box.height - last.hidden) : 9);
                if (box && Math.abs(box.height - last.height) > 1) window.__changes += 1;
              }
              const cell = probe.visible()[0];
              const box = cell?.getBoundingClientRect();
              last = box && { item: Number(cell.dataset.item), hidden: (top - box.top) / box.height, height: box.height };
            };
            new ResizeObserver(look).observe(beat);
            requestAnimationFrame(tick);
            """

        private static let pictures: [[UInt8]] = (0..<240).map { number in
            let shape = [(300, 200), (200, 300), (420, 180), (240, 240), (180, 320)][number * 7 % 11 % 5]
            return Picture.hidingItsSize(Picture.jpeg(shape.0, shape.1, red: UInt8(number)))
        }

        @Test(
            "a folder of unknown shapes falls into place without moving the first visible picture",
            .inEveryBrowser)
        func folder() async throws {
            let folder = try TemporaryFolder()
            for (number, picture) in Self.pictures.enumerated() {
                try folder.write("pictures/\(1000 + number).jpg", picture)
            }
            let server = try await LookaheadProcess(["serve", "\(folder.path)/pictures"])
            defer { server.stop() }
            // When the facts of a folder come, the page opens it anew: that is another test's matter.
            func index() async throws -> [Int?] {
                let index = try await server.call("GET", "galleries/pictures")["index"]
                return [index?["known"]?.integer, index?["of"]?.integer]
            }
            try await eventually("the facts of all files", of: index) { $0 == [240, 240] }
            try await withBrowser { browser in
                try await browser.open(server.address + "?layout=justified")
                try await browser.until(Self.shaped, "the beginning, in shape")
                try await fallsIntoPlace(browser) {}
            }
        }

        @Test(
            "so does a list whose origin takes its time: sizes change, and the first visible picture stays",
            .inEveryBrowser)
        func list() async throws {
            let origin = try ScriptedOrigin.held(Self.pictures)
            do {
                let folder = try TemporaryFolder()
                let list = try folder.write("list.txt", Array(origin.list(240).utf8))
                let server = try await LookaheadProcess(["serve", list, "--allow-origin", "127.0.0.1:\(origin.port)"])
                defer { server.stop() }
                try await withBrowser { browser in
                    try await browser.open(server.address + "?layout=justified")
                    try await browser.until(
                        "document.documentElement.dataset.connection === 'live' && probe.items().includes(0)", "cells")
                    try await fallsIntoPlace(browser) { origin.release() }
                    #expect((try await browser.run("return window.__changes;").integer ?? 0) > 0)
                }
            } catch {
                await origin.stop()
                throw error
            }
            await origin.stop()
        }

        /// Goes where no shapes are known, and sees them come once `release` lets them.
        private func fallsIntoPlace(_ browser: Browser, once release: () -> Void) async throws {
            // All in one: the shapes may be known soon.
            try await browser.wait(
                """
                probe.scroller.scrollTop = probe.scroller.scrollHeight * 0.6;
                await probe.until(() => probe.scroller.scrollTop > 0 && probe.items()[0] > 60, 'further down');
                \(Self.watch)
                await probe.frame();
                await probe.frame();
                """)
            release()
            try await browser.until(Self.shaped, "further down, in shape")
            let jump = try await browser.run("return window.__jump;").number ?? 9
            // The item that the title may cover stays: the one below it moves with that one's height.
            #expect(jump < 0.1, "the first visible picture moved by \(jump) of its height")
        }
    }
}
