import BoundedCache
import PhotoFacts
import Pictures
import Synchronization
import Threads

/// Reads the previews in large files: a read of 68 kB and a millisecond, where the whole picture takes 20 to 60 ms. Of remote
/// files the same 68 kB are downloaded, where the whole picture has megabytes.
///
/// It has threads and a worker process of its own, so that no preview waits for a picture that is read or decoded whole.
package final class PreviewReader: Sendable {
    /// Bytes of the smallest file whose preview is read. A smaller one is decoded nearly as soon: 10 ms a megabyte.
    package static let leastBytes = 512 << 10

    package let memory = PreviewMemory()
    /// The usual sizes and previews of remote hosts' files.
    package let remoteFiles = Mutex(RemoteFiles())
    private let renderer: Renderer
    private let threads = FolderThreads(
        "head", patience: .seconds(60), count: 4, limit: 4096, niceness: Niceness.pool)

    package init(_ renderer: Renderer) { self.renderer = renderer }

    /// The preview in a file, upright and in the shape of the picture.
    ///
    /// - Returns: `nil` where it has none, or one that does not show the picture as it is now.
    package func preview(in path: String, of root: FolderRoot) async -> Thumbnail? {
        let found = try? await threads.threads(for: root).run { Self.find(in: path, of: root) }
        guard let (bytes, frame) = found else { return nil }
        return await render(bytes, frame)
    }

    /// The preview in the beginning of a file, upright and in the shape of the picture, and what else the beginning says.
    ///
    /// - Parameter beginning: ``JPEGHead/length`` bytes or more.
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

    /// Reads no more files.
    func shutdown() { threads.shutdown() }

    private static func find(in path: String, of root: FolderRoot) -> (bytes: [UInt8], frame: PreviewFrame)? {
        guard let opened = try? PictureFile.Places(path, in: root), let head = FileHead(opened.file),
            let frame = PreviewFrame(head)
        else { return nil }
        if let place = head.preview, place.count <= mostBytes {
            return (opened.file.bytes(at: place.lowerBound, place.count), frame)
        }
        if let bytes = synologyPreview(of: path, in: root, since: opened.modified) { return (bytes, frame.upright) }
        // Where in a HEIC the preview lies, only its decoder knows.
        guard head.kind == .heic, head.kind.isBuiltIn, opened.file.count <= mostHEICBytes else { return nil }
        return (opened.file.bytes(at: 0, opened.file.count), frame.upright)
    }

    /// Bytes of a preview in or beside a picture's file.
    private static let mostBytes = 256 << 10
    private static let mostHEICBytes = 16 << 20

    /// The preview that Synology's storage servers make of each picture, upright, unless the picture was changed since.
    private static func synologyPreview(of path: String, in root: FolderRoot, since modified: Int64) -> [UInt8]? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let folder = "\(path[..<slash])/@eaDir/\(path[path.index(after: slash)...])"
        for size in ["M", "SM", "B"] {
            let file = "\(folder)/SYNOPHOTO_THUMB_\(size).jpg"
            guard let preview = try? PictureFile.Places(file, in: root) else { continue }
            let isCurrent = preview.modified >= modified && preview.file.count <= mostBytes
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

    /// - Parameter limit: bytes of all previews. Default 8 MiB: a thousand previews of the usual size.
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
