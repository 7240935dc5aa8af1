import ServerFixtures
import TestSupport
import Testing

extension PageTests {
    @Suite("The viewer shows a blur, a tile or a reason until a picture loads")
    struct UnloadedPictures {
        @Test("the viewer shows the blur of a picture until it loads, whether opened by link, by step or from a cell")
        func blur() async throws {
            let demo = try await Demo(items: 500, latency: 60_000)
            defer { demo.stop() }
            try await withBrowser { browser in
                try await browser.open(demo.address + "?view=100")
                try await browser.until("viewerProbe.isBlurred(101)", "the blur by a link")
                // There is no frame without a picture between a step and the blur of the next picture.
                #expect(try await browser.run("return viewerProbe.stepShowsBlur();") == true)
                try await browser.until("viewerProbe.isBlurred(102)", "the blur of the next")
                try await browser.press(Key.escape)
                try await browser.until("!viewerProbe.isOpen() && probe.cell(95)", "the gallery")
                try await browser.run("probe.cell(95).click();")
                try await browser.until("viewerProbe.isBlurred(96)", "the blur out of a cell")
            }
        }

        @Test("the viewer shows a grey tile until a picture without a blur loads")
        func tile() async throws {
            let origin = try ScriptedOrigin.held([Picture.jpeg(600, 400)])
            do {
                let folder = try TemporaryFolder()
                let list = try folder.write("list.txt", Array(origin.list(1).utf8))
                let server = try await LookaheadProcess(["serve", list, "--allow-origin", "127.0.0.1:\(origin.port)"])
                defer { server.stop() }
                try await withBrowser { browser in
                    try await browser.open(server.address + "?view=0")
                    try await browser.until(
                        "viewerProbe.picture.hasAttribute('data-blur') && viewerProbe.picture.naturalWidth === 1 && viewerProbe.picture.clientWidth > 200",
                        "a tile")
                    origin.release()
                    try await browser.until(
                        "viewerProbe.isShown() && viewerProbe.picture.naturalWidth === 600", "the picture")
                    #expect(try await browser.run("return viewerProbe.picture.hasAttribute('data-blur');") == false)
                }
            } catch {
                await origin.stop()
                throw error
            }
            await origin.stop()
        }

        @Test("the viewer names a file that cannot be opened and the reason, and offers a retry if that can help")
        func broken() async throws {
            let folder = try TemporaryFolder()
            try folder.write("pictures/a.jpg", Array(Picture.jpeg(600, 400).prefix(300)))
            try folder.write("pictures/b.png", Array("no picture".utf8))
            try folder.write("pictures/c.jpg", Picture.jpeg(600, 400))
            let server = try await LookaheadProcess(["serve", "\(folder.path)/pictures"])
            defer { server.stop() }
            try await withBrowser { browser in
                try await browser.open(server.address + "?sort=path&view=0")
                try await browser.until("viewerProbe.problem().length === 4", "the reason")
                let told = try await browser.run("return viewerProbe.problem();").array ?? []
                try #require(told.count == 4)
                #expect(told[0] == "Can’t load this picture" && told[1] == "a.jpg" && told[3] == "Try again")
                #expect(told[2].string?.hasPrefix("Incomplete: ") == true, "\(told)")
                try await browser.press(Key.right)
                try await browser.until("viewerProbe.problem()[1] === 'b.png'", "the next reason")
                #expect(
                    try await browser.run("return viewerProbe.problem();")
                        == ["Can’t open this file", "b.png", "Not a picture: unknown format."])
                #expect(
                    try await browser.run("return viewerProbe.picture.checkVisibility();") == true, "a tile, not black")
                try await browser.press(Key.right)
                try await browser.until(
                    "viewerProbe.isShown() && viewerProbe.problem().length === 0", "the picture after them")

                try await browser.press(Key.home)
                try await browser.until("viewerProbe.problem()[1] === 'a.jpg'", "the reason again")
                try folder.write("pictures/a.jpg", Picture.jpeg(600, 400))
                try await browser.until(
                    "(viewerProbe.retry(), viewerProbe.isShown() && viewerProbe.picture.naturalWidth === 600)",
                    "the repaired picture")
            }
        }
    }
}
