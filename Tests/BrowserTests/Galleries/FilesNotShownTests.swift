import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("The page counts and names files that it does not show")
    struct FilesNotShown {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            for name in ["a/1.PSD", "a/2.psd", "3.avi", "notes.txt"] { try folder.write(name, [0]) }
        }

        @Test("the header counts the files that are not shown, and a click names their formats", .inEveryBrowser)
        func named() async throws {
            try folder.write("4.jpg", Picture.jpeg(300, 200))
            let server = try await Demo(["serve", folder.path])
            defer { server.stop() }
            try await withBrowser { browser in
                try await browser.open(server.address)
                try await browser.until(
                    "document.getElementById('not-shown-open').textContent === '3 not shown'", "their number")
                try await browser.run("document.getElementById('not-shown-open').click();")
                try await browser.until("document.getElementById('not-shown').matches(':popover-open')", "the list")
                #expect(
                    try await browser.run("return document.getElementById('not-shown').innerText.split(/\\n+/);")
                        == [
                            "3 files are not shown", "2 PSD, 1 AVI",
                            "Lookahead shows JPEG, PNG, WebP, GIF, BMP, HEIC, AVIF, JPEG XL, TIFF and the previews in RAW files.",
                        ])
                try await browser.resize(width: 500, height: 700)
                try await browser.until(
                    "document.getElementById('not-shown-open').parentElement.id === 'tools'",
                    "a place in a phone's menu")
            }
        }

        @Test("an empty gallery says which files it does not show")
        func empty() async throws {
            let server = try await Demo(["serve", folder.path])
            defer { server.stop() }
            try await withBrowser { browser in
                try await browser.open(server.address)
                try await browser.until(
                    "document.querySelector('#notice p').textContent.startsWith('3 files are not shown: 2 PSD, 1 AVI.')",
                    "the message")
                try folder.write("5.jpg", Picture.jpeg(300, 200))
                try await browser.until("probe.visible().length === 1", "the first picture")
                #expect(try await browser.run("return sessionProbe.notice.hidden;") == true)
            }
        }
    }
}
