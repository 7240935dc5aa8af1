import MicroHTTP

/// The page and what it is made of, with the headers that keep it to itself.
enum Page {
    /// Nothing but what this server sends is loaded or run; pictures may also stand in the page as data.
    static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:",
        "connect-src 'self'",
        "font-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    static let headers: [(name: String, value: String)] = [
        ("Content-Security-Policy", contentSecurityPolicy),
        ("Referrer-Policy", "no-referrer"),
        ("X-Frame-Options", "DENY"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
}

extension Page {
    /// Serves the files of `directory`, `index.html` at the root; and, as part of the API, its description.
    ///
    /// - Throws: ``SettingError`` where there is no such folder.
    static func addRoutes(
        to router: inout Router, directory: String, front: FrontPage, queries: BlockingThreads
    ) throws(SettingError) {
        var configuration = StaticFiles.Configuration()
        configuration.headers = headers
        let files: StaticFiles
        do throws(ServerError) {
            files = try StaticFiles(directory: directory, configuration: configuration)
        } catch {
            throw SettingError("--public-directory: \(error)")
        }
        /// At once where the file is in memory, and otherwise when the disk was looked at.
        @Sendable func answer(_ request: Request, _ path: String, _ nothing: Problem) -> Reply {
            if let kept = files.kept(for: request, path: path) {
                return .now(front.response(to: request, kept.file) ?? kept.answer)
            }
            return .later {
                do throws(BlockingThreads.Refusal) {
                    return try await queries.run {
                        files.file(path).flatMap { front.response(to: request, $0) }
                            ?? files.response(to: request, path: path)
                    } ?? API.response(nothing)
                } catch {
                    return API.response(Problem(error))
                }
            }
        }
        router.on(.get, "\(APIPath.base)/openapi.json") { request in
            answer(request, "/openapi.json", Problem(404, "The folder of the page has no openapi.json."))
        }
        router.on(.get, "/{file...}") { request in
            answer(request, request.path, Problem(404, "There is nothing at \(request.path.prefix(200))."))
        }
    }
}
