import ServerFixtures
import TestSupport
import Testing

extension PageTests {
    @Suite("Pictures that have not loaded, in the viewer")
    struct UnloadedPictures {
        private static let picture = "document.querySelector('#viewer [data-part=picture]')"

        /// Whether a person sees the blur or colour of picture `number`, in the shape that the caption tells.
        private static func isBlurred(_ number: Int) -> String {
            """
            (() => {
              const [, number, width, height] = document.querySelector('#viewer .caption span').textContent
                .match(/^([0-9,]+) of .* (\\d+)\u{a0}×\u{a0}(\\d+)/) ?? [];
              const box = \(picture).getBoundingClientRect();
              return Number(number) === \(number) && \(picture).checkVisibility() && \(picture).hasAttribute('data-blur')
                && \(picture).naturalWidth > 0 && Math.abs(box.width / box.height - width / height) < 0.02;
            })()
            """
        }

        @Test("the viewer shows the blur of a picture until the picture loads: by link, by step and from a cell")
        func blur() async throws {
            let demo = try await Demo(items: 500, latency: 60_000)
            defer { demo.stop() }
            try await withBrowser { browser in
                try await browser.open(demo.address + "?view=100")
                try await browser.until(Self.isBlurred(101), "the blur by a link")
                // No frame without a picture lies between a step and the blur of the next.
                let stepped = try await browser.run(
                    """
                    document.querySelector('#viewer [data-action=next]').click();
                    return \(Self.picture).checkVisibility() && \(Self.picture).src.startsWith('data:');
                    """)
                #expect(stepped == true)
                try await browser.until(Self.isBlurred(102), "the blur of the next")
                try await browser.press(Key.escape)
                try await browser.until("!document.getElementById('viewer').open && probe.cell(95)", "the gallery")
                try await browser.run("probe.cell(95).click();")
                try await browser.until(Self.isBlurred(96), "the blur out of a cell")
            }
        }

        @Test("a picture of which nothing is known is a grey tile until it loads")
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
                        "\(Self.picture).hasAttribute('data-blur') && \(Self.picture).naturalWidth === 1 && \(Self.picture).clientWidth > 200",
                        "a tile")
                    origin.release()
                    try await browser.until("\(Viewer.shown) && \(Self.picture).naturalWidth === 600", "the picture")
                    #expect(try await browser.run("return \(Self.picture).hasAttribute('data-blur');") == false)
                }
            } catch {
                await origin.stop()
                throw error
            }
            await origin.stop()
        }

        @Test("a file that cannot be opened is named, with the reason, and with a button if another try can help")
        func broken() async throws {
            let folder = try TemporaryFolder()
            try folder.write("pictures/a.jpg", Array(Picture.jpeg(600, 400).prefix(300)))
            try folder.write("pictures/b.png", Array("no picture".utf8))
            try folder.write("pictures/c.jpg", Picture.jpeg(600, 400))
            let server = try await LookaheadProcess(["serve", "\(folder.path)/pictures"])
            defer { server.stop() }
            let words = """
                [...document.querySelectorAll('#viewer [data-part=problem] > *')]
                  .filter((part) => part.checkVisibility()).map((part) => part.textContent)
                """
            try await withBrowser { browser in
                try await browser.open(server.address + "?sort=path&view=0")
                try await browser.until("\(words).length === 4", "the reason")
                let told = try await browser.run("return \(words);").array ?? []
                try #require(told.count == 4)
                #expect(told[0] == "Can’t load this picture" && told[1] == "a.jpg" && told[3] == "Try again")
                #expect(told[2].string?.hasPrefix("Incomplete: ") == true, "\(told)")
                try await browser.press(Key.right)
                try await browser.until("\(words)[1] === 'b.png'", "the next reason")
                #expect(
                    try await browser.run("return \(words);")
                        == ["Can’t open this file", "b.png", "Not a picture: unknown format."])
                #expect(try await browser.run("return \(Self.picture).checkVisibility();") == true, "a tile, not black")
                try await browser.press(Key.right)
                try await browser.until("\(Viewer.shown) && \(words).length === 0", "the picture after them")

                // The file has been repaired.
                try await browser.press(Key.home)
                try await browser.until("\(words)[1] === 'a.jpg'", "the reason again")
                try folder.write("pictures/a.jpg", Picture.jpeg(600, 400))
                try await browser.wait(
                    """
                    await probe.until(() => {
                      const retry = document.querySelector('#viewer [data-action=retry]');
                      if (retry.checkVisibility()) retry.click();
                      return \(Viewer.shown) && \(Self.picture).naturalWidth === 600;
                    }, 'the repaired picture');
                    """)
            }
        }
    }
}
