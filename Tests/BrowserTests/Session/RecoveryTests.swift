import Testing

extension PageTests {
    @Suite("The page recovers when the server or the connection fails")
    struct Recovery {
        @Test("if the server restarts, the page reports it and continues at the same place")
        func serverRestarts() async throws {
            try await withPage { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.wheel(by: 400, turns: 8)
                try await browser.until("probe.items()[0] > 10 && probe.filled()", "after the wheel")
                try await browser.wait("await probe.calm();")  // the wheel's scroll takes a while
                let first = try await browser.run("return probe.items()[0];")
                try await browser.hurry()
                demo.kill()
                try await browser.until("sessionProbe.connection === 'reconnecting'", "the loss")
                try await browser.until("!sessionProbe.notice.hidden", "the notice")
                try await demo.restart()
                try await browser.until("sessionProbe.connection === 'live'", "the return")
                try await browser.until("sessionProbe.notice.hidden", "no notice")
                #expect(try await browser.run("return probe.items()[0];") == first)
                try await browser.run("probe.scroller.scrollTop += 30000;")
                try await browser.until("probe.filled()", "new pictures")
            }
        }

        @Test(
            "a page that scrolls while its server is away keeps retrying, says so, and recovers once the server is back"
        )
        func serverRestartsUnderScroll() async throws {
            try await withPage { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("sessionProbe.scrollOn();")
                demo.kill()
                // There would be fewer if the pauses between them grew without limit.
                try await browser.until("tries.length >= 15", "tries")
                try await browser.until("sessionProbe.hasNotice('reconnecting')", "the notice")
                let minimum = try await browser.run("return sessionProbe.shortestPause();")
                #expect((minimum.number ?? 0) > 150, "each post is a retry: \(minimum)")
                try await demo.restart()
                try await browser.until("sessionProbe.isCalm()", "the return")
                try await browser.run("cancelAnimationFrame(window.scrolling);")
                try await browser.until("probe.items()[0] > 10 && probe.filled()", "the pictures there")
            }
        }

        @Test("the pictures in view load even if the posts at the end of a scroll are lost")
        func lastPostLost() async throws {
            try await withPage { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("sessionProbe.losePosts();")
                try await browser.wait("await sessionProbe.fling();")
                try await browser.until("window.lost > 0 && probe.filled()", "the pictures in view")
            }
        }

        @Test("the viewer says that the connection is lost until the server is back", .inEveryBrowser)
        func viewer() async throws {
            let demo = try await Demo(items: 20_000)
            defer { demo.stop() }
            try await withBrowser { browser in
                try await browser.open(demo.address + "?view=100")
                try await browser.until(
                    "document.querySelector('#viewer [data-part=picture]').naturalWidth > 0 && sessionProbe.connection === 'live'",
                    "the picture")
                #expect(try await browser.run("return sessionProbe.offlineMessage();") == "")
                demo.kill()
                try await browser.until(
                    "sessionProbe.offlineMessage() === 'Connection lost, reconnecting'", "the message")
                try await demo.restart()
                try await browser.until("sessionProbe.offlineMessage() === ''", "no message once it is back")
                try await browser.press(Key.right)
                try await browser.until(
                    "location.search.includes('view=101') && !document.querySelector('#viewer [data-part=frame]').dataset.loading",
                    "the next picture")
            }
        }

        @Test("a hidden tab closes its stream, and opens one again when it becomes visible")
        func hiddenTab() async throws {
            try await withPage { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                func streams(_ count: Int) -> String { "sessionProbe.streams().then((count) => count === \(count))" }
                try await browser.until(streams(1), "one stream")
                try await browser.inAnotherTab(demo.address + "css/theme.css") {
                    try await browser.until(streams(0), "no stream")
                }
                try await browser.until(streams(1), "the stream again")
                try await browser.run("probe.scroller.scrollTop = 30000;")
                try await browser.until("probe.items()[0] > 100 && probe.filled()", "new pictures")
            }
        }

        // Chromium only: its DevTools run a script before the page's first line.
        @Test("the page posts from its own thread if it cannot start a worker")
        func withoutThread() async throws {
            let demo = try await Demo(items: 20_000)
            defer { demo.stop() }
            try await withBrowser { browser in
                let broken = """
                    window.Worker = class extends EventTarget {
                      postMessage() { queueMicrotask(() => this.onerror?.(new Event('error'))); }
                    };
                    """
                try await browser.devtools("Page.addScriptToEvaluateOnNewDocument", ["source": .string(broken)])
                try await browser.open(demo.address)
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 30000;")
                try await browser.until("probe.items()[0] > 100 && probe.filled()", "new pictures")
            }
        }

        @Test("a script that scrolls a session through the API scrolls its page")
        func drivenByScript() async throws {
            try await withPage { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await demo.call("POST", "sessions/\(try await browser.session())/scroll", ["item": 9000])
                try await browser.until("probe.items().includes(9000) && probe.filled()", "item 9000")
            }
        }
    }
}
