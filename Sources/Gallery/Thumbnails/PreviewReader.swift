import Pipeline
import Synchronization
import Threads

/// Reads the previews in large files: a read of 68 kB and a millisecond, where the whole picture takes 20 to 60 ms. Of remote
/// files the same 68 kB are downloaded, where the whole picture has megabytes.
///
/// It has threads and a worker process of its own, so that no preview waits for a picture that is read or decoded whole.
final class PreviewReader: Sendable {
    /// Bytes of the smallest file whose preview is read. A smaller one is decoded nearly as soon: 10 ms a megabyte.
    static let leastBytes = 512 << 10

    let memory = PreviewMemory()
    /// What the files of remote hosts are like.
    let remoteFiles = Mutex(RemoteFiles())
    private let renderer: Renderer
    private let threads = BlockingThreads("head", count: 4, limit: 4096)

    init(_ renderer: Renderer) { self.renderer = renderer }

    /// The preview in a file, upright and in the shape of the picture.
    ///
    /// - Returns: `nil` where it has none, or one that does not show the picture as it is now.
    func preview(in path: String, of root: FolderRoot) async -> Thumbnail? {
        let found = try? await threads.run { Self.find(in: path, of: root) }
        guard let (bytes, frame) = found else { return nil }
        return await render(bytes, frame)
    }

    /// The preview in the beginning of a file, upright and in the shape of the picture, and what else the beginning says.
    ///
    /// - Parameter beginning: ``JPEGHead/length`` bytes or more.
    func preview(inBeginning beginning: [UInt8]) async -> (preview: Thumbnail?, head: JPEGHead?) {
        guard let head = try? await threads.run({ JPEGHead(beginning) }) else { return (nil, nil) }
        guard let place = head.preview, let frame = PreviewFrame(head) else { return (nil, head) }
        return (await render(Array(beginning[place]), frame), head)
    }

    private func render(_ bytes: [UInt8], _ frame: PreviewFrame) async -> Thumbnail? {
        guard !Task.isCancelled else { return nil }
        var options = RenderOptions()
        options.preview = frame
        return try? await renderer.render(bytes, size: ThumbnailSize(width: 0, height: 0), options: options)
    }

    /// Reads no more files.
    func shutdown() { threads.shutdown() }

    private static func find(in path: String, of root: FolderRoot) -> (bytes: [UInt8], frame: PreviewFrame)? {
        guard let file = try? PictureFile.Beginning(path, in: root), var head = JPEGHead(file.bytes),
            let place = head.preview
        else { return nil }
        var pieces = 0
        while let next = head.nextPiece, pieces < JPEGHead.mostPieces {
            head.read(file.piece(at: next, count: JPEGHead.pieceLength))
            pieces += 1
        }
        return PreviewFrame(head).map { (Array(file.bytes[place]), $0) }
    }
}
