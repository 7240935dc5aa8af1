import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("The viewer plays videos and motion photos")
    struct Videos {
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

        @Test("a motion photo plays while a pointer or a key holds its button, or after a click by a screen reader")
        func held() async throws {
            try await serve(Self.motionPhotos) { browser, address in
                try await browser.open(address + "0")
                try await browser.until("viewerProbe.isReadyToPlay()", "the button")
                try await press(try await middle(of: "viewerProbe.live", browser), browser)
                try await browser.until("viewerProbe.isPlaying()", "held by the mouse")
                try await release(browser)
                try await browser.until("viewerProbe.isStill()", "let go")
                for name in [Key.enter, " "] {
                    try await browser.run("viewerProbe.live.focus();")
                    try await key("keyDown", name, browser)
                    try await browser.until("viewerProbe.isPlaying()", "held by a key")
                    try await key("keyUp", name, browser)
                    try await browser.until("viewerProbe.isStill()", "the key let go")
                }
                // A screen reader clicks.
                try await browser.run("viewerProbe.live.click();")
                try await browser.until(
                    "viewerProbe.isPlaying() && viewerProbe.live.getAttribute('aria-pressed') === 'true'", "clicked")
                try await browser.press(Key.right)
                try await browser.until(
                    "viewerProbe.isStill() && !viewerProbe.film.hasAttribute('src') && !viewerProbe.live.checkVisibility()",
                    "a picture without a film")
                #expect(try await browser.run("return viewerProbe.filmProblem.hidden;") == true)
            }
        }

        @Test(
            "if the browser cannot play a motion photo, the picture stays and a message offers the file",
            .whereEnginesDiffer)
        func unplayable() async throws {
            try await serve(Self.motionPhotos) { browser, address in
                try await browser.open(address + "2")
                try await browser.until("viewerProbe.isReadyToPlay()", "the button")
                try await press(try await middle(of: "viewerProbe.live", browser), browser)
                try await browser.until("viewerProbe.filmProblem.checkVisibility() && viewerProbe.isStill()", "a line")
                try await release(browser)
                #expect(
                    try await browser.run("return viewerProbe.filmProblem.textContent;")
                        == "This browser can’t play this video. Download")
                #expect(
                    try await browser.run(
                        "return viewerProbe.filmProblem.querySelector('a').href.includes('/items/2/video?id=');")
                        == true)
                try await browser.press(Key.left)
                try await browser.until("!viewerProbe.filmProblem.checkVisibility()", "the next picture")
            }
        }

        @Test("a motion photo plays while a finger rests on the picture, except with reduced motion")
        func finger() async throws {
            try await serve(Self.motionPhotos) { browser, address in
                try await browser.emulate(.device(width: 800, height: 700, touch: true))
                try await browser.open(address + "0")
                try await browser.until("viewerProbe.isReadyToPlay()", "the button")
                try await browser.run("viewerProbe.recordFilm();")
                try await browser.drag([(400, 350), (400, 350)], with: "touch", pause: 1500)
                try await browser.until("heard.join() === 'playing,pause' && viewerProbe.isStill()", "a resting finger")
                #expect(try await browser.run("return viewerProbe.isZoomed(false);") == true)
                try await browser.tap(x: 400, y: 350)
                try await browser.until("viewerProbe.dialog.hasAttribute('data-bare') && heard.length === 2", "a tap")

                try await browser.emulate(.reducedMotion)
                try await browser.open(address + "0")
                try await browser.until("viewerProbe.isReadyToPlay()", "the button")
                try await browser.run("viewerProbe.recordFilm();")
                try await browser.drag([(400, 350), (400, 350)], with: "touch", pause: 600)
                #expect(try await browser.run("return viewerProbe.film.hasAttribute('src');") == false)
                try await press(try await middle(of: "viewerProbe.live", browser), browser)
                try await browser.until("viewerProbe.isPlaying()", "the button held")
                try await release(browser)
            }
        }

        @Test("a video has controls, plays and pauses by keys, and is unloaded when the next picture opens")
        func video() async throws {
            try await serve(Self.videos) { browser, address in
                try await browser.open(address + "0")
                try await browser.until(
                    "viewerProbe.film.checkVisibility() && viewerProbe.film.controls && Math.round(viewerProbe.film.duration) === 10",
                    "the film")
                #expect(try await browser.run("return viewerProbe.film.src.includes('/items/0/video?id=');") == true)
                try await browser.press(" ")
                try await browser.until("viewerProbe.isPlaying()", "played by Space")
                try await browser.press("k")
                try await browser.until("viewerProbe.film.paused", "paused by K")
                // The controls of the film handle the arrow key.
                try await browser.run("viewerProbe.film.focus();")
                try await browser.press(Key.right)
                #expect(try await browser.run("return location.search.includes('view=0');") == true)
                try await browser.press("k")
                try await browser.until("viewerProbe.isPlaying()", "played again")
                try await browser.press(Key.pageDown)
                try await browser.until(
                    "viewerProbe.isStill() && !viewerProbe.film.hasAttribute('src')", "the next picture")
                try await browser.press(Key.right)
                try await browser.until(
                    "viewerProbe.filmProblem.checkVisibility() && !viewerProbe.film.checkVisibility()",
                    "one that it cannot play")
                #expect(try await browser.run("return viewerProbe.part('problem').hidden;") == true)
                try await browser.press(Key.home)
                try await browser.until(
                    "viewerProbe.film.checkVisibility() && viewerProbe.filmProblem.hidden", "the first")
                try await browser.press(Key.escape)
                try await browser.until("!viewerProbe.isOpen() && !viewerProbe.film.hasAttribute('src')", "closed")
            }
        }

        #if !Video
            @Test("a video without a picture is a tile with its name and length, and opens like a picture")
            func tile() async throws {
                try await serve(Self.videos) { browser, address in
                    try await browser.open(address + "1")
                    try await browser.until("viewerProbe.isStill()", "a picture")
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
                    #expect(try await browser.run("return sessionProbe.notice.hidden;") == true)
                    try await browser.run("probe.cell(0).click();")
                    try await browser.until(
                        "viewerProbe.film.checkVisibility() && viewerProbe.film.controls", "the film")
                }
            }
        #endif
    }
}
