import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Pictures")
    struct Pictures {
        @Test(
            "no cell ever shows another item's picture during fast scrolling, resizing and layout changes",
            .inEveryBrowser)
        func neverAnotherPicture() async throws {
            try await withPage { browser, _ in
                try await browser.until("probe.filled()", "first pictures")
                let frames = Weekly.isOn && browser.engine == .chromium ? 300 : 120
                let seen = try await browser.wait("return await gridProbe.scrollWildly(\(frames));")
                #expect((seen.integer ?? 0) > 300, "too few pictures were on show to prove anything")
                try await browser.until("probe.filled()", "all pictures once it rests")
            }
        }

        @Test("a cell shows a sign of progress if its picture takes long", .inEveryBrowser)
        func working() async throws {
            try await withPage(latency: 60_000, arguments: ["--jitter", "0"]) { browser, demo in
                try await browser.until(
                    "probe.visible().length > 10 && probe.visible().every((cell) => 'working' in cell.dataset)",
                    "a sign of work in each")
                // The new latency does not shorten a request in flight, so the test leaves the page to cancel it.
                try await demo.call("PATCH", "demo/origin", ["latency": 0])
                try await browser.open(demo.address + "css/theme.css")
                try await eventually("nothing under way", of: { try await demo.originCount("open") }) { $0 == 0 }
                try await browser.open(demo.address)
                try await browser.until("probe.filled() && !document.querySelector('[data-working]')", "the pictures")
            }
        }

        /// A session that requests more pixels sends every picture again, as a full picture follows a small one.
        @Test("a better picture replaces a cell's picture without a blank frame", .inEveryBrowser)
        func betterPicture() async throws {
            try await withPage { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                let session = try await browser.session()
                try await browser.run("gridProbe.watchReplacements();")
                let size = try await browser.run("return [probe.scroller.clientWidth, probe.scroller.clientHeight];")
                try await demo.call(
                    "PATCH", "sessions/\(session)",
                    [
                        "viewport": [
                            "width": size.array?[0] ?? .null, "height": size.array?[1] ?? .null, "pixelRatio": 2,
                        ]
                    ])
                try await browser.until("gridProbe.areReplaced()", "the better pictures alone")
                let seen = try await browser.run("window.__watch.disconnect(); return window.__seen;")
                #expect(seen["blank"]?.integer == 0, "a picture was gone before its replacement arrived")
                #expect((seen["changes"]?.integer ?? 0) > 0, "no picture was replaced")
            }
        }
    }
}
