import Catalog
import Fetch
import Glibc
import Media

/// An unchanged picture file, to be sent to a client.
package enum OriginalPicture: Sendable {
    /// A file in a folder. It is read in pieces and never held in memory as a whole.
    case file(OpenFile)
    /// The body of a URL. Its memory is released after the body was sent.
    case body([UInt8], ByteBudget.Share)

    /// The first bytes, enough to recognise the kind of picture.
    package var beginning: [UInt8] {
        switch self {
        case .file(let file): file.beginning
        case .body(let bytes, _): Array(bytes.prefix(OpenFile.beginningLength))
        }
    }

    /// The folder of the file, or `nil` for a URL.
    package var root: FolderRoot? {
        switch self {
        case .file(let file): file.root
        case .body: nil
        }
    }

    /// Number of bytes to send.
    package var size: Int {
        switch self {
        case .file(let file): file.size
        case .body(let bytes, _): bytes.count
        }
    }

    /// When the file was last written, in seconds since 1970. For a downloaded picture, the present.
    package var modified: Int64 {
        switch self {
        case .file(let file): file.modified
        case .body: Self.now
        }
    }

    package static var now: Int64 { Int64(time(nil)) }

    /// Returns the kind of the picture by its first bytes. A file that begins like a TIFF is a RAW file if its name says so.
    ///
    /// - Throws: ``ItemFailure`` if the file is not a picture.
    package func kind(named name: String) throws(ItemFailure) -> PictureKind {
        do throws(RenderError) {
            let kind = try PictureKind(magic: beginning)
            return kind == .tiff && PictureName.kind(ofFile: name) == .raw ? .raw : kind
        } catch {
            throw ItemFailure(reason: "\(error)", retryable: false)
        }
    }

    /// Returns some of the bytes, fewer if the file has become shorter. May wait for the disk.
    package func piece(from offset: Int, count: Int) throws(ItemFailure) -> [UInt8] {
        switch self {
        case .file(let file): try file.piece(from: offset, count: count)
        case .body(let bytes, _): Array(bytes.dropFirst(offset).prefix(count))
        }
    }
}

/// Which part of a picture's file to send, and how.
package struct OriginalOptions: Sendable {
    /// Whether to send the video: the whole file if it is a video, or the video stored after a picture.
    package var isVideo = false
    /// Whether the file belongs to another picture. Such a file may be as long as a RAW file.
    package var isCompanion = false

    package init() {}
}

/// A regular file in a folder, or a part of it, opened for reading. Closed when the last reference is released.
package final class OpenFile: Sendable {
    static let beginningLength = 512

    let root: FolderRoot
    /// Offset of the part in the file.
    private let offset: Int
    /// Bytes of the part.
    package let size: Int
    package let beginning: [UInt8]
    /// When the file was last written, in seconds since 1970.
    let modified: Int64
    private let descriptor: Int32

    /// - Parameter descriptor: An open file descriptor. This object closes it.
    init(_ descriptor: Int32, in root: FolderRoot, part: Range<Int>, modified: Int64, beginning: [UInt8]) {
        self.root = root
        self.modified = modified
        self.descriptor = descriptor
        offset = part.lowerBound
        size = part.count
        self.beginning = beginning
    }

    func piece(from offset: Int, count: Int) throws(ItemFailure) -> [UInt8] {
        try PictureFile.read(descriptor, from: self.offset + offset, count: count)
    }

    deinit { close(descriptor) }
}

/// Reads unchanged picture files, up to the size limit of rendered pictures, or up to that of RAW files in folders.
package struct OriginalReader: Sendable {
    let files: FolderThreads
    let fetcher: any Fetcher
    let workers: WorkerPool

    /// - Parameter share: Memory budget for a downloaded picture until it was sent.
    package func original(
        of locator: Locator, in share: ByteBudget.Share, _ options: OriginalOptions = OriginalOptions()
    ) async throws(ItemFailure) -> OriginalPicture {
        switch locator {
        case .file(let path, let root):
            return .file(
                try await files.run(in: root) { [workers] () throws(ItemFailure) in
                    try PictureFile.open(path, in: root, workers: workers, options)
                })
        case .url(let url):
            var request = FetchRequest(url: url)
            request.bodyLimit = workers.configuration.limits.maxBytes
            // Stop the download if there is no room for the received bytes.
            request.isEnough = { body, expected in !share.hold(max(body.count, expected ?? 0)) }
            let response: FetchResponse
            do throws(FetchError) {
                response = try await fetcher.fetch(request)
            } catch {
                throw ItemFailure(reason: error.description, retryable: error.isRetryable)
            }
            guard !response.stoppedEarly, share.hold(response.body.count) else { throw .noRoom }
            guard options.isVideo else { return .body(response.body, share) }
            let video = try await files.run(in: nil) { [workers] () throws(ItemFailure) -> [UInt8] in
                let place = try? workers.video(in: WorkerFile(FilePieces(response.body)))
                return place.map { Array(response.body[$0]) } ?? []
            }
            guard !video.isEmpty else { throw .noVideo }
            return .body(video, share)
        }
    }
}
