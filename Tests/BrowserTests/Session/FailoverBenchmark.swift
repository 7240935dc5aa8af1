import Foundation
import JSON
import TestSupport
import Testing

/// How long a page is without what it asks for when its server is killed or halted, in figures:
/// `LOOKAHEAD_PAGE_BENCHMARK=1 swift test -c release --filter FailoverBenchmark`.
@Suite(
    .serialized,
    .enabled(if: ProcessInfo.processInfo.environment["LOOKAHEAD_PAGE_BENCHMARK"] != nil && ServerPair.isAvailable),
    .timeLimit(.minutes(10)))
struct FailoverBenchmark {
    @Test("a page whose server is killed has all pictures in sight again within 500 ms in 95 of 100 times")
    func kill() async throws {
        let took = try await measure(speed: 0) {
            $0.kill()
        } restart: {
            try await $0.restart()
        }
        print("all pictures in sight after a kill, ms: \(Self.summary(took))")
        #expect(took[18] < 500)
    }

    @Test("a page that scrolls as its server is halted has all pictures in sight again within 4 s in 95 of 100 times")
    func halt() async throws {
        let took = try await measure(speed: 10) {
            $0.child.signal(SIGSTOP)
        } restart: {
            $0.child.signal(SIGCONT)
        }
        print("all pictures in sight after a halt, ms: \(Self.summary(took))")
        #expect(took[18] < 4000)
    }

    private static func summary(_ took: [Double]) -> String { "p50 \(took[10]), p95 \(took[18]), most \(took[19])" }

    /// Ends the server of a page again and again, and measures how long the page lacks a picture in sight, ms, in order.
    ///
    /// - Parameter speed: how fast the page scrolls until it hears of the end, px a frame.
    private func measure(
        speed: Double, end: (LookaheadProcess) -> Void, restart: (LookaheadProcess) async throws -> Void
    ) async throws -> [Double] {
        let servers = try await ServerPair(pictures: 4000)
        defer { servers.stop() }
        var took: [Double] = []
        try await withBrowser { browser in
            let all = "probe.visible().length > 0 && probe.visible().every(probe.hasPicture)"
            try await browser.open(servers.address + "?layout=justified")
            for _ in 0..<20 {
                // Both servers run, and the stream has lasted.
                try await browser.wait(
                    "await probe.until(() => document.documentElement.dataset.connection === 'live' && \(all), 'pictures'); const end = performance.now() + 3000; await probe.until(() => performance.now() > end, 'a while');"
                )
                let session = try await browser.session()
                let server = try servers.server(of: session)
                try await browser.run(
                    """
                    window.__shown = 0;
                    const [former, speed] = arguments;
                    const state = document.documentElement;
                    const look = () => {
                      const isThere = state.dataset.session !== former && \(all);
                      if (isThere) window.__shown = Date.now();
                      else requestAnimationFrame(look);
                    };
                    // The page goes on when it hears of the end: what it then shows it cannot have had.
                    const wait = () => {
                      const isHere = state.dataset.connection === 'live' && state.dataset.session === former;
                      probe.scroller.scrollTop += isHere ? speed : 6000;
                      requestAnimationFrame(isHere ? wait : look);
                    };
                    wait();
                    """, [.string(session), .number(speed)])
                let ended = Date().timeIntervalSince1970 * 1000
                end(server)
                try await browser.until("window.__shown > 0", "the other server")
                let shown = try await browser.run("return window.__shown;").number ?? .infinity
                took.append(shown - ended)
                try await restart(server)
            }
        }
        return took.sorted()
    }
}
