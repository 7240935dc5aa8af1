import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("The dashboard's controls change the demo's network and the session's policy")
    struct ControlsOfTheServer {
        private static func conditions(_ demo: Demo) async throws -> JSON {
            try await demo.call("GET", "demo/origin")["conditions"] ?? .null
        }

        private func eventually(_ demo: Demo, _ browser: Browser, _ condition: String) async throws {
            try await browser.until("probe.get('/api/v1/demo/origin').then((origin) => \(condition))", "the change")
        }

        @Test("sliders change the network of the running demo, and the address records them")
        func network() async throws {
            try await withPage(path: "?dashboard") { browser, demo in
                try await browser.until("dashboardProbe.hasControls()", "the controls")
                for (name, value) in [
                    ("latency", "1000"), ("bandwidth", "10"), ("failureRate", "0.5"), ("concurrency", "3"),
                ] {
                    try await browser.run("dashboardProbe.slide('\(name)', \(value));")
                    try await eventually(demo, browser, "origin.conditions.\(name) === \(value)")
                    // The limit of downloads belongs to the server, so a link does not contain it.
                    #expect(
                        try await browser.run("return new URLSearchParams(location.search).get('\(name)');")
                            == (name == "concurrency" ? .null : .string(value)))
                }
                // The server applies the rate: pictures fail.
                try await browser.run("probe.scroller.scrollTop = 100000;")
                try await browser.until(
                    "probe.visible().some((cell) => cell.dataset.state === 'failed')", "pictures that fail")
            }
        }

        @Test("a person with the view token sees the demo's network but cannot change it")
        func viewer() async throws {
            let folder = try TemporaryFolder()
            let view = "view-token-0123456789"
            let demo = try await Demo(
                items: 100, latency: 20,
                also: [
                    "--token-file", try folder.write("full", Array("full-token-0123456789".utf8)),
                    "--view-token-file", try folder.write("view", Array(view.utf8)),
                ])
            defer { demo.stop() }
            try await withBrowser { browser in
                try await browser.open("http://127.0.0.1:\(demo.port)/?token=\(view)&dashboard")
                try await browser.until("dashboardProbe.hasControls()", "the controls")
                try await browser.until(
                    "[...document.querySelectorAll('[data-part=\"origin\"] input')].every((input) => input.disabled)",
                    "disabled controls")
                try await eventually(demo, browser, "origin.conditions.latency === 20 && origin.isChangeable === false")
                let text = try await browser.run(
                    "return document.querySelector('[name=\"latency\"]').nextElementSibling.textContent;")
                #expect(text == "20\u{a0}ms")
            }
        }

        @Test("the slider limits the number of downloads that run at once")
        func concurrency() async throws {
            try await withPage(path: "?dashboard") { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                // A download in flight would stay so for the minute that follows.
                let session = try await browser.session()
                try await browser.until(
                    "dashboardProbe.session('\(session)').then(({ counts }) => !counts.queued && !counts.loading)",
                    "no downloads in flight")
                try await demo.call("PATCH", "demo/origin", ["latency": 60_000, "jitter": 0])
                try await browser.run("dashboardProbe.slide('concurrency', 2);")
                try await eventually(demo, browser, "origin.conditions.concurrency === 2 && origin.counts.open === 0")
                try await browser.run("probe.scroller.scrollTop = 100000;")
                try await eventually(demo, browser, "origin.counts.open === 2")
                try await browser.run("dashboardProbe.slide('concurrency', 6);")
                try await eventually(demo, browser, "origin.counts.open === 6")
            }
        }

        @Test("the menu of policies and the prefetching switch change the session and its downloads")
        func policy() async throws {
            try await withPage { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                let session = try await browser.session()
                try await browser.run("dashboardProbe.choosePolicy('collection-view');")
                try await browser.until(
                    "dashboardProbe.session('\(session)').then(({ policy }) => policy === 'collection-view')",
                    "the policy")
                try await browser.run("document.getElementById('prefetching').click();")
                try await browser.until(
                    "dashboardProbe.session('\(session)').then(({ prefetching }) => prefetching === false)",
                    "no prefetching")
                // The page requests only pictures in view now.
                let asked = try await demo.originCount("requests")
                try await browser.run("probe.scroller.scrollTop = 100000;")
                try await browser.until("probe.items()[0] > 1000 && probe.filled()", "pictures there")
                let shown = Set((try await browser.run("return probe.items();").array ?? []).compactMap(\.integer))
                let items = try await demo.originLog().filter { $0.number > asked && $0.outcome == "completed" }.map(
                    \.item)
                #expect(!items.isEmpty && Set(items).isSubset(of: shown), "\(Set(items).subtracting(shown))")
            }
        }

        @Test(
            "a link sets the policy, prefetching and the network, and changes the network of its own page only",
            .inEveryBrowser)
        func link() async throws {
            let path = "?dashboard&policy=scroll-end&prefetching=off&latency=250&bandwidth=8&failureRate=0.05"
            try await withPage(path: path) { browser, demo in
                let before = try await Self.conditions(demo)
                try await browser.until(
                    "document.getElementById('policy').value === 'scroll-end' && !document.getElementById('prefetching').checked",
                    "the policy")
                try await browser.until("dashboardProbe.sliderTexts().join() === '250 ms,8 Mbit/s,5%'", "the sliders")
                let session = "sessions/\(try await browser.session())"
                #expect(try await demo.call("GET", session)["share"] == 1)
                try await browser.run("dashboardProbe.slide('latency', 10000);")
                try await browser.until("location.search.includes('latency=10000&')", "the address")
                try await browser.run("dashboardProbe.slide('latency', 1);")
                try await browser.until("location.search.includes('latency=1&')", "the address again")
                // Pictures within the minute show that the slider reached the session.
                try await browser.run("probe.scroller.scrollTop = 50000;")
                try await browser.until(
                    "probe.items()[0] > 1000 && probe.visible().some((cell) => cell.dataset.state === 'ready')",
                    "pictures")
                #expect(try await Self.conditions(demo) == before)
                #expect(try await demo.originCount("requests") == 0)
            }
        }
    }
}

extension Browser {
    /// The id of the page's session.
    func session() async throws -> String {
        try await wait("return probe.until(() => document.documentElement.dataset.session, 'a session');").string ?? ""
    }
}
