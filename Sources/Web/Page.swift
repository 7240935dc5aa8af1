import Gallery
import Media
import MicroHTTP
import Threads

/// Serves the page and its files, with headers that isolate the page from other sites.
enum Page {
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

extension Page {
    /// Adds routes for the files of `directory`, with `index.html` at the root, and for the API description.
    ///
    /// - Throws: ``SettingError`` if the folder does not exist.
    static func addRoutes(
        to router: inout Router, directory: String, front: FrontPage, embedOrigins: EmbedOrigins,
        queries: BlockingThreads
    ) throws(SettingError) {
        var configuration = StaticFiles.Configuration()
        configuration.headers = headers(embedOrigins)
        let files: StaticFiles
        do throws(ServerError) {
            files = try StaticFiles(directory: directory, configuration: configuration)
        } catch {
            throw SettingError("--public-directory: \(error)")
        }
        /// Responds immediately if the file is cached, and otherwise after checking the disk.
        @Sendable func respond(_ request: Request, _ path: String, orElse missing: String? = nil) -> Reply {
            if let kept = files.kept(for: request, path: path) {
                return .now(front.response(to: request, kept.file, version: files.knownVersion) ?? kept.response)
            }
            return .later {
                do throws(BlockingThreads.Refusal) {
                    return try await queries.run {
                        guard let file = files.file(path) else { return nil }
                        if FrontPage.isAsked(by: request) {
                            files.checkVersion()
                            front.readModules(version: files.knownVersion) { module in
                                files.file("/\(module)").map { String(decoding: $0.body, as: UTF8.self) }
                            }
                        }
                        return front.response(to: request, file, version: files.knownVersion)
                            ?? files.response(to: request, path: path)
                    } ?? API.response(Problem(404, missing ?? "There is nothing at \(path.prefix(bytes: 200))."))
                } catch {
                    return API.response(Problem(error))
                }
            }
        }
        router.on(.get, "\(APIPath.base)/openapi.json") { request in
            respond(request, "/openapi.json", orElse: "The folder of the page has no openapi.json.")
        }
        router.on(.get, "/{file...}") { respond($0, $0.path) }
    }
}
