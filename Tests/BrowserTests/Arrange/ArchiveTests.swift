import Foundation
import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Archives of selected pictures")
    struct ArchiveTests {
        @Test("the browser saves the selection as a ZIP file of the original pictures, and the page holds no copy")
        func zip() async throws {
            let folder = try TemporaryFolder()
            let pictures = (0..<4).map { Picture.jpeg(200 + 50 * $0, 200) }
            for (index, picture) in pictures.enumerated() { try folder.write("pictures/\(index).jpg", picture) }
            let server = try await Demo(["serve", folder.path + "/pictures"])
            defer { server.stop() }
            try await withBrowser { browser in
                try await browser.open(server.address)
                try await browser.until("probe.visible().length === 4 && headerProbe.canArrange()", "the pictures")
                _ = try await browser.devtools(
                    "Browser.setDownloadBehavior", ["behavior": "allow", "downloadPath": .string(folder.path)])
                try await browser.run("arrangeProbe.refuseBlobs(); probe.cell(1).focus();")
                try await browser.until("!arrangeProbe.archiveButton().hidden", "an offer")
                try await browser.wait("await arrangeProbe.sizesKnown();")
                try await browser.press("x")
                try await browser.press(Key.right, Key.right, holding: Key.shift)
                try await browser.until(
                    "document.querySelector('#selected b').textContent === '3 selected'", "the selection")
                try await browser.until(
                    "/^Download 3 pictures \\(about \\d+.kB\\)$/.test(arrangeProbe.archiveButton().textContent)",
                    "how many pictures, and their size")
                let press = "arrangeProbe.archiveButton().click();"
                let start = try await browser.run("\(press) return location.href;")
                let file = folder.path + "/pictures.zip"
                try await eventually("the file on the disk") { FileManager.default.fileExists(atPath: file) }
                #expect(try await browser.run("return [blobs, location.href];") == [0, start])
                try await browser.until("document.body.innerText.includes('Download started')", "the message")
                let asked = try await browser.run(
                    "return performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => /galleries.*(archive|downloads)/.test(name));"
                )
                #expect(asked.array?.count == 1, "the page fetches the address, not the file: \(asked)")
                // The server refuses another download, and the page shows the reason.
                try await browser.wait("await arrangeProbe.fillDownloads();")
                try await browser.run(press)
                try await browser.until(
                    "document.body.innerText.includes('Download failed: Too many archives')", "the reason")
                _ = try await browser.devtools("Browser.setDownloadBehavior", ["behavior": "default"])
                let list = try Child(
                    "/usr/bin/env",
                    [
                        "python3", "-c",
                        "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), *((i.filename, i.file_size) for i in z.infolist()))",
                        file,
                    ])
                let opened = await list.output()
                let expected =
                    "None " + [1, 2, 3].map { "('\($0).jpg', \(pictures[$0].count))" }.joined(separator: " ")
                #expect(opened.trimmingCharacters(in: .whitespacesAndNewlines) == expected)
            }
        }
    }
}
