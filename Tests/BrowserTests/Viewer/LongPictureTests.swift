import TestSupport
import Testing

extension PageTests {
    @Suite("The viewer shows very long pictures from their own files")
    struct LongPictures {
        private func serve(_ body: (Browser, LookaheadProcess) async throws -> Void) async throws {
            let folder = try TemporaryFolder()
            // The server renders it with 137 x 4096 pixels.
            try folder.write("pictures/a.jpg", Picture.jpeg(300, 9000))
            try folder.write("pictures/b.jpg", Picture.jpeg(3000, 400))
            let server = try await LookaheadProcess(["serve", "\(folder.path)/pictures"])
            defer { server.stop() }
            // The server reads sizes after the names.
            try await eventually("sizes") {
                try await TestClient.exchange(
                    "GET", port: server.port, path: "/api/v1/galleries/pictures/items?count=1"
                ).text.contains("\"width\":300")
            }
            try await withBrowser { try await body($0, server) }
        }

        @Test("at 1:1 the viewer shows the file itself if it is larger than the rendered image", .inEveryBrowser)
        func original() async throws {
            try await serve { browser, server in
                try await browser.open(server.address + "?sort=path&view=0")
                try await browser.until("viewerProbe.showsImage(0)", "rendered")
                #expect(try await browser.run("return viewerProbe.picture.naturalWidth;") == 137)
                #expect(try await browser.run("return viewerProbe.originals();") == [])
                try await browser.press("z")
                try await browser.until("viewerProbe.isOriginal(0, 300)", "the file, one pixel for one")
                try await browser.press(Key.pageDown)
                try await browser.until("viewerProbe.picture.src.includes('/items/1/image?')", "the next picture")
                // The server renders all pixels of this one.
                try await browser.press("z")
                try await browser.until("viewerProbe.picture.naturalWidth === 3000", "the largest rendered image")
                #expect(try await browser.run("return [...new Set(viewerProbe.originals())];") == ["items/0/original"])
            }
        }

        @Test("the rendered image stays if the file cannot be decoded")
        func refused() async throws {
            try await serve { browser, server in
                try await browser.open(server.address + "?sort=path&view=0")
                try await browser.until("viewerProbe.showsImage(0)", "rendered")
                // Each image fails to decode from here on.
                try await browser.run("viewerProbe.refuseImages();")
                try await browser.press("z")
                try await browser.until(
                    "window.refused?.includes('/items/0/original?') && !viewerProbe.find('[data-loading]')", "refused")
                #expect(try await browser.run("return viewerProbe.picture.src.includes('/items/0/image?');") == true)
                #expect(try await browser.run("return viewerProbe.part('problem').hidden;") == true)
            }
        }
    }
}
