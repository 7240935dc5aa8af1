import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Videos in the viewer")
    struct Videos {
        private static let film = "document.querySelector('#viewer [data-part=film]')"
        private static let live = "document.querySelector('#viewer [data-part=live]')"
        private static let problem = "document.querySelector('#viewer [data-part=film-problem]')"
        private static let isPlaying =
            "\(film).checkVisibility() && !\(film).paused && \(film).currentTime > 0 && \(film).videoWidth === 64"
        /// Out of sight and at rest, its picture in its place.
        private static let isStill =
            "!\(film).checkVisibility() && \(film).paused && document.querySelector('#viewer [data-part=picture]').naturalWidth > 0"

        private func serve(
            _ files: [String: [UInt8]], _ body: (Browser, String) async throws -> Void
        ) async throws {
            let folder = try TemporaryFolder()
            for (name, bytes) in files { try folder.write("pictures/\(name)", bytes) }
            let server = try await LookaheadProcess(["serve", "\(folder.path)/pictures"])
            defer { server.stop() }
            try await withBrowser { browser in try await body(browser, server.address + "?sort=path&view=") }
        }

        private func middle(of element: String, _ browser: Browser) async throws -> (x: Double, y: Double) {
            let box = try await browser.run("return \(element).getBoundingClientRect();")
            let (x, y) = (try #require(box["x"]?.number), try #require(box["y"]?.number))
            let (width, height) = (try #require(box["width"]?.number), try #require(box["height"]?.number))
            return ((x + width / 2).rounded(), (y + height / 2).rounded())
        }

        private func press(_ place: (x: Double, y: Double), _ browser: Browser)
            async throws
        {
            try await point(
                [
                    [
                        "type": "pointerMove", "x": .number(place.x), "y": .number(place.y), "duration": 0,
                        "origin": "viewport",
                    ],
                    ["type": "pointerDown", "button": 0],
                ], browser)
        }

        private func release(_ browser: Browser) async throws {
            try await point([["type": "pointerUp", "button": 0]], browser)
        }

        private func point(_ actions: [JSON], _ browser: Browser) async throws {
            try await browser.act([
                "type": "pointer", "id": "one", "parameters": ["pointerType": "mouse"],
                "actions": .array(actions),
            ])
        }

        private func key(_ action: String, _ key: String, _ browser: Browser) async throws {
            try await browser.act([
                "type": "key", "id": "keyboard", "actions": [["type": .string(action), "value": .string(key)]],
            ])
        }

        private static let motionPhotos = [
            "a.jpg": Picture.motionPhoto(Picture.jpeg(400, 300), film: Movie.quadrants(slowed: 50)),
            "b.jpg": Picture.jpeg(400, 300),
            "c.jpg": Picture.motionPhoto(Picture.jpeg(400, 300), film: Movie().bytes),
        ]

        @Test("a motion photo plays while its button is held, by a pointer or a key")
        func held() async throws {
            try await serve(Self.motionPhotos) { browser, address in
                try await browser.open(address + "0")
                try await browser.until("\(Self.live).checkVisibility() && \(Self.isStill)", "the button")
                try await press(try await middle(of: Self.live, browser), browser)
                try await browser.until(Self.isPlaying, "held by the mouse")
                try await release(browser)
                try await browser.until(Self.isStill, "let go")
                for name in [Key.enter, " "] {
                    try await browser.run("\(Self.live).focus();")
                    try await key("keyDown", name, browser)
                    try await browser.until(Self.isPlaying, "held by a key")
                    try await key("keyUp", name, browser)
                    try await browser.until(Self.isStill, "the key let go")
                }
                // A screen reader clicks.
                try await browser.run("\(Self.live).click();")
                try await browser.until(
                    "\(Self.isPlaying) && \(Self.live).getAttribute('aria-pressed') === 'true'", "clicked")
                try await browser.press(Key.right)
                try await browser.until(
                    "\(Self.isStill) && !\(Self.film).hasAttribute('src') && !\(Self.live).checkVisibility()",
                    "a picture without a film")
                #expect(try await browser.run("return \(Self.problem).hidden;") == true)
            }
        }

        @Test("where the browser cannot play it the picture stays, and a line offers the file", .whereEnginesDiffer)
        func unplayable() async throws {
            try await serve(Self.motionPhotos) { browser, address in
                try await browser.open(address + "2")
                try await browser.until("\(Self.live).checkVisibility() && \(Self.isStill)", "the button")
                try await press(try await middle(of: Self.live, browser), browser)
                try await browser.until("\(Self.problem).checkVisibility() && \(Self.isStill)", "a line")
                try await release(browser)
                #expect(
                    try await browser.run("return \(Self.problem).textContent;")
                        == "This browser can’t play this video. Download")
                #expect(
                    try await browser.run("return \(Self.problem).querySelector('a').href.endsWith('/items/2/video');")
                        == true)
                try await browser.press(Key.left)
                try await browser.until("!\(Self.problem).checkVisibility()", "the next picture")
            }
        }
    }
}
