import Testing

extension PageTests {
    @Suite("The page downloads each picture once, and only while it is needed")
    struct Downloads {
        @Test("scrolling away fast aborts downloads in flight")
        func cancelledDownloadsAreAborted() async throws {
            try await withPage(latency: 20) { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.wait("await sessionProbe.quiet();")
                // A download that begins now takes longer than the test.
                try await demo.call("PATCH", "demo/origin", ["latency": 60_000, "jitter": 0])
                let before = try await demo.originCount("aborted")
                try await browser.wait("await sessionProbe.scrollUntilRequested(20000);")
                try await demo.call("PATCH", "demo/origin", ["latency": 20])
                try await browser.run("probe.scroller.scrollTop = 200000;")
                try await browser.until(
                    "sessionProbe.count('aborted').then((count) => count > \(before))", "aborted downloads")
                try await browser.until("probe.filled()", "pictures where it stopped")
            }
        }

        @Test("a reload downloads no picture again")
        func reloadDownloadsNothing() async throws {
            try await withPage { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.wait("await sessionProbe.quiet();")
                try await browser.wheel(by: 400, turns: 6)
                try await browser.until("probe.items()[0] > 10 && probe.filled()", "after the wheel")
                try await browser.wait("await sessionProbe.quiet();")
                let known = try await Self.loaded(demo)
                let asked = try await demo.originCount("requests")
                let shown = try await browser.run("return probe.items();")
                #expect(known.isSuperset(of: (shown.array ?? []).compactMap(\.integer)))

                try await browser.reload()
                try await browser.until("probe.filled()", "pictures after the reload")
                #expect(try await browser.run("return probe.items();") == shown, "the place was not restored")
                try await browser.wait("await sessionProbe.quiet();")
                // A new session may prefetch further than the old one did. It must not download a picture again.
                let again = try await demo.originLog().filter { $0.number > asked }.map(\.item)
                #expect(known.isDisjoint(with: again))
                #expect(Set((shown.array ?? []).compactMap(\.integer)).isDisjoint(with: again))
            }
        }

        /// Returns the pictures that the server has in full. The origin also counts downloads as completed that were cancelled as
        /// their last bytes were in flight.
        private static func loaded(_ demo: Demo) async throws -> Set<Int> {
            let items = try await demo.call("GET", "galleries/demo/items?count=1000")["items"]?.array ?? []
            return Set(items.filter { $0["state"] == "ready" }.compactMap { $0["item"]?.integer })
        }

        @Test("leaving the page aborts its downloads")
        func leavingCancels() async throws {
            try await withPage { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.wait("await sessionProbe.quiet();")
                try await demo.call("PATCH", "demo/origin", ["latency": 30_000])
                let aborted = try await demo.originCount("aborted")
                try await browser.wait("await sessionProbe.scrollUntilRequested(20000);")
                try await browser.open(demo.address + "css/theme.css")
                try await browser.wait("await sessionProbe.quiet();")
                #expect(try await demo.originCount("aborted") > aborted)
            }
        }
    }
}
