/// The pictures of a bucket. The catalogue grows page by page while the bucket is listed.
public final class BucketCatalog: CatalogSource {
    /// Fetches a page of the listing. Throws errors whose description can be shown to a person.
    public typealias Get = @Sendable (_ url: String) async throws -> [UInt8]

    private let publisher: CatalogPublisher

    /// Reads the first page, then the other pages in the background.
    ///
    /// - Parameters:
    ///   - get: may fail. A failed page is requested again after each of `pauses`. If it still fails, the listing ends there.
    ///   - pauses: pauses between attempts. Default: 1, 2, 4, 8 and 16 seconds.
    ///   - warn: receives a sentence for the operator about pictures that are left out.
    /// - Throws: ``SourceError`` if the first page cannot be fetched or is not a listing. The first page is not retried.
    public init(
        _ location: BucketLocation, limits: ListLimits = ListLimits(),
        pauses: [Duration] = [1, 2, 4, 8, 16].map { .seconds($0) },
        warn: @escaping @Sendable (String) -> Void = { _ in }, get: @escaping Get
    ) async throws(SourceError) {
        var listing = BucketListing(location, limits: limits)
        do {
            if let page = listing.nextPage { try listing.take(await get(page)) }
        } catch {
            throw SourceError(source: location.description, reason: "\(error)")
        }
        publisher = CatalogPublisher(listing.list(revision: 0).catalog)
        let first = listing
        Task { [weak self] in
            var listing = first
            var pace = Pace(interval: 250)
            var failure: (any Error)?
            while failure == nil, let page = listing.nextPage, let self {
                failure = await Self.take(page, of: &listing, pauses: pauses, get: get)
                if pace.isDue { pace.run { self.show(listing) } }
            }
            guard let self else { return }
            show(listing)
            if let failure { warn("\(location): \(failure); the rest is not listed.") }
            if let problem = listing.problems.first {
                warn(
                    "\(location): \(listing.leftOut) \(listing.leftOut == 1 ? "picture is" : "pictures are") left out; the first one: \(problem)."
                )
            }
            if listing.count == 0 { warn("\(location): no pictures found.") }
            if let sentence = listing.notShown.kinds.sentence { warn("\(location): \(sentence).") }
            publisher.finish()
        }
    }

    /// Requests a page until it arrives or no pause is left. Returns the last error.
    private static func take(
        _ page: String, of listing: inout BucketListing, pauses: [Duration], get: Get
    ) async -> (any Error)? {
        var pauses = pauses[...]
        while true {
            do {
                try listing.take(await get(page))
                return nil
            } catch {
                guard let pause = pauses.popFirst() else { return error }
                do { try await Task.sleep(for: pause) } catch { return error }
            }
        }
    }

    private func show(_ listing: BucketListing) {
        publisher.publish { listing.list(revision: $0.revision + 1).catalog }
    }

    public var catalog: Catalog { publisher.catalog }
    public var changes: AsyncStream<Int> { publisher.changes }
}
