import Catalog
import Cluster
import Glibc
import Media
import Store

/// Reads a picture from a folder. The file's content is as untrusted as data from the network.
enum PictureFile {
    /// Reads as much of a file as a thumbnail of `size` needs: of a RAW file only a preview, of a video its header and the beginning
    /// of the film.
    ///
    /// - Parameter path: An absolute path, in `root`.
    /// - Throws: ``ItemFailure`` if the path is no regular file, or the file is gone, unreadable, outside the folder or over a limit.
    static func read(
        _ path: String, in root: FolderRoot, for size: ThumbnailSize, workers: WorkerPool
    ) throws(ItemFailure) -> [UInt8] {
        let limits = workers.configuration.limits
        let descriptor = try open(path, in: root)
        defer { close(descriptor) }
        let length = try Self.size(of: descriptor)
        let beginning = try read(descriptor, from: 0, count: min(length, beginningLength))
        if !PictureKind.video.isBuiltIn, (try? PictureKind(magic: beginning)) == .video { throw .videoWithoutPicture }
        let isRAW = RAWPicture.mayBe(beginning) && length <= limits.maxRAWBytes
        if isRAW || PictureKind.video.isBuiltIn && VideoFile.mayBe(beginning) {
            let file = WorkerFile(FilePieces(descriptor: descriptor, count: length))
            if let excerpt = try? workers.excerpt(of: file, for: size), 1...limits.maxBytes ~= excerpt.count {
                return excerpt
            }
        }
        try check(length, maxBytes: limits.maxBytes)
        return try read(descriptor, from: 0, count: length)
    }

    /// Number of first bytes that suggest the kind of file.
    private static let beginningLength = 64

    /// Whether the first bytes suggest a RAW file or a video. To show such a file, only a small part of it is read.
    private static func mayBeLarge(_ descriptor: Int32, _ length: Int) -> Bool {
        let beginning = FilePieces(descriptor: descriptor, count: length).bytes(at: 0, beginningLength)
        return RAWPicture.mayBe(beginning) || VideoFile.mayBe(beginning)
    }

    /// Opens a file to be sent.
    ///
    /// - Throws: as ``read(_:in:for:workers:)``, and ``ItemFailure/noVideo`` if `options` request a video and there is none.
    static func open(
        _ path: String, in root: FolderRoot, workers: WorkerPool, _ options: OriginalOptions
    ) throws(ItemFailure) -> OpenFile {
        let limits = workers.configuration.limits
        let descriptor = try open(path, in: root)
        do throws(ItemFailure) {
            let status = try Self.status(of: descriptor)
            let size = Int(status.st_size)
            let isLarge = options.isCompanion || mayBeLarge(descriptor, size)
            try check(size, maxBytes: isLarge ? limits.maxRAWBytes : limits.maxBytes)
            var part = 0..<size
            if options.isVideo {
                let file = WorkerFile(FilePieces(descriptor: descriptor, count: size))
                guard let place = try? workers.video(in: file), !place.isEmpty else { throw .noVideo }
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

    /// A file opened for reads at arbitrary offsets. Read-ahead is off: otherwise the kernel would read megabytes beyond each request.
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

    /// Returns `count` bytes from `offset`, fewer if the file ends before. Does not move the file offset.
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
            // O_NONBLOCK: a pipe in the folder must not block the reader. `status(of:)` then accepts only regular files.
            return try root.open(root.relative(path), flags: O_RDONLY | O_NONBLOCK)
        } catch {
            switch error {
            case .leadsOutside:
                throw ItemFailure(
                    reason: "the link leads out of the folder; use --follow-links to allow it", retryable: false)
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

package struct TaskPicture: Sendable {
    package var item: Item
    /// ``ThumbnailSize/costClass`` of the thumbnail's size.
    var sizeClass: Int
    /// Identity of the picture's content.
    var content: String
    /// The name of the thumbnail in the store, or `nil` if the store is not used, neither to read nor to write.
    package var storeKey: String?
    /// Size of the file, in bytes, or `nil` if unknown.
    var bytes: Int?
    /// Bytes received of the picture's beginning, if the beginning was requested first.
    var begun = 0
    /// Whether a person requested a retry after a failure.
    var retryRequested = false
    /// This node's claim among all nodes: the right to make the thumbnail, or a place in the queue for it. Released with this value.
    var want: SharedWant?

    /// Reads the file status of a picture in a folder.
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
