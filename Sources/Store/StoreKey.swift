import CLinux
import Glibc
import Pictures

/// The names under which thumbnails are kept.
public enum StoreKey {
    /// A key for the thumbnail of a picture: the same for the same pixels, another for any other.
    ///
    /// - Parameters:
    ///   - identity: identity of the picture's content, see ``Source/identity``.
    ///   - size: the box the thumbnail covers.
    ///   - format: `jpeg`, `webp`.
    ///   - renderer: the renderer's version; a new one makes all thumbnails anew.
    public static func make(identity: String, size: ThumbnailSize, format: String, renderer: Int) -> String {
        // The identity last: it alone may hold any character.
        "\(renderer)|\(format)|\(size.width)x\(size.height)|\(identity)"
    }

    /// The identity inside a key; empty for one that was not made by ``make(identity:size:format:renderer:)``.
    static func identity(in key: String) -> Substring {
        var rest = key[...]
        for _ in 0..<3 {
            guard let bar = rest.firstIndex(of: "|") else { return "" }
            rest = rest[rest.index(after: bar)...]
        }
        return rest
    }

    /// Identifies a picture without reading it.
    public struct Source: Sendable {
        /// Identity of the content: an address, or a file's path with its size, time of modification and time of the inode's
        /// last change.
        public var identity: String
        /// Of a file.
        public var bytes: Int?
    }

    /// Looks at the file (a system call of a few microseconds); `nil` when there is none.
    public static func source(of locator: Locator) -> Source? {
        switch locator {
        case .url(let url): return Source(identity: url)
        case .file(let path, let root):
            guard let status = status(of: path, in: root) else { return nil }
            func text(_ time: timespec) -> String { "\(time.tv_sec).\(time.tv_nsec)" }
            // An edit can restore size and time of modification, but not the time of the inode's last change.
            let times = "\(text(status.st_mtim))|\(text(status.st_ctim))"
            return Source(identity: "\(status.st_size)|\(times)|\(path)", bytes: Int(status.st_size))
        }
    }

    /// The identity of a picture's content. Looks at the file.
    public static func identity(of locator: Locator) -> String? { source(of: locator)?.identity }

    /// The file system's attributes of a file; of a link that may not be followed, those of the link: a thumbnail that was
    /// made when it might is not its.
    private static func status(of path: String, in root: FolderRoot) -> stat? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        guard status.st_mode & S_IFMT == S_IFLNK,
            let file = try? root.open(root.relative(path), flags: Int32(OpenPathOnly))
        else { return status }
        defer { close(file) }
        return fstat(file, &status) == 0 ? status : nil
    }
}

/// A picture's placeholder, shown before its thumbnail is there.
public struct Placeholder: Sendable, Equatable {
    /// 5 to 25 bytes; see ``ThumbHash``.
    public var thumbHash: [UInt8]
    /// See ``Thumbnail/isDamaged``.
    public var isDamaged: Bool
    /// See ``Thumbnail/content``.
    public var content: ContentVersion?

    public init(thumbHash: [UInt8], isDamaged: Bool = false, content: ContentVersion? = nil) {
        self.thumbHash = thumbHash
        self.isDamaged = isDamaged
        self.content = content
    }
}
