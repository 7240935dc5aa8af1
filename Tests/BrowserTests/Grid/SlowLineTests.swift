import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Slow connections")
    struct SlowLine {
        // Only in Chromium, whose DevTools can slow the connection.
        @Test("small pictures arrive first, full pictures replace them, and no cell becomes blank again")
        func smallFirst() async throws {
            let demo = try await Demo(items: 2000, latency: 0, bandwidth: 1000)
            defer { demo.stop() }
            try await withBrowser { browser in
                // So many pixels exceed the socket buffers, so the server notices that the connection is slow.
                try await browser.devtools(
                    "Emulation.setDeviceMetricsOverride",
                    ["width": 1280, "height": 800, "deviceScaleFactor": 3, "mobile": false])
                try await browser.devtools(
                    "Page.addScriptToEvaluateOnNewDocument", ["source": .string(Self.watch)])
                // The server makes all pictures first, so that only the connection delays them.
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

        /// Script that runs before the page's own and notes in each frame how many pixels each cell shows.
        private static let watch = "{ \(Probe.script("gridProbe.watchWidths();")) }"
    }
}
