import TestSupport
import Testing

extension PageTests {
    @Suite("Pictures longer than what is rendered, in the viewer")
    struct LongPictures {
        private static let picture = "document.querySelector('#viewer [data-part=picture]')"

        private static let rendered = "\(Viewer.shown) && \(picture).src.includes('/items/0/image?')"
        private static let problem = "document.querySelector('#viewer [data-part=problem]')"

        /// The paths of the items' files that the page has asked for.
        private static let originals = """
            performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
              .filter((path) => path.endsWith('/original')).map((path) => path.split('/').slice(-3).join('/'))
            """

        private func serve(_ body: (Browser, LookaheadProcess) async throws -> Void) async throws {
            let folder = try TemporaryFolder()
            // As it is rendered: 137 x 4096 pixels.
            try folder.write("pictures/a.jpg", Picture.jpeg(300, 9000))
            try folder.write("pictures/b.jpg", Picture.jpeg(3000, 400))
            let server = try await LookaheadProcess(["serve", "\(folder.path)/pictures"])
            defer { server.stop() }
            // Sizes are read after the names.
            try await eventually("sizes") {
                try await TestClient.exchange(
                    "GET", port: server.port, path: "/api/v1/galleries/pictures/items?count=1"
                ).text.contains("\"width\":300")
            }
            try await withBrowser { try await body($0, server) }
        }

        @Test("at 1:1 the file itself is shown, sharp, until another picture is", .inEveryBrowser)
        func original() async throws {
            try await serve { browser, server in
                try await browser.open(server.address + "?sort=path&view=0")
                try await browser.until(Self.rendered, "rendered")
                #expect(try await browser.run("return \(Self.picture).naturalWidth;") == 137)
                #expect(try await browser.run("return \(Self.originals);") == [])
                try await browser.press("z")
                try await browser.until(
                    """
                    \(Self.picture).src.includes('/items/0/original?') && \(Self.picture).naturalWidth === 300
                      && Math.abs(\(Self.picture).getBoundingClientRect().width * devicePixelRatio - 300) < 1.5
                    """, "the file, one pixel for one")
                try await browser.press(Key.pageDown)
                try await browser.until("\(Self.picture).src.includes('/items/1/image?')", "the next picture")
                // All of its pixels are rendered.
                try await browser.press("z")
                try await browser.until("\(Self.picture).naturalWidth === 3000", "the largest rendered image")
                #expect(try await browser.run("return [...new Set(\(Self.originals))];") == ["items/0/original"])
            }
        }

        @Test("the rendered image stays if the file cannot be had")
        func refused() async throws {
            try await serve { browser, server in
                try await browser.open(server.address + "?sort=path&view=0")
                try await browser.until(Self.rendered, "rendered")
                // Each image fails to decode from here on.
                try await browser.run(
                    """
                    HTMLImageElement.prototype.decode = function () {
                      window.refused = this.src;
                      return Promise.reject(new Error());
                    };
                    """)
                try await browser.press("z")
                try await browser.until(
                    "window.refused?.includes('/items/0/original?') && !document.querySelector('#viewer [data-loading]')",
                    "refused")
                #expect(try await browser.run("return \(Self.picture).src.includes('/items/0/image?');") == true)
                #expect(try await browser.run("return \(Self.problem).hidden;") == true)
            }
        }
    }
}
