import Foundation
import TestSupport
import Testing

extension PageTests {
    @Suite("The viewer enlarges small pictures and plays moving ones")
    struct SmallPictures {
        /// Two frames of one pixel, a tenth of a second each.
        private static let gif: [UInt8] = {
            let frame: [UInt8] =
                [0x21, 0xF9, 4, 0, 10, 0, 0, 0] + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
            return Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 255, 255, 255, 0, 0, 0] + frame + frame + [0x3B]
        }()

        /// The same frames as an animated PNG.
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

        @Test(
            "the viewer shows small pictures twice as large, tiny ones eight times with sharp pixels, and others to fit"
        )
        func enlarged() async throws {
            try await serve { browser, server in
                for (item, width, rendering) in [(0, 320, "pixelated"), (1, 600, "auto"), (2, 1280, "auto")] {
                    try await browser.open(server.address + "?sort=path&view=\(item)")
                    try await browser.until("viewerProbe.isRendered(\(width), '\(rendering)')", "item \(item)")
                }
            }
        }

        @Test("squares of two greys lie below a picture that may be transparent, and none below a JPEG")
        func transparent() async throws {
            try await serve { browser, server in
                for (item, isOpaque) in [(1, true), (3, false)] {
                    try await browser.open(server.address + "?sort=path&view=\(item)")
                    try await browser.until("viewerProbe.hasSquares() === \(!isOpaque)", "item \(item)")
                }
            }
        }

        @Test("a GIF and a panorama have a badge in the grid, and their labels name it to screen readers")
        func badges() async throws {
            try await serve { browser, server in
                try await browser.open(server.address + "?sort=path")
                try await browser.until(
                    "viewerProbe.haveBadges(',,Panorama,GIF', 'Photo, a; Photo, b; Panorama, c; GIF, d')", "the badges")
            }
        }

        @Test("the viewer plays the file of a GIF or animated PNG, and shows a still picture with reduced motion")
        func moving() async throws {
            try await serve { browser, server in
                for item in [3, 4] {
                    try await browser.open(server.address + "?sort=path&view=\(item)")
                    try await browser.until(
                        "viewerProbe.picture.src.includes('/items/\(item)/original?id=')", "the file")
                }
                try await browser.emulate(.reducedMotion)
                for item in [3, 4] {
                    try await browser.open(server.address + "?sort=path&view=\(item)")
                    try await browser.until(
                        "viewerProbe.picture.src.includes('/items/\(item)/image?')", "a still picture")
                }
                #expect(try await browser.run("return matchMedia('(prefers-reduced-motion: reduce)').matches;") == true)
            }
        }
    }
}
