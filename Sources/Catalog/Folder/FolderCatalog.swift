import Glibc
import Media
import Threads

/// The pictures of a folder and its subfolders.
///
/// The folder is read in the background, in display order. The first pictures appear immediately and more follow at the end. Later changes
/// of the folder appear automatically unless ``FolderOptions/watches`` is `false`.
public final class FolderCatalog: CatalogSource {
    private let publisher: CatalogPublisher
    private let stopSignal: Wakeup
    private let index: FolderIndex?

    /// - Parameters:
    ///   - path: path of the folder. A relative path is resolved now.
    ///   - index: source of facts about the folder's pictures. If `nil`, facts stay unknown.
    ///   - warn: receives a sentence for the operator about a problem, and when the folder disappears or returns.
    /// - Throws: ``FolderError`` if the folder does not exist or cannot be read.
    public init(
        path: String, options: FolderOptions = FolderOptions(), index: PictureIndex? = nil,
        warn: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(FolderError) {
        guard let directory = opendir(path) else { throw Self.error(path, errno) }
        closedir(directory)
        guard let absolute = Self.absolute(path), let stop = Wakeup() else { throw Self.error(path, errno) }
        let root = FolderRoot(path: absolute, followsLinks: options.followsLinks)
        let publisher = CatalogPublisher(
            FolderListing(root: root, revision: 0, isComplete: false, pages: []).catalog)
        let facts = index.map { index in
            FolderIndex(index, root: root) { [weak publisher] in
                publisher?.publish { ($0.items as? FolderListing)?.withFacts().catalog ?? $0 }
            }
        }
        self.publisher = publisher
        self.index = facts
        stopSignal = stop
        do throws(SystemThread.Refusal) {
            try SystemThread.detach("folder") {
                Niceness.raise(to: Niceness.pool)
                var lister = FolderLister(
                    publisher: publisher, root: root, index: facts, options: options, stop: stop, warn: warn)
                lister.run()
                facts?.waitUntilRead()
                publisher.finish()
            }
        } catch {
            throw Self.error(path, error.code)
        }
    }

    deinit { stop() }

    /// Stops reading and watching. The pictures found so far stay in the catalogue.
    public func stop() {
        stopSignal.signal()
        index?.stop()
    }

    public var catalog: Catalog { publisher.catalog }
    public var changes: AsyncStream<Int> { publisher.changes }

    /// Number of pictures with known facts. Always current, also between two listings.
    public var factsKnown: Int {
        let catalog = catalog
        return index.map { min($0.known, catalog.itemCount) } ?? catalog.itemCount
    }

    private static func absolute(_ path: String) -> String? {
        if path.hasPrefix("/") {
            let trimmed = path.reversed().drop { $0 == "/" }.reversed()
            return trimmed.isEmpty ? "/" : String(trimmed)
        }
        return DirectoryContents.resolved(path)
    }

    private static func error(_ path: String, _ code: Int32) -> FolderError {
        FolderError(path: path, code: code, reason: String(cString: strerror(code)))
    }
}
