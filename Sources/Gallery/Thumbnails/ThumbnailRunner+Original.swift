import Catalog
import Pipeline

extension ThumbnailRunner {
    /// A picture's file as it is, no larger than what is rendered may be.
    func original(of locator: Locator) async throws(ItemFailure) -> [UInt8] {
        switch locator {
        case .file(let path, let root): return try await contents(of: path, in: root)
        case .url(let url):
            var request = FetchRequest(url: url)
            request.bodyLimit = limits.maxBytes
            do throws(FetchError) {
                return try await fetcher.fetch(request) { _, _ in }.body
            } catch {
                throw ItemFailure(reason: error.description, retryable: error.isRetryable)
            }
        }
    }
}
