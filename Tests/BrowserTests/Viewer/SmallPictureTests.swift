import Foundation
import TestSupport
import Testing

extension PageTests {
    @Suite("Small and moving pictures in the viewer")
    struct SmallPictures {
        /// Two frames of one pixel, a tenth of a second each.
        private static let gif: [UInt8] = {
            let frame: [UInt8] =
                [0x21, 0xF9, 4, 0, 10, 0, 0, 0] + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
            return Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 255, 255, 255, 0, 0, 0] + frame + frame + [0x3B]
        }()

        /// The same as a PNG.
        private static let apng = Fixture.bytes("two-frames.png")

        private func serve(_ body: (Browser, LookaheadProcess) async throws -> Void) async throws {
            let folder = try TemporaryFolder()
            try folder.write("pictures/a.jpg", Picture.jpeg(40, 30))
            try folder.write("pictures/b.jpg", Picture.jpeg(300, 200))
            try folder.write("pictures/c.jpg", Picture.jpeg(4000, 300))
            try folder.write("pictures/d.gif", Self.gif)
            try folder.write("pictures/e.png", Self.apng)
            let server = try await LookaheadProcess(["serve", "\(folder.path)/pictures"])
            defer { server.stop() }
            try await withBrowser { try await body($0, server) }
        }

        @Test("small ones are shown twice as large, tiny ones eight times and as squares, others as they fit")
        func enlarged() async throws {
            try await serve { browser, server in
                for (item, width, rendering) in [(0, 320, "pixelated"), (1, 600, "auto"), (2, 1280, "auto")] {
                    try await browser.open(server.address + "?sort=path&view=\(item)")
                    try await browser.until(
                        """
                        (() => {
                          const picture = document.querySelector('#viewer [data-part=picture]');
                          return Math.round(picture.getBoundingClientRect().width) === \(width)
                            && getComputedStyle(picture).imageRendering === '\(rendering)' && picture.naturalWidth > 0;
                        })()
                        """, "item \(item)")
                }
            }
        }

        @Test("squares of two greys lie below a picture that may be transparent, none below a JPEG")
        func transparent() async throws {
            try await serve { browser, server in
                for (item, isOpaque) in [(1, true), (3, false)] {
                    try await browser.open(server.address + "?sort=path&view=\(item)")
                    try await browser.until(
                        """
                        (() => {
                          const picture = document.querySelector('#viewer [data-part=picture]');
                          return picture.naturalWidth > 0
                            && getComputedStyle(picture).backgroundImage.includes('conic-gradient') === \(!isOpaque);
                        })()
                        """, "item \(item)")
                }
            }
        }

        @Test("in the grid a GIF and a panorama have a badge, which a screen reader hears with the name")
        func badges() async throws {
            try await serve { browser, server in
                try await browser.open(server.address + "?sort=path")
                try await browser.until(
                    """
                    [0, 1, 2, 3].map((item) => probe.cell(item).innerText).join() === ',,Panorama,GIF'
                      && [0, 1, 2, 3].map((item) => probe.cell(item).ariaLabel).join('; ') === 'Photo, a; Photo, b; Panorama, c; GIF, d'
                    """, "the badges")
            }
        }

        @Test("a GIF or animated PNG is shown by its own file, which moves; by a still picture if no motion is wanted")
        func moving() async throws {
            try await serve { browser, server in
                let source = "document.querySelector('#viewer [data-part=picture]').src"
                for item in [3, 4] {
                    try await browser.open(server.address + "?sort=path&view=\(item)")
                    try await browser.until("\(source).includes('/items/\(item)/original?id=')", "the file")
                }
                try await browser.emulate(.reducedMotion)
                for item in [3, 4] {
                    try await browser.open(server.address + "?sort=path&view=\(item)")
                    try await browser.until("\(source).includes('/items/\(item)/image?')", "a still picture")
                }
                #expect(try await browser.run("return matchMedia('(prefers-reduced-motion: reduce)').matches;") == true)
            }
        }
    }
}
