import Testing

extension PageTests {
    @Suite("When things go wrong")
    struct Recovery {
        @Test("the server dies and comes back: the page says so, and goes on where it was")
        func serverRestarts() async throws {
            try await withPage { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.wheel(by: 400, turns: 8)
                try await browser.until("probe.items()[0] > 10 && probe.filled()", "after the wheel")
                try await browser.wait("await probe.calm();")  // the wheel's way takes a while
                let first = try await browser.run("return probe.items()[0];")
                try await browser.hurry()
                demo.kill()
                try await browser.until("document.documentElement.dataset.connection === 'reconnecting'", "the loss")
                try await browser.until("!document.getElementById('notice').hidden", "a word about it")
                try await demo.restart()
                try await browser.until("document.documentElement.dataset.connection === 'live'", "the return")
                try await browser.until("document.getElementById('notice').hidden", "nothing to say any more")
                #expect(try await browser.run("return probe.items()[0];") == first)
                try await browser.run("probe.scroller.scrollTop += 30000;")
                try await browser.until("probe.filled()", "new pictures")
            }
        }

        @Test(
            "a page that scrolls on while its server is away tries again all the while, says so, and goes on once it is back"
        )
        func serverRestartsUnderScroll() async throws {
            try await withPage { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.run(
                    """
                    window.tries = [];
                    const { fetch } = window;
                    window.fetch = (url, ...more) => {
                      if (/\\/sessions\\/[^/]+$/.test(url)) tries.push(performance.now());
                      return fetch(url, ...more);
                    };
                    const scroll = () => {
                      probe.scroller.scrollTop += 20;
                      window.scrolling = requestAnimationFrame(scroll);
                    };
                    scroll();
                    """)
                demo.kill()
                // With waits that grow on and on there would not be so many.
                try await browser.until("tries.length >= 15", "tries")
                try await browser.until(
                    "!document.getElementById('notice').hidden && document.getElementById('notice').dataset.kind === 'reconnecting'",
                    "a word about it")
                let minimum = try await browser.run(
                    "return Math.min(...tries.slice(1).map((time, index) => time - tries[index]));")
                #expect((minimum.number ?? 0) > 150, "each post is a try: \(minimum)")
                try await demo.restart()
                try await browser.until(
                    "document.documentElement.dataset.connection === 'live' && document.getElementById('notice').hidden",
                    "the return")
                try await browser.run("cancelAnimationFrame(window.scrolling);")
                try await browser.until("probe.items()[0] > 10 && probe.filled()", "the pictures there")
            }
        }

        @Test("the pictures in view arrive though the posts that end a scroll are lost")
        func lastPostLost() async throws {
            try await withPage { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                // Posts leave from a worker. Those that say that nothing moved never do, and the page takes them for answered: it
                // does not open another session.
                try await browser.run(
                    """
                    [window.lost, window.last, window.plan] = [0, 0, null];
                    const { postMessage } = Worker.prototype;
                    Worker.prototype.postMessage = function (message, ...more) {
                      if (!/\\/viewport$/.test(message.path)) return postMessage.call(this, message, ...more);
                      if (!window.plan) this.addEventListener('message', ({ data }) => (window.plan = data.response ?? window.plan));
                      if (message.body.scrollTop !== window.last || !window.plan) {
                        window.last = message.body.scrollTop;
                        return postMessage.call(this, message, ...more);
                      }
                      window.lost += 1;
                      setTimeout(() => this.onmessage({ data: { number: message.number, answer: window.plan } }));
                    };
                    """)
                // A fling at 6,000 CSS pixels a second that a finger stops.
                try await browser.wait(
                    """
                    for (const type of ['touchstart', 'touchend'])
                      probe.scroller.dispatchEvent(new TouchEvent(type, { touches: [] }));
                    const began = performance.now();
                    while (performance.now() < began + 500) {
                      probe.scroller.scrollTop = 6 * (performance.now() - began);
                      await probe.frame();
                    }
                    """)
                try await browser.until("window.lost > 0 && probe.filled()", "the pictures in view")
            }
        }

        @Test("the viewer, too, says that the server is gone, until it is back", .inEveryBrowser)
        func viewer() async throws {
            let demo = try await Demo(items: 20_000)
            defer { demo.stop() }
            try await withBrowser { browser in
                try await browser.open(demo.address + "?view=100")
                try await browser.until(
                    "document.querySelector('#viewer [data-part=picture]').naturalWidth > 0 && document.documentElement.dataset.connection === 'live'",
                    "the picture")
                let word =
                    "(document.querySelector('#viewer .offline').checkVisibility({visibilityProperty: true}) ? document.querySelector('#viewer .offline').innerText : '')"
                #expect(try await browser.run("return \(word);") == "")
                demo.kill()
                try await browser.until("\(word) === 'Connection lost, reconnecting'", "a word in the viewer")
                try await demo.restart()
                try await browser.until("\(word) === ''", "no word once it is back")
                try await browser.press(Key.right)
                try await browser.until(
                    "location.search.includes('view=101') && !document.querySelector('#viewer [data-part=frame]').dataset.loading",
                    "the next picture")
            }
        }

        @Test("a hidden tab gives its stream back, and goes on when it is seen again")
        func hiddenTab() async throws {
            try await withPage { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                let streams = "(await probe.get('/api/v1/stats')).streams[0].value"
                try await browser.wait("await probe.until(async () => \(streams) === 1, 'one stream');")
                try await browser.inAnotherTab(demo.address + "css/theme.css") {
                    try await browser.wait("await probe.until(async () => \(streams) === 0, 'no stream');")
                }
                try await browser.wait("await probe.until(async () => \(streams) === 1, 'the stream again');")
                try await browser.run("probe.scroller.scrollTop = 30000;")
                try await browser.until("probe.items()[0] > 100 && probe.filled()", "new pictures")
            }
        }

        // Chromium alone: its DevTools run a script before the page's first line.
        @Test("where no second thread can be had, the page posts from its own")
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

        @Test("a script that moves the viewport through the API moves the page")
        func drivenByScript() async throws {
            try await withPage { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await demo.call("POST", "sessions/\(try await browser.session())/scroll", ["item": 9000])
                try await browser.until("probe.items().includes(9000) && probe.filled()", "item 9000")
            }
        }
    }
}
