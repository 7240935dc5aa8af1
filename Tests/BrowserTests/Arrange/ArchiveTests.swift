import Foundation
import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("What is selected as one file")
    struct ArchiveTests {
        @Test("is a ZIP file with the pictures as they are", .whereEnginesDiffer)
        func zip() async throws {
            let folder = try TemporaryFolder()
            let pictures = (0..<4).map { Picture.jpeg(200 + 50 * $0, 200) }
            for (index, picture) in pictures.enumerated() { try folder.write("\(index).jpg", picture) }
            let server = try await Demo(["serve", folder.path])
            defer { server.stop() }
            try await withBrowser { browser in
                try await browser.open(server.address)
                try await browser.until(
                    "probe.visible().length === 4 && !document.getElementById('arrange-open').disabled", "the pictures")
                // Keeps the file that would be saved, and its name.
                try await browser.run(
                    """
                    const make = URL.createObjectURL;
                    URL.createObjectURL = (blob) => { window.__saved = blob; return make.call(URL, blob); };
                    HTMLAnchorElement.prototype.click = function () { window.__name = this.download; };
                    probe.cell(1).focus();
                    """)
                try await browser.until("!document.querySelector('#selected [data-action=archive]').hidden", "an offer")
                try await browser.press("x")
                try await browser.press(Key.right, Key.right, holding: Key.shift)
                try await browser.until(
                    "document.querySelector('#selected b').textContent === '3 selected'", "the selection")
                try await browser.run("document.querySelector('#selected [data-action=archive]').click();")
                try await browser.until("window.__saved", "the file")
                let saved = try await browser.wait(
                    """
                    const bytes = new Uint8Array(await window.__saved.arrayBuffer());
                    return { name: window.__name, data: btoa(String.fromCharCode(...bytes)) };
                    """)
                #expect(saved["name"]?.string == URL(fileURLWithPath: folder.path).lastPathComponent + ".zip")
                let file = try folder.write(
                    "saved.zip", Array(Data(base64Encoded: saved["data"]?.string ?? "") ?? Data()))
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
