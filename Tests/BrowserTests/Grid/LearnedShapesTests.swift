import JSON
import ServerFixtures
import TestSupport
import Testing

extension PageTests {
    @Suite("Pictures of unknown shape")
    struct LearnedShapes {
        private static let pictures: [[UInt8]] = (0..<240).map { number in
            let shape = [(300, 200), (200, 300), (420, 180), (240, 240), (180, 320)][number * 7 % 11 % 5]
            return Picture.hidingItsSize(Picture.jpeg(shape.0, shape.1, red: UInt8(number)))
        }

        @Test(
            "a folder of unknown shapes takes shape without moving the first visible picture",
            .inEveryBrowser)
        func folder() async throws {
            let folder = try TemporaryFolder()
            for (number, picture) in Self.pictures.enumerated() {
                try folder.write("pictures/\(1000 + number).jpg", picture)
            }
            let server = try await LookaheadProcess(["serve", "\(folder.path)/pictures"])
            defer { server.stop() }
            // The page opens a folder again when its facts arrive, which is not the subject of this test.
            func index() async throws -> [Int?] {
                let index = try await server.call("GET", "galleries/pictures")["index"]
                return [index?["known"]?.integer, index?["of"]?.integer]
            }
            try await eventually("the facts of all files", of: index) { $0 == [240, 240] }
            try await withBrowser { browser in
                try await browser.open(server.address + "?layout=justified")
                try await browser.until("gridProbe.areShaped(0.05)", "the beginning, in shape")
                try await fallsIntoPlace(browser) {}
            }
        }

        @Test(
            "a list with a slow origin changes cell sizes without moving the first visible picture",
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

        /// Scrolls to unknown shapes, calls `release`, and checks that the first visible picture stays in place.
        private func fallsIntoPlace(_ browser: Browser, once release: () -> Void) async throws {
            // In one call, because the shapes may be known soon.
            try await browser.wait("await gridProbe.watchShapes();")
            release()
            try await browser.until("gridProbe.areShaped(0.05)", "further down, in shape")
            let jump = try await browser.run("return window.__jump;").number ?? 9
            // The title may cover the first visible item. The item below it moves if that item's height changes.
            #expect(jump < 0.1, "the first visible picture moved by \(jump) of its height")
        }
    }
}
