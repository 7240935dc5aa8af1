import Fetch
import Media
import Testing

/// Runs `body` with an origin and a fetcher that may reach it, then stops both. Waits until the fetcher has closed
/// every connection.
func withOrigin(
    _ answer: @escaping TestOrigin.Answer = OriginRoutes.answer,
    configure: (inout FetchConfiguration) -> Void = { _ in },
    _ body: (TestOrigin, CurlFetcher) async throws -> Void
) async throws {
    let origin = try TestOrigin(answer)
    var configuration = FetchConfiguration()
    configuration.policy.origins = [origin.origin]
    configure(&configuration)
    let fetcher = try CurlFetcher(configuration)
    do {
        try await body(origin, fetcher)
    } catch {
        await fetcher.shutdown()
        await origin.stop()
        throw error
    }
    await fetcher.shutdown()
    try await origin.until { $0.open == 0 }
    await origin.stop()
}

extension Fetcher {
    func fetch(_ url: String) async throws(FetchError) -> FetchResponse {
        try await fetch(FetchRequest(url: url))
    }

    /// The error that `request` ends in; nil when it succeeds.
    func failure(_ request: FetchRequest) async -> FetchError? {
        do throws(FetchError) {
            _ = try await fetch(request)
            return nil
        } catch {
            return error
        }
    }

    func failure(_ url: String) async -> FetchError? { await failure(FetchRequest(url: url)) }
}
