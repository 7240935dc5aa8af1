import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("The viewer's caption")
    struct CaptionTests {
        @Test(
            "on a phone neither the name nor the facts are cut by the buttons, which stay in sight",
            arguments: [375, 320])
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
                    "\(Viewer.shown) && /600/.test(document.querySelector('#viewer [data-part=facts]').textContent)",
                    "the picture with its facts")
                let told = try await browser.run(
                    """
                    const caption = [...document.querySelectorAll('#viewer .caption > *')];
                    const buttons = [...document.querySelectorAll('#viewer header > button, #viewer header > a')]
                      .filter((button) => button.checkVisibility()).map((button) => button.getBoundingClientRect());
                    const meets = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
                    return {
                      texts: caption.map(({ textContent }) => textContent.slice(0, 7)),
                      cut: caption.filter((part) => part.scrollWidth > part.clientWidth + 1 || part.getBoundingClientRect().right > innerWidth).length,
                      met: caption.filter((part) => buttons.some((button) => meets(part.getBoundingClientRect(), button))).length,
                      outside: buttons.filter(({ left, right }) => left < 0 || right > innerWidth).length,
                      buttons: buttons.length > 4,
                      stage: document.querySelector('#viewer .stage').clientHeight > 400,
                    };
                    """)
                #expect(told["texts"] == ["Morning", "2 of 2 "])
                for name in ["cut", "met", "outside"] { #expect(told[name] == 0, "\(name)") }
                #expect(told["buttons"] == true && told["stage"] == true)
            }
        }
    }
}
