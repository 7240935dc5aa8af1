import Glibc
import Synchronization
import Threads

/// Serves the files of one folder.
///
/// Files are cached in memory. A request checks its file with one `stat` if the last check is older than ``Configuration/validity``. Names
/// that begin with a dot are not served, nor are symbolic links that lead out of the folder. A path that ends in `/` serves its
/// `index.html`. Clients that accept compression get compressed text.
///
/// A file also has a path that contains the folder's version, `/assets/VERSION/PATH`. Clients cache such a file permanently, and request a
/// file again only if a page refers to another version.
public final class StaticFiles: Sendable {
    public struct Configuration: Sendable {
        /// Headers sent with every file, including 304. For example Content-Security-Policy.
        public var headers: [(name: String, value: String)] = []
        /// Cache-Control of every file. By default a browser asks the server each time, and gets 304 if the file is unchanged.
        public var cacheControl = "no-cache"
        /// Maximum total size of the cached files in bytes. A larger file is not served.
        public var cacheLimit = 32 * 1024 * 1024
        /// How long a cached file counts as unchanged after a check. Skipping the `stat` saves a twelfth of the cost of a request. nginx's
        /// `open_file_cache_valid` is 60 s.
        public var validity = Duration.milliseconds(100)
        /// Clock for measuring ``validity``.
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
        /// Time of the next check, by the configuration's clock.
        var validUntil: ContinuousClock.Instant
        /// Time until which another request is assumed to be checking the file.
        var lookedAtUntil: ContinuousClock.Instant?
    }
    private struct Cache {
        private(set) var kept: [String: Kept] = [:]
        private var bytes = 0

        /// Adds a file. If the cache has no room, all its files are dropped, because a page's folder is small.
        mutating func keep(_ file: Kept, at path: String, limit: Int) {
            // Count the paths too, because one file can have many of them.
            let size = file.identity.size + path.utf8.count
            forget(path)
            if bytes + size > limit { self = Cache() }
            guard size <= limit else { return }
            kept[path] = file
            bytes += size
        }

        mutating func extend(_ path: String, to time: ContinuousClock.Instant) { kept[path]?.validUntil = time }

        /// Returns the file, or `nil` if this request has to check the disk. Other requests then get the cached file until `time`.
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

    /// - Throws: ``ServerError/system(_:code:)`` if the folder does not exist.
    public init(directory: String, configuration: Configuration = Configuration()) throws(ServerError) {
        guard let real = Self.real(directory) else {
            throw ServerError.system("cannot open the folder \(directory)", code: errno)
        }
        var status = stat()
        guard stat(real, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw ServerError.system("\(directory) is not a folder", code: ENOTDIR)
        }
        root = real == "/" ? "" : real
        self.configuration = configuration
    }

    /// Returns the file for a GET or HEAD request, 304 if the client has it, or `nil` if there is none.
    /// - Parameters:
    ///   - request: request whose conditions apply.
    ///   - path: path in the folder, decoded and normalised like ``Request/path``. By default the path of the request.
    public func response(to request: Request, path: String? = nil) -> Response? {
        guard let file = file(at: path ?? request.path) else { return nil }
        return file.document.response(to: request)
    }

    /// Returns the file at a path regardless of any conditions, or `nil` if there is none.
    public func file(_ path: String) -> Response? { file(at: path)?.document.found }

    /// Returns the cached file at a path and the response to the request. Returns `nil` if the file is not in the cache, or if the disk has
    /// to be checked first by ``response(to:path:)``. Never waits.
    ///
    /// Only one request at a time checks the disk. The others get the cached file.
    public func kept(for request: Request, path: String? = nil) -> (file: Response, response: Response)? {
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

    /// Returns the file's name in the folder for a path, or `nil` if the path must never be served.
    private func name(of path: String) -> String? {
        let path = FolderVersion.address(path)?.path ?? path
        guard path.hasPrefix("/"), !path.utf8.contains(0),
            !path.split(separator: "/").contains(where: { $0.hasPrefix(".") })
        else { return nil }
        return path.hasSuffix("/") ? path + "index.html" : path
    }

    private func read(_ name: String, for path: String, _ now: ContinuousClock.Instant) -> Kept? {
        // Open the real path without following links, so that the opened file is the checked file.
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

/// Media types by file name extension.
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
