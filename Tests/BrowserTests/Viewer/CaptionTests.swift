import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("The viewer's caption fits on a phone")
    struct CaptionTests {
        @Test("on a phone the buttons are visible, and cover neither the name nor the facts", arguments: [375, 320])
        func phone(width: Int) async throws {
            let folder = try TemporaryFolder()
            try folder.write("pictures/Evening at the lake.jpg", Picture.jpeg(600, 400))
            try folder.write("pictures/Morning in the mountains.jpg", Picture.jpeg(600, 400))
            let server = try await LookaheadProcess(["serve", "\(folder.path)/pictures"])
            defer { server.stop() }
            try await withBrowser { browser in
                try await browser.resize(width: width, height: 700)
                try await browser.open(server.address + "?sort=path&view=1")
                try await browser.until(
                    "viewerProbe.isShown() && viewerProbe.facts.includes('600')", "the picture with its facts")
                let told = try await browser.run("return viewerProbe.captionLayout();")
                #expect(told["texts"] == ["Morning", "2 of 2 "])
                for name in ["cut", "met", "outside"] { #expect(told[name] == 0, "\(name)") }
                #expect(told["buttons"] == true && told["stage"] == true)
            }
        }
    }
}
