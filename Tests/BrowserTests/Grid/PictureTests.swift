import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Never blank, never wrong")
    struct Pictures {
        @Test(
            "however wildly one scrolls, sizes and switches, no cell ever shows another item's picture",
            .inEveryBrowser)
        func neverAnotherPicture() async throws {
            try await withPage { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                let frames = Weekly.isOn && browser.engine == .chromium ? 300 : 120
                let seen = try await browser.wait(
                    """
                    let [pictures, seed] = [0, 7];
                    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
                    const size = document.getElementById('density');
                    const end = performance.now() + 60000;
                    for (let frame = 0; frame < \(frames) || (pictures <= 300 && performance.now() < end); frame++) {
                      const step = random();
                      if (step < 0.03) {
                        size.value = String(2 + Math.floor(random() * 3));
                        size.dispatchEvent(new Event('input'));
                      } else if (step < 0.04) {
                        probe.choose(['grid', 'masonry', 'justified'][Math.floor(random() * 3)]);
                      } else if (step < 0.08) probe.scroller.scrollTop = random() * 30000;
                      else if (step < 0.6) probe.scroller.scrollTop += (random() - 0.4) * 900;
                      await probe.frame();
                      const stranger = probe.stranger();
                      if (stranger) throw new Error(`a cell shows another picture: ${JSON.stringify(stranger)}`);
                      pictures += probe.visible().filter((cell) => probe.number(cell) >= 0).length;
                    }
                    return pictures;
                    """)
                #expect((seen.integer ?? 0) > 300, "too few pictures were on show to prove anything")
                try await browser.until("probe.filled()", "all pictures once it rests")
            }
        }

        @Test("a cell that waits a while shows that its picture is worked on", .inEveryBrowser)
        func working() async throws {
            try await withPage(latency: 60_000, arguments: ["--jitter", "0"]) { browser, demo in
                try await browser.until(
                    "probe.visible().length > 10 && probe.visible().every((cell) => 'working' in cell.dataset)",
                    "a sign of work in each")
                // A request under way keeps its minute: once it was let go, the next one asks anew.
                try await demo.call("PATCH", "demo/origin", ["latency": 0])
                try await browser.open(demo.address + "css/theme.css")
                try await eventually("nothing under way", of: { try await demo.originCount("open") }) { $0 == 0 }
                try await browser.open(demo.address)
                try await browser.until(
                    "probe.filled() && !document.querySelector('[data-working]')", "the pictures")
            }
        }

        /// A session asked for more pixels sends every picture again, better: what a small tier's whole picture does.
        @Test("a better picture replaces the one there was, which is never gone", .inEveryBrowser)
        func betterPicture() async throws {
            try await withPage { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                let session = try await browser.session()
                try await browser.run(
                    """
                    window.__seen = { changes: 0, blank: 0 };
                    window.__from = new Map(probe.visible().map((cell) => [cell, cell.querySelector('img').naturalWidth]));
                    const look = () => {
                      window.__seen.changes += 1;
                      for (const cell of probe.visible()) if (!cell.querySelector('img')?.naturalWidth) window.__seen.blank += 1;
                    };
                    // However many frames there are: as soon as the page has done something to them.
                    window.__watch = new MutationObserver(look);
                    window.__watch.observe(document.getElementById('grid'), { subtree: true, childList: true, attributes: true, attributeFilter: ['src'] });
                    """)
                let size = try await browser.run("return [probe.scroller.clientWidth, probe.scroller.clientHeight];")
                try await demo.call(
                    "PATCH", "sessions/\(session)",
                    [
                        "viewport": [
                            "width": size.array?[0] ?? .null, "height": size.array?[1] ?? .null, "pixelRatio": 2,
                        ]
                    ])
                try await browser.until(
                    """
                    probe.visible().every((cell) => {
                      const images = [...cell.querySelectorAll('img')];
                      return images.length === 1 && images[0].naturalWidth > window.__from.get(cell);
                    })
                    """, "the better pictures alone")
                let seen = try await browser.run("window.__watch.disconnect(); return window.__seen;")
                #expect(seen["blank"]?.integer == 0, "a picture was gone before the next had come")
                #expect((seen["changes"]?.integer ?? 0) > 0, "no picture was replaced")
            }
        }
    }
}
