import BoundedCache
import PhotoFacts
import Pictures
import Synchronization
import Threads

/// Reads the previews in large files. This takes a read of 68 kB and a millisecond, while the whole picture takes 20 to 60 ms. From
/// remote files it downloads the same 68 kB instead of megabytes.
///
/// The reader has its own threads and worker process, so that no preview waits for a whole picture to be read or decoded.
package final class PreviewReader: Sendable {
    /// Size of the smallest file whose preview is read, in bytes. Smaller files decode nearly as fast: 10 ms a megabyte.
    package static let minimumBytes = 512 << 10

    package let memory = PreviewMemory()
    /// Typical sizes and previews of the files on remote hosts.
    package let remoteFiles = Mutex(RemoteFiles())
    private let renderer: Renderer
    private let threads = FolderThreads(
        "head", patience: .seconds(60), count: 4, limit: 4096, niceness: Niceness.pool)

    package init(_ renderer: Renderer) { self.renderer = renderer }

    /// Returns the preview in a file, upright and in the shape of the picture.
    ///
    /// - Returns: `nil` if the file has no preview, or its preview does not show the current picture.
    package func preview(in path: String, of root: FolderRoot) async -> Thumbnail? {
        let found = try? await threads.threads(for: root).run { Self.find(in: path, of: root) }
        guard let (bytes, frame) = found else { return nil }
        return await render(bytes, frame)
    }

    /// Returns the preview in the beginning of a file, upright and in the shape of the picture, and the parsed head.
    ///
    /// - Parameter beginning: At least ``JPEGHead/length`` bytes.
    func preview(inBeginning beginning: [UInt8]) async -> (preview: Thumbnail?, head: JPEGHead?) {
        guard let head = try? await threads.common.run({ JPEGHead(beginning) }) else { return (nil, nil) }
        guard let place = head.preview, let frame = PreviewFrame(head) else { return (nil, head) }
        return (await render(Array(beginning[place]), frame), head)
    }

    private func render(_ bytes: [UInt8], _ frame: PreviewFrame) async -> Thumbnail? {
        guard !Task.isCancelled else { return nil }
        var options = RenderOptions()
        options.preview = frame
        return try? await renderer.render(bytes, size: ThumbnailSize(width: 0, height: 0), options: options)
    }

    func giveUpOnFolders(at now: ContinuousClock.Instant) { threads.giveUp(at: now) }

    func shutdown() { threads.shutdown() }

    private static func find(in path: String, of root: FolderRoot) -> (bytes: [UInt8], frame: PreviewFrame)? {
        guard let opened = try? PictureFile.Places(path, in: root), let head = FileHead(opened.file),
            let frame = PreviewFrame(head)
        else { return nil }
        if let place = head.preview, place.count <= maximumBytes {
            return (opened.file.bytes(at: place.lowerBound, place.count), frame)
        }
        if let bytes = synologyPreview(of: path, in: root, since: opened.modified) { return (bytes, frame.upright) }
        // Only the HEIC decoder knows the position of the preview in a file.
        guard head.kind == .heic, head.kind.isBuiltIn, opened.file.count <= maximumHEICBytes else { return nil }
        return (opened.file.bytes(at: 0, opened.file.count), frame.upright)
    }

    /// Maximum size of a preview in or beside a picture's file, in bytes.
    private static let maximumBytes = 256 << 10
    private static let maximumHEICBytes = 16 << 20

    /// Returns the upright preview that a Synology storage server made, unless the picture was changed since.
    private static func synologyPreview(of path: String, in root: FolderRoot, since modified: Int64) -> [UInt8]? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let folder = "\(path[..<slash])/@eaDir/\(path[path.index(after: slash)...])"
        for size in ["M", "SM", "B"] {
            let file = "\(folder)/SYNOPHOTO_THUMB_\(size).jpg"
            guard let preview = try? PictureFile.Places(file, in: root) else { continue }
            let isCurrent = preview.modified >= modified && preview.file.count <= maximumBytes
            return isCurrent ? preview.file.bytes(at: 0, preview.file.count) : nil
        }
        return nil
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
