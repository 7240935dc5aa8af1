import TestSupport
import Testing

extension PageTests.Viewer {
    @Test(
        "turning many pages quickly has the server make the last picture, not all that were passed",
        .enabled(if: Weekly.isOn, "runs weekly"))
    func passed() async throws {
        let demo = try await Demo(items: 1_000, latency: 1_500)
        defer { demo.stop() }
        try await withBrowser { browser in
            try await browser.open(demo.address + "?view=100")
            try await opened(browser, at: 100)
            for _ in 0..<50 { try await browser.press(Key.right) }
            try await opened(browser, at: 150)
        }
        let metrics = try await TestClient.exchange("GET", port: demo.port, path: "/metrics").text
        let made = metrics.split(separator: "\n").first {
            $0.contains("requests_total") && $0.contains("/image\"") && $0.contains("status=\"200\"")
        }
        let count = try #require(made?.split(separator: " ").last.flatMap { Double($0) })
        // The first and the last with their neighbours, and what was too far to be stopped.
        #expect((2...16).contains(count))
    }
}
