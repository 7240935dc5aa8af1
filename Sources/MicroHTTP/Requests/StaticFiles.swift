import Glibc
import Synchronization
import Threads

/// The files of one folder, and nothing outside of it.
///
/// They are kept in memory; a request looks at one again (one `stat`) where the last look is longer ago than its
/// ``Configuration/validity``. Names that begin with a dot, and symbolic links that lead out of the folder, are not served;
/// a path that ends in `/` is its `index.html`. Text is sent compressed to clients that take that.
///
/// A file also has an address that holds the folder's version, `/assets/VERSION/PATH`: a client keeps what it gets there
/// for good, and asks again only when a page names another version.
public final class StaticFiles: Sendable {
    public struct Configuration: Sendable {
        /// Sent with every file, 304 included: Content-Security-Policy and the like.
        public var headers: [(name: String, value: String)] = []
        /// The Cache-Control of every file. By default a browser asks each time, and is answered 304.
        public var cacheControl = "no-cache"
        /// Bytes kept in memory altogether. A larger file is not served.
        public var cacheLimit = 32 * 1024 * 1024
        /// How long a file in memory is taken to be as it was when last looked at. The `stat` of each request that this saves
        /// is a twelfth of what the request costs; nginx's `open_file_cache_valid` is 60 s.
        public var validity = Duration.milliseconds(100)
        /// The clock that ``validity`` is measured by.
        package var now: @Sendable () -> ContinuousClock.Instant = { .now }

        public init() {}
    }

    struct Identity: Equatable {
        let device: UInt64
        let inode: UInt64
        let size: Int
        let seconds: Int
        let nanoseconds: Int

        init?(_ status: stat) {
            guard status.st_mode & S_IFMT == S_IFREG, status.st_size >= 0 else { return nil }
            device = UInt64(status.st_dev)
            inode = UInt64(status.st_ino)
            size = Int(status.st_size)
            seconds = Int(status.st_mtim.tv_sec)
            nanoseconds = Int(status.st_mtim.tv_nsec)
        }

        var tag: String {
            "\""
                + [size, seconds, nanoseconds, Int(truncatingIfNeeded: inode)].map { String($0, radix: 36) }.joined(
                    separator: "-") + "\""
        }
    }

    private struct Kept {
        let identity: Identity
        let document: ConditionalDocument
        /// Until when it needs no look, by the configuration's clock.
        var validUntil: ContinuousClock.Instant
        /// Until when another request is taken to be looking, so that this one need not.
        var lookedAtUntil: ContinuousClock.Instant?
    }
    private struct Cache {
        private(set) var kept: [String: Kept] = [:]
        private var bytes = 0

        /// If the cache has no room, all its files are dropped: the folder of a page is small.
        mutating func keep(_ file: Kept, at path: String, limit: Int) {
            // One file has many paths; so these count too.
            let size = file.identity.size + path.utf8.count
            forget(path)
            if bytes + size > limit { self = Cache() }
            guard size <= limit else { return }
            kept[path] = file
            bytes += size
        }

        mutating func extend(_ path: String, to time: ContinuousClock.Instant) { kept[path]?.validUntil = time }

        /// The file; nil where this request has to look at the disk, which others need not do until `time`.
        mutating func file(_ path: String, at now: ContinuousClock.Instant, lookingUntil time: ContinuousClock.Instant)
            -> Kept?
        {
            guard let file = kept[path] else { return nil }
            if now < max(file.validUntil, file.lookedAtUntil ?? file.validUntil) { return file }
            kept[path]?.lookedAtUntil = time
            return nil
        }

        mutating func forget(_ path: String) {
            if let old = kept.removeValue(forKey: path) { bytes -= old.identity.size + path.utf8.count }
        }
    }

    let root: String
    private let configuration: Configuration
    private let cache = Mutex(Cache())
    let version = Mutex<FolderVersion?>(nil)

    /// - Throws: ``ServerError/system(_:code:)`` when there is no such folder.
    public init(directory: String, configuration: Configuration = Configuration()) throws(ServerError) {
        guard let real = Self.real(directory) else {
            throw ServerError.system("cannot open the folder \(directory)", code: errno)
        }
        var status = stat()
        guard stat(real, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw ServerError.system("\(directory) is no folder", code: ENOTDIR)
        }
        root = real == "/" ? "" : real
        self.configuration = configuration
    }

