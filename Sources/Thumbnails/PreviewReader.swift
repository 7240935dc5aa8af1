import BoundedCache
import Media
import Synchronization
import Threads

/// Reads the previews in large files. This takes a read of 68 kB and a millisecond, while the whole picture takes 20 to 60 ms. From
/// remote files it downloads the same 68 kB instead of megabytes.
///
/// The reader has its own threads and workers, so that no preview waits for a whole picture to be read or decoded.
package final class PreviewReader: Sendable {
    /// Size of the smallest file whose preview is read, in bytes. Smaller files decode nearly as fast: 10 ms a megabyte.
    package static let minimumBytes = 512 << 10

    package let memory = PreviewMemory()
    /// Typical sizes and previews of the files on remote hosts.
    package let remoteFiles = Mutex(RemoteFiles())
    private let workers: WorkerPool
    private let threads = FolderThreads(
        "head", patience: .seconds(60), count: 4, limit: 4096, niceness: Niceness.pool)

    package init(_ workers: WorkerPool) { self.workers = workers }

    /// Returns the preview in a file, upright and in the shape of the picture.
    ///
    /// - Returns: `nil` if the file has no preview, or its preview does not show the current picture.
    package func preview(in path: String, of root: FolderRoot) async -> Thumbnail? {
        let found = try? await threads.threads(for: root).run { [workers] () -> PicturePreview? in
            guard let opened = try? PictureFile.Places(path, in: root) else { return nil }
            let file = WorkerFile(opened.file) { Self.synologyPreview(of: path, in: root, since: opened.modified) }
            return try? workers.preview(in: file)
        }
        return found?.thumbnail
    }

    /// Returns the preview in the beginning of a file, upright and in the shape of the picture, and the picture's size.
    ///
    /// - Parameter beginning: At least ``JPEGHead/length`` bytes.
    func preview(inBeginning beginning: [UInt8]) async -> PicturePreview? {
        try? await threads.common.run { [workers] in try? workers.preview(inBeginning: beginning) }
    }

    func giveUpOnFolders(at now: ContinuousClock.Instant) { threads.giveUp(at: now) }

    func shutdown() { threads.shutdown() }

    /// Returns the upright preview that a Synology storage server made, unless the picture was changed since. Empty if there is none.
    private static func synologyPreview(of path: String, in root: FolderRoot, since modified: Int64) -> [UInt8] {
        guard let slash = path.lastIndex(of: "/") else { return [] }
        let folder = "\(path[..<slash])/@eaDir/\(path[path.index(after: slash)...])"
        for size in ["M", "SM", "B"] {
            let file = "\(folder)/SYNOPHOTO_THUMB_\(size).jpg"
            guard let preview = try? PictureFile.Places(file, in: root) else { continue }
            let isCurrent = preview.modified >= modified && preview.file.count <= PictureRenderer.longestPreview
            return isCurrent ? preview.file.bytes(at: 0, preview.file.count) : []
        }
        return []
    }
}

/// Recent previews of pictures that are not rendered yet, for sessions that want them later.
///
/// Bounded in bytes. Evicts the oldest preview first.
package final class PreviewMemory: Sendable {
    private let previews: Mutex<BoundedCache<KnownItems.Item, Thumbnail>>

    /// - Parameter limit: Maximum bytes of all previews. Default 8 MiB: a thousand previews of the usual size.
    init(limit: Int = 8 << 20) { previews = Mutex(BoundedCache(limit: limit)) }

    package var isEmpty: Bool { previews.withLock { $0.count == 0 } }

    subscript(item: KnownItems.Item) -> Thumbnail? { previews.withLock { $0[item] } }

    /// Returns the stored previews of some items, in the order of the items.
    package func previews(of items: some Sequence<Int>, content: Int) -> [(item: Int, preview: Thumbnail)] {
        previews.withLock { previews in
            items.compactMap { item in
                previews[KnownItems.Item(content: content, index: item)].map { (item, $0) }
            }
        }
    }

    func keep(_ preview: Thumbnail, of item: KnownItems.Item) {
        previews.withLock { $0.insert(preview, for: item, cost: Self.cost(preview)) }
    }

    /// Removes a preview. Call this when the picture itself is ready.
    func remove(_ item: KnownItems.Item) { previews.withLock { _ = $0.remove(item) } }

    /// Bytes of an entry, with an estimated overhead.
    private static func cost(_ preview: Thumbnail) -> Int { preview.bytes.count + 256 }
}
