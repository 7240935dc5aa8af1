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
            "!\(film).checkVisibility() && \(film).paused && document.querySelector('#viewer [data-part=picture]:not([data-blur])')?.naturalWidth > 0"

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
                "type": "pointer", "id": "mouse", "parameters": ["pointerType": "mouse"],
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

        private static let videos = [
            "a.mp4": Movie.quadrants(slowed: 50), "b.jpg": Picture.jpeg(400, 300), "c.mov": Movie().bytes,
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
                    try await browser.run(
                        "return \(Self.problem).querySelector('a').href.includes('/items/2/video?id=');")
                        == true)
                try await browser.press(Key.left)
                try await browser.until("!\(Self.problem).checkVisibility()", "the next picture")
            }
        }

        @Test("it plays while a finger rests on the picture, which is no tap; not where no motion is wanted")
        func finger() async throws {
            try await serve(Self.motionPhotos) { browser, address in
                let watch = """
                    window.heard = [];
                    for (const type of ['playing', 'pause']) \(Self.film).addEventListener(type, () => heard.push(type));
                    """
                let zoomed = "document.querySelector('#viewer [data-part=frame]').dataset.zoomed"
                try await browser.emulate(.device(width: 800, height: 700, touch: true))
                try await browser.open(address + "0")
                try await browser.until("\(Self.live).checkVisibility() && \(Self.isStill)", "the button")
                try await browser.run(watch)
                try await browser.drag([(400, 350), (400, 350)], with: "touch", pause: 1500)
                try await browser.until("heard.join() === 'playing,pause' && \(Self.isStill)", "a resting finger")
                #expect(try await browser.run("return \(zoomed);") == "false")
                try await browser.tap(x: 400, y: 350)
                try await browser.until(
                    "document.getElementById('viewer').hasAttribute('data-bare') && heard.length === 2", "a tap")

                try await browser.emulate(.reducedMotion)
                try await browser.open(address + "0")
                try await browser.until("\(Self.live).checkVisibility() && \(Self.isStill)", "the button")
                try await browser.run(watch)
                try await browser.drag([(400, 350), (400, 350)], with: "touch", pause: 600)
                #expect(try await browser.run("return \(Self.film).hasAttribute('src');") == false)
                try await press(try await middle(of: Self.live, browser), browser)
                try await browser.until(Self.isPlaying, "the button held")
                try await release(browser)
            }
        }

        @Test("a video plays by its controls and by keys, and is let go of when the page is turned")
        func video() async throws {
            try await serve(Self.videos) { browser, address in
                try await browser.open(address + "0")
                try await browser.until(
                    "\(Self.film).checkVisibility() && \(Self.film).controls && Math.round(\(Self.film).duration) === 10",
                    "the film")
                #expect(try await browser.run("return \(Self.film).src.includes('/items/0/video?id=');") == true)
                try await browser.press(" ")
                try await browser.until(Self.isPlaying, "played by Space")
                try await browser.press("k")
                try await browser.until("\(Self.film).paused", "paused by K")
                // An arrow belongs to its controls.
                try await browser.run("\(Self.film).focus();")
                try await browser.press(Key.right)
                #expect(try await browser.run("return location.search.includes('view=0');") == true)
                try await browser.press("k")
                try await browser.until(Self.isPlaying, "played again")
                try await browser.press(Key.pageDown)
                try await browser.until("\(Self.isStill) && !\(Self.film).hasAttribute('src')", "the next picture")
                try await browser.press(Key.right)
                try await browser.until(
                    "\(Self.problem).checkVisibility() && !\(Self.film).checkVisibility()", "one that it cannot play")
                #expect(
                    try await browser.run("return document.querySelector('#viewer [data-part=problem]').hidden;")
                        == true)
                try await browser.press(Key.home)
                try await browser.until("\(Self.film).checkVisibility() && \(Self.problem).hidden", "the first")
                try await browser.press(Key.escape)
                try await browser.until(
                    "!document.getElementById('viewer').open && !\(Self.film).hasAttribute('src')", "closed")
            }
        }

        #if !Video
            @Test("a video of which there is no picture is a tile with its name and length, and opens like a picture")
            func tile() async throws {
                try await serve(Self.videos) { browser, address in
                    try await browser.open(address + "1")
                    try await browser.until(Self.isStill, "a picture")
                    try await browser.wait(
                        """
                        const facts = async () => (await (await fetch('api/v1/galleries/pictures/items/0')).json()).duration;
                        while (await facts() === undefined);
                        """)
                    try await browser.open(address.split(separator: "&")[0] + "")
                    try await browser.until(
                        "probe.cell(0).dataset.state === 'film' && probe.cell(0).innerText.split(/\\n+/).join() === 'a.mp4,0:10'",
                        "its tile")
                    #expect(
                        try await browser.run("return probe.cell(0).getAttribute('aria-label');") == "Video, 0:10, a")
                    #expect(try await browser.run("return document.getElementById('notice').hidden;") == true)
                    try await browser.run("probe.cell(0).click();")
                    try await browser.until("\(Self.film).checkVisibility() && \(Self.film).controls", "the film")
                }
            }
        #endif
    }
}
