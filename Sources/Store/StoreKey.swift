import CLinux
import Glibc
import Media

public enum StoreKey {
    /// Returns the key of a picture's thumbnail. It is the same for the same pixels, and different for all others.
    ///
    /// - Parameters:
    ///   - identity: identity of the picture's content, see ``Source/identity``.
    ///   - size: the box that the thumbnail covers.
    ///   - format: `jpeg`, `webp`.
    ///   - renderer: version of the renderer. A new version renders all thumbnails again.
    public static func make(identity: String, size: ThumbnailSize, format: String, renderer: Int) -> String {
        // The identity is last, because only the identity may contain any character.
        "\(renderer)|\(format)|\(size.width)x\(size.height)|\(identity)"
    }

    /// Returns the identity in a key. Empty if the key is not from ``make(identity:size:format:renderer:)``.
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
        /// Identity of the content: an address, or a file's path with its size, modification time and the time of the inode's last change.
        public var identity: String
        /// Size of a file in bytes. `nil` for an address.
        public var bytes: Int?
    }

    /// Returns the source of a locator, or `nil` if there is no such file. Checks a file with a system call of a few microseconds.
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

    /// Returns the identity of a picture's content. Checks the file.
    public static func identity(of locator: Locator) -> String? { source(of: locator)?.identity }

    /// Returns the file system's attributes of a file. If a link may not be followed, returns the attributes of the link. Thumbnails from a
    /// time when the link could be followed then no longer match.
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

/// A picture's placeholder, shown before its thumbnail is available.
public struct Placeholder: Sendable, Equatable {
    /// 5 to 25 bytes. See ``ThumbHash``.
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
