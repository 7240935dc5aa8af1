import Testing

/// The tests run one after another, because one browser at a time is enough for two cores.
@Suite("The page", .serialized, .sharedBrowsers, .explained, .timeLimit(.minutes(5)))
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

/// Hands to `body` a browser that shows a demo of 20,000 pictures. Tests share the demo, so `body` must not change it.
func withWarmPage(
    path: String = "", width: Int = 1280, height: Int = 900, _ body: (Browser) async throws -> Void
) async throws {
    guard let demo = try await WarmDemo.current?.take() else {
        return try await withPage(path: path, width: width, height: height) { browser, _ in try await body(browser) }
    }
    try await withBrowser(width: width, height: height) { browser in
        try await browser.open(demo.address + path)
        try await body(browser)
    }
}

/// Hands a browser to `body`, and then stops it or leaves it to the next test.
func withBrowser(
    width: Int = 1280, height: Int = 900, _ body: (Browser) async throws -> Void
) async throws {
    let browser = try await Browser(width: width, height: height)
    do {
        try await body(browser)
    } catch {
        await Evidence.current?.look(at: browser)
        await browser.quit()
        throw error
    }
    if let evidence = Evidence.current, evidence.hasFailed {
        await evidence.look(at: browser)
        await browser.quit()
    } else {
        await browser.leave()
    }
}