    /// The file that a GET or HEAD request asks for, or 304 when the client has it; nil when there is none.
    /// - Parameters:
    ///   - request: what asks; its conditions are heeded.
    ///   - path: decoded and normalised, as ``Request/path`` is, from the folder on; the request's own by default.
    public func response(to request: Request, path: String? = nil) -> Response? {
        guard let file = file(at: path ?? request.path) else { return nil }
        return file.document.response(to: request)
    }

    /// The file at a path, whatever a client may have of it; nil when there is none.
    public func file(_ path: String) -> Response? { file(at: path)?.document.found }

    /// The file at a path and its response, from memory. Returns nil where there is none, or the disk has to be looked at
    /// first, by ``response(to:path:)``. Never waits.
    ///
    /// One request at a time looks; the others get the file as it was.
    public func kept(for request: Request, path: String? = nil) -> (file: Response, answer: Response)? {
        let now = configuration.now()
        let found = cache.withLock {
            $0.file(path ?? request.path, at: now, lookingUntil: now + configuration.validity)
        }
        return found.map { ($0.document.found, $0.document.response(to: request)) }
    }

    private func file(at path: String) -> Kept? {
        let now = configuration.now()
        let kept = cache.withLock { $0.kept[path] }
        if let kept, now < kept.validUntil { return kept }
        guard let name = name(of: path) else { return nil }
        var status = stat()
        guard stat(root + name, &status) == 0, let identity = Identity(status) else {
            cache.withLock { $0.forget(path) }
            return nil
        }
        guard let kept, kept.identity == identity else { return read(name, for: path, now) }
        cache.withLock { $0.extend(path, to: now + configuration.validity) }
        return kept
    }

    /// The file that a path names, from the folder on; nil for one that is not served whatever the folder holds.
    private func name(of path: String) -> String? {
        let path = FolderVersion.address(path)?.path ?? path
        guard path.hasPrefix("/"), !path.utf8.contains(0),
            !path.split(separator: "/").contains(where: { $0.hasPrefix(".") })
        else { return nil }
        return path.hasSuffix("/") ? path + "index.html" : path
    }

    private func read(_ name: String, for path: String, _ now: ContinuousClock.Instant) -> Kept? {
        // The real path is opened without following links: what was checked is what is opened.
        guard let real = Self.real(root + name), real.hasPrefix(root + "/") else { return nil }
        let fd = open(real, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard fd >= 0 else { return nil }
        defer { close(fd) }
        var status = stat()
        guard fstat(fd, &status) == 0, let identity = Identity(status), identity.size <= configuration.cacheLimit,
            let bytes = Self.contents(fd, identity.size)
        else { return nil }
        let type = MediaType.of(name)
        let cacheControl = isLasting(path, identity) ? FolderVersion.cacheControl : configuration.cacheControl
        let headers = [(name: "Cache-Control", value: cacheControl)] + configuration.headers
        let document = ConditionalDocument(
            type: type, tag: identity.tag, modified: identity.seconds, headers: headers, body: bytes)
        let kept = Kept(identity: identity, document: document, validUntil: now + configuration.validity)
        cache.withLock { $0.keep(kept, at: path, limit: configuration.cacheLimit) }
        return kept
    }

    private static func real(_ path: String) -> String? {
        guard let text = realpath(path, nil) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    static func contents(_ fd: Int32, _ size: Int) -> [UInt8]? {
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let got = Glibc.read(fd, buffer.baseAddress.map { $0 + count }, size - count)
                if got <= 0 {
                    failed = true
                    return
                }
                count += got
            }
        }
        return failed ? nil : bytes
    }
}

/// The media type that a file's name tells.
enum MediaType {
    static func of(_ name: some StringProtocol) -> String {
        guard let dot = name.lastIndex(of: ".") else { return "application/octet-stream" }
        return known[ASCII.lowercased(String(name[name.index(after: dot)...]))] ?? "application/octet-stream"
    }

    private static let known = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8", "json": "application/json", "map": "application/json",
        "webmanifest": "application/manifest+json", "txt": "text/plain; charset=utf-8",
        "md": "text/markdown; charset=utf-8",
        "xml": "application/xml", "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg",
        "gif": "image/gif", "webp": "image/webp", "avif": "image/avif", "ico": "image/vnd.microsoft.icon",
        "woff2": "font/woff2", "wasm": "application/wasm", "pdf": "application/pdf",
    ]
}
