import Catalog
import Cluster
import Glibc
import PhotoFacts
import Pictures
import Store

/// Reads a picture from a folder; what it finds there is as little trusted as what comes from the network.
enum PictureFile {
    /// Reads a file as far as a thumbnail of `size` needs it: of a RAW file only a preview, of a video its header and the film's
    /// beginning.
    ///
    /// - Parameter path: absolute, in `root`.
    /// - Throws: ``ItemFailure`` where the file is no regular file, is gone, unreadable, outside or over a limit.
    static func read(
        _ path: String, in root: FolderRoot, for size: ThumbnailSize, limits: RenderLimits
    ) throws(ItemFailure) -> [UInt8] {
        let descriptor = try open(path, in: root)
        defer { close(descriptor) }
        let length = try Self.size(of: descriptor)
        if !PictureKind.video.isBuiltIn, isVideo(descriptor, length) { throw .videoWithoutPicture }
        if let excerpt = excerpt(of: descriptor, length, for: size, limits), excerpt.count <= limits.maxBytes {
            return excerpt
        }
        try check(length, maxBytes: limits.maxBytes)
        return try read(descriptor, from: 0, count: length)
    }

    private static func excerpt(
        of descriptor: Int32, _ length: Int, for size: ThumbnailSize, _ limits: RenderLimits
    ) -> [UInt8]? {
        let file = FilePieces(descriptor: descriptor, count: length)
        let beginning = file.bytes(at: 0, beginningLength)
        if RAWPicture.mayBe(beginning), length <= limits.maxRAWBytes {
            guard let picture = try? RAWPicture(file) else { return nil }
            return picture.excerpt(for: size.size(forPicture: picture.upright.width, picture.upright.height))
        }
        return PictureKind.video.isBuiltIn && VideoFile.mayBe(beginning) ? VideoFile.excerpt(of: file) : nil
    }

    /// Bytes that tell what a file may be.
    private static let beginningLength = 64

    private static func isVideo(_ descriptor: Int32, _ length: Int) -> Bool {
        let beginning = FilePieces(descriptor: descriptor, count: length).bytes(at: 0, beginningLength)
        return (try? PictureKind(beginning)) == .video
    }

    /// Whether the file may be one of which little is read to show it, by its first bytes.
    private static func mayBeLarge(_ descriptor: Int32, _ length: Int) -> Bool {
        let beginning = FilePieces(descriptor: descriptor, count: length).bytes(at: 0, beginningLength)
        return RAWPicture.mayBe(beginning) || VideoFile.mayBe(beginning)
    }

