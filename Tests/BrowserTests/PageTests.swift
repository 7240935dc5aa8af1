import Testing

/// Everything here runs one after the other: one browser at a time is enough for two cores.
@Suite("The page", .serialized, .sharedBrowsers, .timeLimit(.minutes(10)))
struct PageTests {}

/// Starts a demo and a browser, hands them to `body`, and stops both.
func withPage(
    items: Int = 20_000, latency: Int = 20, bandwidth: Int = 200,
    arguments: [String] = [], path: String = "", width: Int = 1280, height: Int = 900,
    _ body: (Browser, Demo) async throws -> Void
) async throws {
    let demo = try await Demo(items: items, latency: latency, bandwidth: bandwidth, also: arguments)
    defer { demo.stop() }
    try await withBrowser(width: width, height: height) { browser in
        try await browser.open(demo.address + path)
        try await body(browser, demo)
    }
}

/// Hands a browser to `body`, and stops it or leaves it to the next test.
func withBrowser(
    width: Int = 1280, height: Int = 900, _ body: (Browser) async throws -> Void
) async throws {
    let browser = try await Browser(width: width, height: height)
    do {
        try await body(browser)
    } catch {
        await browser.quit()
        throw error
    }
    await browser.leave()
}
