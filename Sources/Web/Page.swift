import Gallery
import Media
import MicroHTTP
import Threads

/// Serves the page and its files, with headers that isolate the page from other sites.
struct Page: Sendable {
    private let files: StaticFiles
    private let front: FrontPage
    private let queries: BlockingThreads

    /// - Parameters:
    ///   - directory: folder of the files, with `index.html` at its root.
    ///   - queries: threads that read the files.
    /// - Throws: ``SettingError`` if the folder does not exist.
    init(
        directory: String, front: FrontPage, embedOrigins: EmbedOrigins, queries: BlockingThreads
    ) throws(SettingError) {
        var configuration = StaticFiles.Configuration()
        configuration.headers = Self.headers(embedOrigins)
        do throws(ServerError) {
            files = try StaticFiles(directory: directory, configuration: configuration)
        } catch {
            throw SettingError("--public-directory: \(error)")
        }
        (self.front, self.queries) = (front, queries)
    }

    /// Responds immediately if the file is cached, and otherwise after checking the disk.
    func file(_ request: Request) -> Reply {
        if let kept = files.kept(for: request) {
            return .now(front.response(to: request, kept.file, version: files.knownVersion) ?? kept.response)
        }
        return .later { await checked(request) }
    }

    private func checked(_ request: Request) async -> Response {
        do throws(BlockingThreads.Refusal) {
            return try await queries.run { read(request) }
                ?? API.response(Problem(404, "There is nothing at \(request.path.prefix(bytes: 200))."))
        } catch {
            return API.response(Problem(error))
        }
    }

    private func read(_ request: Request) -> Response? {
        guard let file = files.file(request.path) else { return nil }
        if FrontPage.isAsked(by: request) {
            files.checkVersion()
            front.readModules(version: files.knownVersion) { module in
                files.file("/\(module)").map { String(decoding: $0.body, as: UTF8.self) }
            }
        }
        return front.response(to: request, file, version: files.knownVersion) ?? files.response(to: request)
    }
}

extension Page {
    /// Content security policy: the page loads and runs only this server's files. Pictures may also be `data:` and `blob:` URLs.
    private static let sources = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:", "media-src 'self'",
        "connect-src 'self'", "font-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'",
    ]

    static func headers(_ embedOrigins: EmbedOrigins) -> [(name: String, value: String)] {
        embedOrigins.headers(policy: sources.joined(separator: "; ")) + [
            ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ]
    }

    /// Public path of the element's module, which must not change.
    static let elementPath = "/embed.js"

    /// Whether a request is for a file of the element: code, styles or markup. These files contain no secrets.
    static func isOfElement(_ request: Request) -> Bool {
        guard [.get, .head].contains(request.method), request.query("token") == nil else { return false }
        let path = StaticFiles.plainPath(request.path)
        // At its own path, without a version, the page contains gallery titles.
        if path == "/index.html" { return path != request.path }
        return path == elementPath || path.hasPrefix("/js/") || path.hasPrefix("/css/")
    }
}