    /// Opens a file to be sent.
    ///
    /// - Throws: as ``read(_:in:for:limits:)``; ``ItemFailure/noVideo`` where that is wanted.
    static func open(
        _ path: String, in root: FolderRoot, limits: RenderLimits, _ options: OriginalOptions
    ) throws(ItemFailure) -> OpenFile {
        let descriptor = try open(path, in: root)
        do throws(ItemFailure) {
            let status = try Self.status(of: descriptor)
            let size = Int(status.st_size)
            let isLarge = options.isCompanion || mayBeLarge(descriptor, size)
            try check(size, maxBytes: isLarge ? limits.maxRAWBytes : limits.maxBytes)
            var part = 0..<size
            if options.isVideo {
                guard let place = VideoFile.place(in: FilePieces(descriptor: descriptor, count: size)) else {
                    throw .noVideo
                }
                part = place
            }
            let beginning = try read(
                descriptor, from: part.lowerBound, count: min(part.count, OpenFile.beginningLength))
            return OpenFile(
                descriptor, in: root, part: part, modified: Int64(status.st_mtim.tv_sec), beginning: beginning)
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// A file that is open for reading at places. The kernel reads no more than is asked for: left to itself it would fetch
    /// megabytes that follow.
    final class Places {
        let file: FilePieces
        /// Nanoseconds since 1970.
        let modified: Int64
        private let descriptor: Int32

        init(_ path: String, in root: FolderRoot) throws(ItemFailure) {
            descriptor = try PictureFile.open(path, in: root)
            posix_fadvise(descriptor, 0, 0, POSIX_FADV_RANDOM)
            do throws(ItemFailure) {
                let status = try PictureFile.status(of: descriptor)
                file = FilePieces(descriptor: descriptor, count: Int(status.st_size))
                modified = status.st_mtim.nanoseconds
            } catch {
                close(descriptor)
                throw error
            }
        }

        deinit { close(descriptor) }
    }

    private static func size(of descriptor: Int32) throws(ItemFailure) -> Int {
        Int(try status(of: descriptor).st_size)
    }

    private static func status(of descriptor: Int32) throws(ItemFailure) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(errno) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size >= 0 else {
            throw ItemFailure(reason: "not a file", retryable: false)
        }
        return status
    }

    private static func check(_ size: Int, maxBytes: Int) throws(ItemFailure) {
        guard size <= maxBytes else {
            throw ItemFailure(
                reason: "the file has \(size) bytes, more than the limit of \(maxBytes)", retryable: false)
        }
    }

    /// Fewer bytes where the file ends before; its offset stays where it is.
    static func read(_ descriptor: Int32, from offset: Int, count: Int) throws(ItemFailure) -> [UInt8] {
        var filled = 0
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, count in
            while filled < buffer.count {
                guard let base = buffer.baseAddress else { break }
                let got = pread(descriptor, base + filled, buffer.count - filled, off_t(offset + filled))
                if got < 0, errno == EINTR { continue }
                if got <= 0 {
                    if got < 0 { code = errno }
                    break
                }
                filled += got
            }
            count = filled
        }
        guard code == 0 else { throw failure(code) }
        return bytes
    }

    private static func open(_ path: String, in root: FolderRoot) throws(ItemFailure) -> Int32 {
        do throws(FolderRoot.Failure) {
            // A pipe in the folder must not block the reader: without waiting for a writer, then only regular files.
            return try root.open(root.relative(path), flags: O_RDONLY | O_NONBLOCK)
        } catch {
            switch error {
            case .leadsOutside:
                throw ItemFailure(
                    reason: "the link leads out of the folder; --follow-links would allow it", retryable: false)
            case .system(let code): throw failure(code)
            }
        }
    }

    private static func failure(_ code: Int32) -> ItemFailure {
        let text = String(cString: strerror(code))
        return ItemFailure(
            reason: "cannot read the file: \(text)", retryable: code == EMFILE || code == ENFILE || code == EIO)
    }
}

/// The picture that a thumbnail is made of.
package struct TaskPicture: Sendable {
    package var item: Item
    /// Of sizes that cost about as much: ``ThumbnailSize/costClass``.
    var sizeClass: Int
    /// The identity of its content.
    var content: String
    /// The name under which the store keeps the thumbnail; nil where nothing is kept, nor taken from what was.
    package var storeKey: String?
    /// Of a file.
    var bytes: Int?
    /// Bytes that came of its beginning, where that was asked for first.
    var begun = 0
    /// Whether a person asks for it again, though it failed.
    var retryRequested = false
    /// This node's claim among others: the right to make it, or a place among those that wait. Given back with it.
    var want: SharedWant?

    /// Looks at the file of a picture in a folder.
    init(_ item: Item, size: ThumbnailSize, isCold: Bool = false) throws(ItemFailure) {
        guard let source = StoreKey.source(of: item.locator) else {
            throw ItemFailure(reason: "the file no longer exists", retryable: true)
        }
        self.item = item
        sizeClass = size.costClass
        content = source.identity
        bytes = source.bytes
        if isCold { return }
        storeKey = StoreKey.make(
            identity: source.identity, size: size, format: ThumbnailFormat.jpeg.mediaType, renderer: Renderer.version)
    }

    /// A thumbnail or preview of the picture, with the version of the picture.
    func versioned(_ thumbnail: Thumbnail) -> Thumbnail {
        var thumbnail = thumbnail
        thumbnail.content = item.version(identity: content, validators: thumbnail.version?.validators)
        return thumbnail
    }
}
