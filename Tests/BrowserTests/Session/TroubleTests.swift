import JSON
import TestSupport
import Testing

extension PageTests {
    /// Each problem has a notice of its own, which disappears by itself.
    @Suite("The page reports errors and recovers from them")
    struct Trouble {
        @Test(
            "without the token the page asks for it in its own style, at the first visit and after the token has changed",
            .inEveryBrowser)
        func token() async throws {
            let folder = try TemporaryFolder()
            let file = try folder.write("token", Array("0123456789abcdef\n".utf8))
            let demo = try await Demo(items: 2000, also: ["--token-file", file])
            defer { demo.stop() }
            try await withBrowser { browser in
                try await browser.open(demo.address)
                try await browser.until(
                    "document.querySelector('input[name=\"token\"]') === document.activeElement", "a form")
                let appearance = try await browser.run("return sessionProbe.appearance();")
                #expect(
                    try await browser.run(
                        "return [...document.querySelectorAll('input, button')].map((e) => e.offsetHeight);") == [
                            44, 44,
                        ])
                try await type("0123456789abcdeg", in: browser)
                try await browser.until(
                    "document.body?.textContent.includes('token isn’t right')", "that the token is wrong")
                try await type("0123456789abcdef", in: browser)
                try await browser.until("sessionProbe.connection === 'live' && probe.filled()", "the gallery")
                let readable = try await browser.run("return location.search + document.cookie;")
                #expect(readable == "", "the token can be read: \(readable)")
                #expect(try await browser.run("return sessionProbe.appearance();") == appearance)
                try await browser.run("probe.scroller.scrollTop = 3000;")
                try await browser.until("location.search.includes('item=') && probe.filled()", "further down")
                let item = try await browser.run("return pageProbe.addressItem();")

                try await browser.hurry()
                try folder.write("token", Array("fedcba9876543210\n".utf8))
                demo.kill()
                try await demo.restart()
                try await browser.until("sessionProbe.hasNotice('token')", "the question")
                try await browser.run("document.querySelector('#notice input').focus();")
                try await type("fedcba9876543210", in: browser)
                try await browser.until("sessionProbe.connection === 'live' && probe.filled()", "the gallery")
                try await browser.until("probe.items().includes(\(item.integer ?? -1))", "the same place")
            }
        }

        private func type(_ text: String, in browser: Browser) async throws {
            for character in text { try await browser.press(String(character)) }
            try await browser.press(Key.enter)
        }

        @Test(
            "an empty gallery says so and fills as files are added, and pictures in view stay as more are added",
            .inEveryBrowser)
        func fills() async throws {
            let folder = try TemporaryFolder()
            try folder.write("pictures/notes.txt")
            let server = try await LookaheadProcess(["serve", "\(folder.path)/pictures"])
            defer { server.stop() }
            try await withBrowser { browser in
                try await browser.open(server.address + "?layout=grid")
                try await browser.until("sessionProbe.hasNotice('empty')", "the notice")
                for number in 100..<220 {
                    try folder.write("pictures/\(number).jpg", Picture.jpeg(40, 30, red: UInt8(number)))
                }
                try await browser.until(
                    "sessionProbe.isCalm() && document.getElementById('count').textContent.startsWith('120 ') && sessionProbe.isReady(8)",
                    "the pictures")

                try await browser.run("probe.scroller.scrollTop = 700;")
                try await browser.until("probe.items()[0] > 5 && sessionProbe.isReady(8)", "further down")
                try await browser.until(
                    "probe.visible().every((cell) => probe.name(cell).endsWith('.jpg') || !probe.name(cell).startsWith('Picture'))",
                    "their names")
                let before = try await browser.run("return sessionProbe.places();")
                // A full row before all others: all of them move by one row.
                let columns = try await browser.run("return pageProbe.columns();").integer ?? 1
                for number in 0..<columns {
                    try folder.write("pictures/0\(10 + number).jpg", Picture.jpeg(40, 30))
                }
                try await browser.until(
                    "document.getElementById('count').textContent.startsWith('\(120 + columns) ') && sessionProbe.isReady(8)",
                    "the new ones")
                try await browser.until(
                    "JSON.stringify(sessionProbe.places()) === args[2]", "nothing has jumped", [.string(text(before))])
            }
        }

