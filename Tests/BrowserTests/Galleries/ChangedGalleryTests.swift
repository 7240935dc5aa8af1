import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("The page keeps its place while a gallery changes")
    struct ChangedGallery {
        @Test("the first picture in view stays in view when thousands of pictures are added before it")
        func carried() async throws {
            let folder = try TemporaryFolder()
            let picture = Picture.jpeg(60, 40)
            for number in 0..<200 { try folder.write("pictures/p\(5000 + number).jpg", picture) }
            let server = try await LookaheadProcess(["serve", "\(folder.path)/pictures"])
            defer { server.stop() }
            try await withBrowser { browser in
                try await browser.open(server.address)
                try await browser.until("probe.visible()[0]?.dataset.state === 'ready'", "the beginning")
                try await browser.run("probe.scroller.scrollTop = probe.scroller.scrollHeight / 2;")
                try await browser.until(
                    "probe.items()[0] > 20 && probe.visible()[0].dataset.state === 'ready'", "the middle")
                try await browser.run("return probe.calm();")
                let item = try #require(try await browser.run("return probe.items()[0];").integer)
                for number in 0..<3000 { try folder.write("pictures/p\(1000 + number).jpg", picture) }
                // The picture may move within its row. Until the last file has been read, its new number may be that of another
                // picture.
                try await browser.until(
                    "probe.cell(args[2])?.dataset.state === 'ready' && probe.cell(args[2]).getAttribute('aria-label').includes(args[3])",
                    "the same picture under its new number",
                    [.number(Double(item + 3000)), .string("\(5000 + item)")])
            }
        }
    }
}
