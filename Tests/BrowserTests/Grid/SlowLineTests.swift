import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Behind a slow line")
    struct SlowLine {
        // Chromium alone: its DevTools slow the line.
        @Test("small pictures come first, and the whole ones replace them; no cell is ever blank again")
        func smallFirst() async throws {
            let demo = try await Demo(items: 2000, latency: 0, bandwidth: 1000)
            defer { demo.stop() }
            try await withBrowser { browser in
                // Many pictures of a sharp screen: more than the system takes in before the server notices.
                try await browser.devtools(
                    "Emulation.setDeviceMetricsOverride",
                    ["width": 1280, "height": 800, "deviceScaleFactor": 3, "mobile": false])
                try await browser.devtools(
                    "Page.addScriptToEvaluateOnNewDocument", ["source": .string(Self.watch)])
                // All are made first: then the line alone is what pictures wait for.
                try await browser.open(demo.address + "?size=2")
                try await browser.until(Self.whole, "the whole pictures, once")
                try await browser.devtools("Network.enable")
                try await line(of: browser, bytesPerSecond: 150_000)
                try await browser.reload()
                try await browser.until(
                    "seen.small > 3 && seen.better > 3", "small pictures, and whole ones in their place")
                try await line(of: browser, bytesPerSecond: -1)
                try await browser.until(Self.whole, "the whole pictures")
                let seen = try await browser.run("return seen;")
                #expect(seen["lost"]?.integer == 0, "a cell was blank again")
                try await browser.until("probe.filled()", "its own picture in each cell")
            }
        }

        private static let whole =
            "probe.visible().length > 30 && probe.visible().every((cell) => seen.widths.get(cell.dataset.item) > 64)"

        private func line(of browser: Browser, bytesPerSecond: Double) async throws {
            try await browser.devtools(
                "Network.emulateNetworkConditions",
                [
                    "offline": false, "latency": 0, "downloadThroughput": .number(bytesPerSecond),
                    "uploadThroughput": -1,
                ])
        }

        /// Looks at every frame, from before the page's first line, how many pixels each cell shows.
        private static let watch = """
            window.seen = { widths: new Map(), small: 0, better: 0, lost: 0 };
            const look = () => {
              for (const cell of document.querySelectorAll('.cell')) {
                const { item } = cell.dataset;
                const now = Math.max(0, ...[...cell.querySelectorAll('img')].map((image) => image.naturalWidth));
                const before = seen.widths.get(item) ?? 0;
                if (now && now <= 64 && !before) seen.small += 1;
                if (now > 64 && before && before <= 64) seen.better += 1;
                if (before && !now) seen.lost += 1;
                seen.widths.set(item, now);
              }
              requestAnimationFrame(look);
            };
            look();
            """
    }
}
