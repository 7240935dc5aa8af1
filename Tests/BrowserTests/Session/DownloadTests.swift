import Testing

extension PageTests {
    @Suite("What it downloads")
    struct Downloads {
        @Test("scrolling away fast aborts the downloads under way")
        func cancelledDownloadsAreAborted() async throws {
            try await withPage(latency: 20) { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.wait(Self.quiet)
                // A download that begins now takes longer than the test.
                try await demo.call("PATCH", "demo/origin", ["latency": 60_000, "jitter": 0])
                let before = try await demo.originCount("aborted")
                try await browser.wait(
                    """
                    const start = (await probe.get('/api/v1/demo/origin')).counts.requests;
                    probe.scroller.scrollTop = 20000;
                    await probe.until(async () => (await probe.get('/api/v1/demo/origin')).counts.requests > start, 'downloads under way');
                    """)
                try await demo.call("PATCH", "demo/origin", ["latency": 20])
                try await browser.run("probe.scroller.scrollTop = 200000;")
                try await browser.wait(
                    "await probe.until(async () => (await probe.get('/api/v1/demo/origin')).counts.aborted > \(before), 'aborted downloads');"
                )
                try await browser.until("probe.filled()", "pictures where it stopped")
            }
        }

        @Test("a reload downloads nothing again")
        func reloadDownloadsNothing() async throws {
            try await withPage { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.wait(Self.quiet)
                try await browser.wheel(by: 400, turns: 6)
                try await browser.until("probe.items()[0] > 10 && probe.filled()", "after the wheel")
                try await browser.wait(Self.quiet)
                let known = try await Self.came(demo)
                let asked = try await demo.originCount("requests")
                let shown = try await browser.run("return probe.items();")
                #expect(known.isSuperset(of: (shown.array ?? []).compactMap(\.integer)))

                try await browser.reload()
                try await browser.until("probe.filled()", "pictures after the reload")
                #expect(try await browser.run("return probe.items();") == shown, "the place was not restored")
                try await browser.wait(Self.quiet)
                // A fresh session may look further ahead than the old one did; what has come before must not come again.
                let again = try await demo.originLog().filter { $0.number > asked }.map(\.item)
                #expect(known.isDisjoint(with: again))
                #expect(Set((shown.array ?? []).compactMap(\.integer)).isDisjoint(with: again))
            }
        }

        /// The pictures that came whole. The origin takes one for completed, too, that was let go of as its last bytes
        /// were on their way.
        private static func came(_ demo: Demo) async throws -> Set<Int> {
            let items = try await demo.call("GET", "galleries/demo/items?count=1000")["items"]?.array ?? []
            return Set(items.filter { $0["state"] == "ready" }.compactMap { $0["item"]?.integer })
        }

        @Test("leaving the page cancels everything it wanted")
        func leavingCancels() async throws {
            try await withPage { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                try await browser.wait(Self.quiet)
                try await demo.call("PATCH", "demo/origin", ["latency": 30_000])
                let aborted = try await demo.originCount("aborted")
                let asked = try await demo.originCount("requests")
                try await browser.run("probe.scroller.scrollTop = 20000;")
                try await browser.wait(
                    "await probe.until(async () => (await probe.get('/api/v1/demo/origin')).counts.requests > \(asked), 'downloads under way');"
                )
                try await browser.open(demo.address + "css/theme.css")
                try await browser.wait(Self.quiet)
                #expect(try await demo.originCount("aborted") > aborted)
            }
        }

        /// Waits until neither the origin has anything under way nor the page's session, and nothing new has come for half a
        /// second: what the page has yet to tell of its place.
        private static let quiet = """
            let [since, requests] = [performance.now(), -1];
            await probe.until(async () => {
              const { counts } = await probe.get('/api/v1/demo/origin');
              const { session } = document.documentElement.dataset;
              const ours = session ? (await probe.get(`/api/v1/sessions/${session}`)).counts : {};
              const busy = counts.requests > counts.completed + counts.aborted + counts.failed || ours.queued || ours.loading;
              if (busy || counts.requests !== requests) { since = performance.now(); requests = counts.requests; }
              return performance.now() - since > 500;
            }, 'a quiet origin');
            """
    }
}
