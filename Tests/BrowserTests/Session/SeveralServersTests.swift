import Foundation
import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite("Several servers", .enabled(if: ServerPair.isAvailable, "there is no Redis or nginx"))
    struct SeveralServers {
        /// Whether all that is in view is there, and of another session than before.
        private static let isMoved = """
            document.documentElement.dataset.session !== args[2] && document.documentElement.dataset.connection === 'live'
              && probe.visible().length > 0 && probe.visible().every(probe.hasPicture)
            """

        @Test(
            "the server of a page is killed: the other shows the same place in the same layout, by the same policy, and goes on",
            .whereEnginesDiffer)
        func killed() async throws {
            try await withServers { browser, servers, session in
                let first = try await browser.run("return probe.items()[0];")
                try servers.server(of: session).kill()
                try await browser.until(Self.isMoved, "the other server", [.string(session)])
                #expect(try await browser.run("return probe.items()[0];") == first)
                let (before, after) = (session, try await browser.session())
                #expect(before.prefix(2) != after.prefix(2))
                let state = try servers.session(after)
                #expect(state["policy"] == "collection-view" && state["layout"]?["kind"] == "justified", "\(state)")
                try await browser.wait("await probe.calm();")
                try await browser.run("probe.scroller.scrollTop += 4000;")
                try await browser.until(
                    "probe.items()[0] > \(first.integer ?? 0) && probe.visible().every(probe.hasPicture)",
                    "what follows")
            }
        }

        @Test(
            "one that hangs is left while the page scrolls: another session is all that is asked for first, and nothing is said of pictures",
            .enabled(if: Weekly.isOn, "runs weekly"), .inEveryBrowser)
        func hung() async throws {
            try await withServers { browser, servers, session in
                try await browser.run(
                    """
                    window.heard = { asked: [], said: [] };
                    const { fetch } = window;
                    window.fetch = (url, options) => {
                      heard.asked.push(`${options?.method ?? 'GET'} ${new URL(url, location.href).pathname}`);
                      return fetch(url, options);
                    };
                    const notice = document.getElementById('notice');
                    new MutationObserver(() => notice.hidden || heard.said.push(notice.dataset.kind))
                      .observe(notice, { attributes: true });
                    """)
                try servers.server(of: session).child.signal(SIGSTOP)
                try await browser.run("probe.scroller.scrollTop += 4000;")
                try await browser.until(Self.isMoved, "the other server", [.string(session)])
                #expect(try await browser.session().prefix(2) != session.prefix(2))
                let first = try await browser.run(
                    """
                    const isOpening = (call) => /^POST .*\\/sessions$|^GET .*\\/(sessions|galleries)\\/[^/]+$/.test(call);
                    return heard.asked.filter(isOpening);
                    """)
                #expect(first.array?.first == "POST /api/v1/sessions", "\(first)")
                let others = try await browser.run("return heard.said.filter((kind) => kind !== 'reconnecting');")
                #expect(others == [], "\(others)")
            }
        }

        @Test(
            "one that is stopped hands its pages over: every picture stays where it is", .inEveryBrowser
        )
        func drained() async throws {
            try await withServers { browser, servers, session in
                try await browser.run(
                    """
                    const top = probe.scroller.scrollTop;
                    window.seen = { blank: 0, moved: 0 };
                    const look = () => {
                      if (!probe.visible().every(probe.hasPicture)) seen.blank += 1;
                      if (probe.scroller.scrollTop !== top) seen.moved += 1;
                      requestAnimationFrame(look);
                    };
                    look();
                    """)
                try servers.server(of: session).stop()
                try await browser.until(Self.isMoved, "the other server", [.string(session)])
                let seen = try await browser.run("return seen;")
                #expect(seen == ["blank": 0, "moved": 0], "\(seen)")
            }
        }

        /// A page part of the way down, and the session that it has.
        private func withServers(_ body: (Browser, ServerPair, String) async throws -> Void) async throws {
            let servers = try await ServerPair()
            defer { servers.stop() }
            try await withBrowser { browser in
                try await browser.open(servers.address + "?layout=justified&policy=collection-view")
                let all = "probe.visible().length > 0 && probe.visible().every(probe.hasPicture)"
                try await browser.until(all, "first pictures")
                try await browser.run("probe.scroller.scrollTop = 3000;")
                let named = "!probe.name(probe.visible()[0]).startsWith('Picture ')"
                try await browser.until("probe.items()[0] > 10 && \(all) && \(named)", "the pictures there, at rest")
                try await body(browser, servers, try await browser.session())
            }
        }
    }
}
