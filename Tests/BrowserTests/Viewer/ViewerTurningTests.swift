import TestSupport
import Testing

extension PageTests.Viewer {
    @Test(
        "if a person steps through many pictures quickly, the server renders few of the skipped ones",
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
        // The first and the last picture with their neighbours, and those that were too far along to be cancelled.
        #expect((2...16).contains(count))
    }
}
