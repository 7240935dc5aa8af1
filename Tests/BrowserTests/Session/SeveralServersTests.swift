import Foundation
import JSON
import TestSupport
import Testing

extension PageTests {
    @Suite(
        "A page moves to another server if its own fails",
        .enabled(if: ServerPair.isAvailable, "there is no Redis or nginx"))
    struct SeveralServers {
        @Test(
            "if a page's server is killed, the other one shows the same place with the same layout and policy",
            .whereEnginesDiffer)
        func killed() async throws {
            try await withServers { browser, servers, session in
                let first = try await browser.run("return probe.items()[0];")
                try servers.server(of: session).kill()
                try await browser.until("sessionProbe.hasMoved(args[2])", "the other server", [.string(session)])
                #expect(try await browser.run("return probe.items()[0];") == first)
                let (before, after) = (session, try await browser.session())
                #expect(before.prefix(2) != after.prefix(2))
                let state = try servers.session(after)
                #expect(state["policy"] == "collection-view" && state["layout"]?["kind"] == "justified", "\(state)")
                try await browser.wait("await probe.calm();")
                try await browser.run("probe.scroller.scrollTop += 4000;")
                try await browser.until(
                    "probe.items()[0] > \(first.integer ?? 0) && sessionProbe.isFull()", "what follows")
            }
        }

        @Test(
            "if a page's server hangs, the page first requests another session, and does not blame the pictures",
            .enabled(if: Weekly.isOn, "runs weekly"), .inEveryBrowser)
        func hung() async throws {
            try await withServers { browser, servers, session in
                try await browser.run("sessionProbe.recordRequestsAndNotices();")
                try servers.server(of: session).child.signal(SIGSTOP)
                try await browser.run("probe.scroller.scrollTop += 4000;")
                try await browser.until("sessionProbe.hasMoved(args[2])", "the other server", [.string(session)])
                #expect(try await browser.session().prefix(2) != session.prefix(2))
                let first = try await browser.run("return sessionProbe.openingRequests();")
                #expect(first.array?.first == "POST /api/v1/sessions", "\(first)")
                let others = try await browser.run("return heard.said.filter((kind) => kind !== 'reconnecting');")
                #expect(others == [], "\(others)")
            }
        }

        @Test("a server that stops hands its pages over, and no picture disappears or moves", .inEveryBrowser)
        func drained() async throws {
            try await withServers { browser, servers, session in
                try await browser.run("sessionProbe.watchFrames();")
                try servers.server(of: session).stop()
                try await browser.until("sessionProbe.hasMoved(args[2])", "the other server", [.string(session)])
                let seen = try await browser.run("return seen;")
                #expect(seen == ["blank": 0, "moved": 0], "\(seen)")
            }
        }

        /// Hands a page that is scrolled part of the way down, and its session, to `body`.
        private func withServers(_ body: (Browser, ServerPair, String) async throws -> Void) async throws {
            let servers = try await ServerPair()
            defer { servers.stop() }
            try await withBrowser { browser in
                try await browser.open(servers.address + "?layout=justified&policy=collection-view")
                try await browser.until("sessionProbe.isFull()", "first pictures")
                try await browser.run("probe.scroller.scrollTop = 3000;")
                let named = "!probe.name(probe.visible()[0]).startsWith('Picture ')"
                try await browser.until(
                    "probe.items()[0] > 10 && sessionProbe.isFull() && \(named)", "the pictures there, at rest")
                try await body(browser, servers, try await browser.session())
            }
        }
    }
}
