import Foundation
import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Favourites on the page")
    struct FavoriteTests {
        private func withFolder(_ arguments: [String], _ body: (Browser, TemporaryFolder) async throws -> Void)
            async throws
        {
            let folder = try TemporaryFolder()
            for name in ["a", "b", "c"] { try folder.write("pictures/\(name).jpg", Picture.jpeg(300, 200)) }
            let server = try await LookaheadProcess(["serve", "\(folder.path)/pictures"] + arguments)
            defer { server.stop() }
            try await withBrowser { browser in
                try await browser.open(server.address + "?sort=path&view=1")
                try await browser.until(
                    "\(Viewer.shown) && document.querySelector('#viewer h2').textContent === 'b.jpg' && !document.getElementById('arrange-open').disabled",
                    "the picture")
                try await body(browser, folder)
            }
        }

        private static let star = "document.querySelector('#viewer [data-part=favorite]')"

        @Test("the star makes one, the menu shows those alone, and the star takes it back")
        func star() async throws {
            try await withFolder(["--write-sidecars"]) { browser, folder in
                let sidecar = "\(folder.path)/pictures/b.jpg.xmp"
                try await browser.until("\(Self.star).checkVisibility() && !\(Self.star).disabled", "the star")
                try await browser.press("*")
                try await browser.until(
                    "\(Self.star).getAttribute('aria-pressed') === 'true' && !\(Self.star).disabled", "a favourite")
                #expect(FileManager.default.fileExists(atPath: sidecar))
                // The gallery says so, too, once it is read anew.
                try await browser.reload()
                try await browser.until(
                    "\(Viewer.shown) && \(Self.star).getAttribute('aria-pressed') === 'true'", "the same after a reload"
                )
                try await browser.press(Key.escape)
                try await browser.until(
                    "!document.getElementById('viewer').open && !document.getElementById('arrange-open').disabled",
                    "the gallery")
                try await browser.run(
                    "document.getElementById('arrange-open').click(); document.querySelector('#arrange [name=favorite]').click();"
                )
                try await browser.until(
                    "/favorite=1/.test(location.search) && document.getElementById('count').textContent === '1 of 3' && probe.visible()[0]?.getAttribute('aria-label') === 'b'",
                    "the favourite alone")
                #expect(
                    try await browser.run("return document.querySelector('#filters button').textContent;")
                        == "Favourites×")
                try await browser.run("document.querySelector('#filters button').click();")
                try await browser.until("document.getElementById('count').textContent === '3 pictures'", "all again")
                try await browser.run("probe.cell(1).click();")
                try await browser.until(
                    "\(Viewer.shown) && \(Self.star).getAttribute('aria-pressed') === 'true'", "opened again")
                try await browser.run("\(Self.star).click();")
                try await browser.until(
                    "\(Self.star).getAttribute('aria-pressed') === 'false' && !\(Self.star).disabled", "none")
                #expect(try String(contentsOfFile: sidecar, encoding: .utf8).contains("xmp:Rating=\"0\""))
            }
        }

        @Test("a refusal is said, and the star goes out; without the flag there is none")
        func refused() async throws {
            try await withFolder(["--write-sidecars"]) { browser, folder in
                try folder.write("pictures/b.jpg.xmp", Array("mine".utf8))
                try await browser.until("\(Self.star).checkVisibility() && !\(Self.star).disabled", "the star")
                try await browser.run("\(Self.star).click();")
                try await browser.until(
                    "/is not an XMP file/.test(document.querySelector('#viewer [data-part=refusal]').innerText)",
                    "the reason")
                #expect(try await browser.run("return \(Self.star).getAttribute('aria-pressed');") == "false")
            }
            try await withFolder([]) { browser, _ in
                try await browser.press("*")
                #expect(
                    try await browser.run(
                        "return [\(Self.star).checkVisibility(), document.querySelector('#arrange [data-favorites]').hidden];"
                    )
                        == [false, true])
            }
        }
    }
}