        private func text(_ value: JSON) -> String { String(decoding: value.bytes, as: UTF8.self) }

        @Test(
            "the page says that a gallery is gone, links to the start page, and shows the gallery once it is back",
            .whereEnginesDiffer)
        func gone() async throws {
            let folder = try TemporaryFolder()
            try folder.write("other/1.jpg", Picture.jpeg(30, 20))
            try await withPage(path: "?gallery=demo") { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.hurry()
                demo.kill()
                try await demo.restart(as: ["serve", "\(folder.path)/other"])
                try await browser.until("sessionProbe.hasNotice('gone')", "the notice")
                #expect(try await browser.run("return getComputedStyle(probe.scroller).visibility;") == "hidden")
                #expect(
                    try await browser.run(
                        "const way = document.querySelector('#notice a'); return [way.checkVisibility(), way.href === location.origin + '/'];"
                    ) == [true, true])
                demo.kill()
                try await demo.restart()
                try await browser.until("sessionProbe.isCalm() && probe.filled()", "the gallery again")
                #expect(try await browser.run("return document.querySelector('#notice a').checkVisibility();") == false)
            }
        }

        @Test(
            "if all pictures fail, the page says why, retries by itself, and shows the pictures once they load",
            .inEveryBrowser)
        func allFail() async throws {
            try await withOriginGone { browser, server, origin in
                try await browser.open(server.address)
                try await browser.hurry()
                try await browser.until("sessionProbe.hasNotice('failing')", "the notice")
                // The page retries the pictures in between. They have no reason then, so one with a reason is enough.
                try await browser.until(
                    "[...document.querySelectorAll('.problem small')].some((why) => why.textContent.includes('refused'))",
                    "why")
                try await browser.until(
                    "document.querySelector('#notice p').textContent.includes('Retrying')", "that the page retries")
                try await origin.restart()
                try await browser.until("sessionProbe.isCalm() && sessionProbe.isReady(8)", "the pictures")
            }
        }

        @Test("the page names an unreachable host, and Retry requests its pictures again", .inEveryBrowser)
        func unreachable() async throws {
            let folder = try TemporaryFolder()
            let names = (0..<40).map { "http://no-such-host.invalid/\($0).jpg\n" }
            let server = try await LookaheadProcess(["serve", folder.write("list.txt", Array(names.joined().utf8))])
            defer { server.stop() }
            try await withBrowser { browser in
                try await browser.open(server.address)
                try await browser.until("sessionProbe.hasNotice('failing')", "a notice")
                let words = try await browser.run("return document.querySelector('#notice p').textContent;")
                #expect(words == "Host no-such-host.invalid not found. Retrying automatically.")
                let before = try await browser.run("return document.querySelectorAll('.problem').length;")
                #expect(before == 0, "the host was named only after pictures failed for good")
                try await browser.run("sessionProbe.retry();")
                try await browser.until("bodies.some((body) => body.includes('\"retry\":true'))", "the request")
                try await browser.until("sessionProbe.hasNotice('failing')", "the notice again")
            }
        }

        @Test("the page says that the origin is slow until the pictures have loaded", .inEveryBrowser)
        func slow() async throws {
            try await withPage(latency: 5000, arguments: ["--jitter", "0"]) { browser, demo in
                try await browser.hurry()
                try await browser.until("sessionProbe.hasNotice('slow')", "the notice")
                // A transfer in flight keeps its latency.
                try await demo.call("PATCH", "demo/origin", ["latency": 0])
                try await browser.until("sessionProbe.isCalm() && probe.filled()", "the pictures")
            }
        }

        @Test("if the server is full, the page says so, and opens once there is room", .inEveryBrowser)
        func full() async throws {
            let demo = try await Demo(items: 2000, also: ["--max-sessions", "1"])
            defer { demo.stop() }
            let wish: JSON = ["gallery": "demo", "viewport": ["width": 600, "height": 400]]
            let other = try await demo.call("POST", "sessions", wish)["id"]?.string ?? ""
            try await withBrowser { browser in
                try await browser.open(demo.address)
                try await browser.hurry()
                try await browser.until("sessionProbe.hasNotice('full')", "the notice")
                try await demo.call("DELETE", "sessions/\(other)")
                try await browser.until("sessionProbe.isCalm() && probe.filled()", "the gallery")
            }
        }
    }
}
