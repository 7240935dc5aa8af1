import Testing

/// Everything here runs one after the other: one browser at a time is enough for two cores.
@Suite("The page", .serialized, .timeLimit(.minutes(10)))
struct PageTests {}

/// Starts a demo and a browser, hands them to `body`, and stops both.
func withPage(
    items: Int = 20_000, latency: Int = 20, bandwidth: Int = 200, path: String = "",
    _ body: (Browser, Demo) async throws -> Void
) async throws {
    let demo = try await Demo(items: items, latency: latency, bandwidth: bandwidth)
    defer { demo.stop() }
    let browser = try await Browser()
    do {
        try await browser.open(demo.address + path)
        try await body(browser, demo)
    } catch {
        await browser.quit()
        throw error
    }
    await browser.quit()
}
