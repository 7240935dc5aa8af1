import Catalog
import Pipeline

extension ThumbnailRunner {
    /// A picture's file as it is, no larger than what is rendered may be, or a RAW file in a folder.
    ///
    /// - Parameters:
    ///   - share: what holds one that comes over the network until it was sent.
    ///   - isReadThrough: whether a file is read to its end before it is sent.
    package func original(
        of locator: Locator, in share: ByteBudget.Share, isReadThrough: Bool = true, isCompanion: Bool = false
    ) async throws(ItemFailure) -> OriginalPicture {
        switch locator {
        case .file(let path, let root):
            return .file(
                try await blocking(in: root) { [limits] () throws(ItemFailure) in
                    try PictureFile.open(
                        path, in: root, limits: limits, isReadThrough: isReadThrough, isCompanion: isCompanion)
                })
        case .url(let url):
            var request = FetchRequest(url: url)
            request.bodyLimit = limits.maxBytes
            // The download ends where there is no room for what has come.
            request.isEnough = { body, expected in !share.hold(max(body.count, expected ?? 0)) }
            let response: FetchResponse
            do throws(FetchError) {
                response = try await fetcher.fetch(request)
            } catch {
                throw ItemFailure(reason: error.description, retryable: error.isRetryable)
            }
            guard !response.stoppedEarly, share.hold(response.body.count) else { throw .noRoom }
            return .body(response.body, share)
        }
    }
}

extension ItemFailure {
    /// As many originals as may be held are being sent.
    package static let noRoom = ItemFailure(
        reason: "too many originals are being sent", retryable: true, retryAfter: 1)
}
