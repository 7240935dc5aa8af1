import Fetch
import Glibc
import PhotoFacts
import Pictures

/// A picture's file as it is, to be handed on.
package enum OriginalPicture: Sendable {
    /// Of a folder: it is read in pieces, and never held in memory as a whole.
    case file(OpenFile)
    /// Of a URL: the memory is given back when it was sent.
    case body([UInt8], ByteBudget.Share)

    /// Its first bytes, as many as tell what kind of picture it is.
    package var beginning: [UInt8] {
        switch self {
        case .file(let file): file.beginning
        case .body(let bytes, _): Array(bytes.prefix(OpenFile.beginningLength))
        }
    }

    /// The folder that it is read from, if any.
    package var root: FolderRoot? {
        switch self {
        case .file(let file): file.root
        case .body: nil
        }
    }

    /// Bytes that are handed on.
    package var size: Int {
        switch self {
        case .file(let file): file.size
        case .body(let bytes, _): bytes.count
        }
    }

    /// Seconds since 1970: when the file was last written; now for what has just come over the network.
    package var modified: Int64 {
        switch self {
        case .file(let file): file.modified
        case .body: Self.now
        }
    }

    package static var now: Int64 { Int64(time(nil)) }

    /// The kind of picture.
    ///
    /// - Throws: where it is none that is known.
    package var kind: PictureKind {
        get throws(ItemFailure) {
            do throws(RenderError) {
                return try PictureKind(beginning)
            } catch {
                throw ItemFailure(reason: "\(error)", retryable: false)
            }
        }
    }

    /// Some of its bytes; fewer where a file has become shorter. May wait for the disk.
    package func piece(from offset: Int, count: Int) throws(ItemFailure) -> [UInt8] {
        switch self {
        case .file(let file): try file.piece(from: offset, count: count)
        case .body(let bytes, _): Array(bytes.dropFirst(offset).prefix(count))
        }
    }
}

/// The part of a picture's file that is handed on, and how.
package struct OriginalOptions: Sendable {
    /// Whether that is its video: the file itself where it is one, or what lies behind a picture.
    package var isVideo = false
    /// Whether the file is no picture of its own but belongs to one: then it may be as long as a RAW file.
    package var isCompanion = false

    package init() {}
}

/// A regular file of a folder, or a part of it, opened for reading. It is closed with the last reference.
package final class OpenFile: Sendable {
    static let beginningLength = 512

    /// The folder that the file lies in.
    let root: FolderRoot
    /// Where the part begins in the file.
    private let offset: Int
    /// Bytes of the part.
    package let size: Int
    package let beginning: [UInt8]
    /// When it was last written, seconds since 1970.
    let modified: Int64
    private let descriptor: Int32

    /// - Parameter descriptor: now owned by this.
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

/// Reads pictures' files as they are, no larger than what is rendered may be, or RAW files in folders.
package struct OriginalReader: Sendable {
    let files: FolderThreads
    let fetcher: any Fetcher
    let limits: RenderLimits

    /// - Parameter share: what holds one that comes over the network until it was sent.
    package func original(
        of locator: Locator, in share: ByteBudget.Share, _ options: OriginalOptions = OriginalOptions()
    ) async throws(ItemFailure) -> OriginalPicture {
        switch locator {
        case .file(let path, let root):
            return .file(
                try await files.run(in: root) { [limits] () throws(ItemFailure) in
                    try PictureFile.open(path, in: root, limits: limits, options)
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
            guard options.isVideo else { return .body(response.body, share) }
            let video = try await files.run(in: nil) { () throws(ItemFailure) -> [UInt8]? in
                VideoFile.place(in: FilePieces(response.body)).map { Array(response.body[$0]) }
            }
            guard let video else { throw .noVideo }
            return .body(video, share)
        }
    }
}
