/// Where catalogues come from: a folder, a list, a bucket, the demo. Each change makes another catalogue.
public protocol CatalogSource: Sendable {
    /// As it is now.
    var catalog: Catalog { get }
    /// The new revision after each change, latest only; finished at once for a source that never changes.
    var changes: AsyncStream<Int> { get }
    /// Pictures whose facts have been read by now, which may be more than when the ``catalog`` was made. Looks at none, and
    /// waits for nobody who does.
    var factsKnown: Int { get }
}

extension CatalogSource {
    /// None.
    public var changes: AsyncStream<Int> { AsyncStream { $0.finish() } }
    /// As the catalogue says.
    public var factsKnown: Int { catalog.factsKnown }

    /// Waits until the catalogue is as wanted, or nothing more comes; returns the last one.
    @discardableResult
    public func waitUntil(_ isWanted: @Sendable (Catalog) -> Bool) async -> Catalog {
        // The stream first: a change between a look at the catalogue and the start of the stream would be missed.
        let changes = changes
        var latest = catalog
        if isWanted(latest) { return latest }
        for await _ in changes {
            latest = catalog
            if isWanted(latest) { return latest }
        }
        return catalog
    }
}
