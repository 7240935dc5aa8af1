import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("The controls")
    struct ControlsOfTheServer {
        /// Sets a slider as a person's hand does; `value` in the unit that is shown.
        private static func slide(_ name: String, to value: String) -> String {
            """
            const input = document.querySelector('input[name="\(name)"]');
            input.value = input.dataset.power ? Math.log10(\(value)) : \(value);
            input.dispatchEvent(new Event('input'));
            input.dispatchEvent(new Event('change'));
            """
        }

        private static func conditions(_ demo: Demo) async throws -> JSON {
            try await demo.call("GET", "demo/origin")["conditions"] ?? .null
        }

        private func eventually(_ demo: Demo, _ browser: Browser, _ condition: String) async throws {
            try await browser.wait(
                "await probe.until(async () => { const origin = await probe.get('/api/v1/demo/origin'); return \(condition); }, 'the change');"
            )
        }

        @Test("the demo's network is changed while it runs, and held in the address")
        func network() async throws {
            try await withPage(path: "?dashboard") { browser, demo in
                try await browser.until("!document.querySelector('[data-part=\"origin\"]').hidden", "the controls")
                for (name, value) in [
                    ("latency", "1000"), ("bandwidth", "10"), ("failureRate", "0.5"), ("concurrency", "3"),
                ] {
                    try await browser.run(Self.slide(name, to: value))
                    try await eventually(demo, browser, "origin.conditions.\(name) === \(value)")
                    // The limit of downloads is the server's, so a link does not carry it.
                    #expect(
                        try await browser.run("return new URLSearchParams(location.search).get('\(name)');")
                            == (name == "concurrency" ? .null : .string(value)))
                }
                // Not only said: at this share pictures do fail.
                try await browser.run("probe.scroller.scrollTop = 100000;")
                try await browser.until(
                    "probe.visible().some((cell) => cell.dataset.state === 'failed')", "pictures that fail")
            }
        }

        @Test("a holder of the view token sees the demo's network, and cannot change it")
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
                try await browser.until("!document.querySelector('[data-part=\"origin\"]').hidden", "the controls")
                try await browser.until(
                    "[...document.querySelectorAll('[data-part=\"origin\"] input')].every((input) => input.disabled)",
                    "controls that cannot be moved")
                try await eventually(demo, browser, "origin.conditions.latency === 20 && origin.isChangeable === false")
                let text = try await browser.run(
                    "return document.querySelector('[name=\"latency\"]').nextElementSibling.textContent;")
                #expect(text == "20\u{a0}ms")
            }
        }

        @Test("as many downloads run at once as the slider says")
        func concurrency() async throws {
            try await withPage(path: "?dashboard") { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                // Downloads still under way would be so for the minute that follows.
                let session = try await browser.session()
                try await browser.wait(
                    "await probe.until(async () => { const { counts } = await probe.get('/api/v1/sessions/\(session)'); return !counts.queued && !counts.loading; }, 'nothing under way');"
                )
                try await demo.call("PATCH", "demo/origin", ["latency": 60_000, "jitter": 0])
                try await browser.run(Self.slide("concurrency", to: "2"))
                try await eventually(demo, browser, "origin.conditions.concurrency === 2 && origin.counts.open === 0")
                try await browser.run("probe.scroller.scrollTop = 100000;")
                try await eventually(demo, browser, "origin.counts.open === 2")
                try await browser.run(Self.slide("concurrency", to: "6"))
                try await eventually(demo, browser, "origin.counts.open === 6")
            }
        }

        @Test("policy and prefetching reach the session, and what it asks for")
        func policy() async throws {
            try await withPage { browser, demo in
                try await browser.until("probe.filled()", "first pictures")
                let session = try await browser.session()
                try await browser.run(
                    """
                    const menu = document.getElementById('policy');
                    menu.value = 'collection-view';
                    menu.dispatchEvent(new Event('change'));
                    """)
                try await browser.wait(
                    "await probe.until(async () => (await probe.get('/api/v1/sessions/\(session)')).policy === 'collection-view', 'the policy');"
                )
                try await browser.run("document.getElementById('prefetching').click();")
                try await browser.wait(
                    "await probe.until(async () => (await probe.get('/api/v1/sessions/\(session)')).prefetching === false, 'no prefetching');"
                )
                // Nothing but what is in sight is asked for now.
                let asked = try await demo.originCount("requests")
                try await browser.run("probe.scroller.scrollTop = 100000;")
                try await browser.until("probe.items()[0] > 1000 && probe.filled()", "pictures there")
                let shown = Set((try await browser.run("return probe.items();").array ?? []).compactMap(\.integer))
                let items = try await demo.originLog().filter { $0.number > asked && $0.outcome == "completed" }.map(
                    \.item)
                #expect(!items.isEmpty && Set(items).isSubset(of: shown), "\(Set(items).subtracting(shown))")
            }
        }

        @Test("a link prepares a demo, and its network is that of its own page alone", .inEveryBrowser)
        func link() async throws {
            let path = "?dashboard&policy=scroll-end&prefetching=off&latency=250&bandwidth=8&failureRate=0.05"
            try await withPage(path: path) { browser, demo in
                let before = try await Self.conditions(demo)
                try await browser.until(
                    "document.getElementById('policy').value === 'scroll-end' && !document.getElementById('prefetching').checked",
                    "the policy")
                try await browser.until(
                    "[...document.querySelectorAll('[data-part=\"origin\"] output')].map((o) => o.textContent.replace('\\u00a0', ' ')).slice(0, 3).join() === '250 ms,8 Mbit/s,5%'",
                    "the sliders")
                let session = "sessions/\(try await browser.session())"
                #expect(try await demo.call("GET", session)["share"] == 1)
                try await browser.run(Self.slide("latency", to: "10000"))
                try await browser.until("location.search.includes('latency=10000&')", "the address")
                try await browser.run(Self.slide("latency", to: "1"))
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
