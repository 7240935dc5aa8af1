import Foundation
import Glibc
import MicroHTTP
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StaticFilesTests {
    /// A temporary folder, removed with the test.
    final class Folder: Sendable {
        let path: String
        init() {
            var template = Array("/tmp/microhttp-XXXXXX".utf8CString)
            mkdtemp(&template)
            path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        deinit { _ = system("rm -rf '\(path)'") }

        func write(_ name: String, _ text: String) {
            let file = fopen("\(path)/\(name)", "w")
            fputs(text, file)
            fclose(file)
        }
    }

    private func router(_ files: StaticFiles) -> Router {
        var router = Router()
        router.on(.get, "/{file...}") { request in .now(files.response(to: request) ?? Response(status: 404)) }
        return router
    }

    private func folder() -> Folder {
        let folder = Folder()
        mkdir(folder.path + "/public", 0o755)
        mkdir(folder.path + "/public/js", 0o755)
        folder.write("public/index.html", "<p>hello")
        folder.write("public/js/main.js", "let a = 1")
        folder.write("public/ä b.txt", "umlaut")
        folder.write("public/.secret", "secret")
        folder.write("secret.txt", "secret")
        return folder
    }

    @Test("a file is served with type, length, tag, date and configured headers")
    func serves() async throws {
        let folder = folder()
        var configuration = StaticFiles.Configuration()
        configuration.headers = [("Content-Security-Policy", "default-src 'self'")]
        let files = try StaticFiles(directory: folder.path + "/public", configuration: configuration)
        try await serving(router(files)) { _, port in
            let client = try TestClient(port)
            let index = try client.get("/")
            #expect(index.status == 200 && index.text == "<p>hello")
            #expect(index.header("content-type") == "text/html; charset=utf-8")
            #expect(index.header("x-content-type-options") == "nosniff")
            #expect(index.header("content-security-policy") == "default-src 'self'")
            #expect(index.header("last-modified")?.hasSuffix(" GMT") == true)
            #expect(index.header("etag")?.hasPrefix("\"") == true)
            #expect(try client.get("/js/main.js").header("content-type") == "text/javascript; charset=utf-8")
            #expect(try client.get("/%C3%A4%20b.txt").text == "umlaut")
            let head = try client.get("/", method: "HEAD")
            #expect(head.header("content-length") == "8" && head.header("etag") == index.header("etag"))
        }
    }

    @Test("a client with the current file gets 304, by tag or by date")
    func unchanged() async throws {
        let folder = folder()
        let files = try StaticFiles(directory: folder.path + "/public")
        try await serving(router(files)) { _, port in
            let client = try TestClient(port)
            let first = try client.get("/")
            let tag = try #require(first.header("etag"))
            let date = try #require(first.header("last-modified"))
            for fields in [
                "If-None-Match: \(tag)", "If-None-Match: W/\(tag)", "If-None-Match: \"x\", \(tag)", "If-None-Match: *",
                "If-Modified-Since: \(date)",
                "If-None-Match: \(tag)\r\nIf-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT",
            ] {
                let answer = try client.get("/", headers: fields + "\r\n")
                #expect(answer.status == 304, "\(fields)")
                #expect(answer.header("etag") == tag && answer.body.isEmpty)
            }
            for fields in [
                "If-None-Match: \"x\"", "If-None-Match: \"x\"\r\nIf-Modified-Since: \(date)", "If-None-Match: nonsense",
                "If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT", "If-Modified-Since: nonsense",
            ] {
                let answer = try client.get("/", headers: fields + "\r\n")
                #expect(answer.status == 200 && answer.text == "<p>hello", "\(fields)")
            }
        }
    }

    /// A clock that advances only when a test moves it.
    private final class ManualClock: Sendable {
        private let time = Atomic<Int64>(1)
        var now: ContinuousClock.Instant { .after(.nanoseconds(time.load(ordering: .relaxed))) }
        func pass(_ nanoseconds: Int64) { time.add(nanoseconds, ordering: .relaxed) }
    }

    @Test("a file is checked again only after its validity ends")
    func validity() async throws {
        let folder = folder()
        let clock = ManualClock()
        var configuration = StaticFiles.Configuration()
        configuration.validity = .seconds(1)
        configuration.now = { clock.now }
        let files = try StaticFiles(directory: folder.path + "/public", configuration: configuration)
        try await serving(router(files)) { _, port in
            let client = try TestClient(port)
            let first = try client.get("/")
            #expect(first.text == "<p>hello")
            folder.write("public/next.html", "<p>other")
            rename(folder.path + "/public/next.html", folder.path + "/public/index.html")
            clock.pass(999_999_999)
            #expect(try client.get("/").text == "<p>hello")
            clock.pass(1)
            let second = try client.get("/", headers: "If-None-Match: \(first.header("etag") ?? "")\r\n")
            #expect(second.text == "<p>other" && second.header("etag") != first.header("etag"))
            unlink(folder.path + "/public/index.html")
            clock.pass(999_999_999)
            #expect(try client.get("/").text == "<p>other")
            clock.pass(1)
            #expect(try client.get("/").status == 404)
        }
    }

    @Test("one request re-checks a file while others get the cached copy")
    func oneRequestChecks() throws {
        let folder = folder()
        let clock = ManualClock()
        var configuration = StaticFiles.Configuration()
        configuration.validity = .seconds(1)
        configuration.now = { clock.now }
        let files = try StaticFiles(directory: folder.path + "/public", configuration: configuration)
        let request = try Request(.get, "/")
        // Nothing is cached before the first request.
        #expect(files.kept(for: request) == nil)
        #expect(files.response(to: request) != nil && files.kept(for: request) != nil)
        unlink(folder.path + "/public/index.html")
        clock.pass(1_000_000_000)
        // This request is the one that re-checks the file.
        #expect(files.kept(for: request) == nil)
        #expect(files.kept(for: request) != nil)
        #expect(files.response(to: request) == nil)
        #expect(files.kept(for: request) == nil)
    }

    @Test("text is compressed with a weak tag for clients that accept gzip")
    func compressed() async throws {
        let folder = folder()
        let script = String(repeating: "const picture = pictures[0];\n", count: 500)
        folder.write("public/js/main.js", script)
        folder.write("public/picture.png", script)
        let files = try StaticFiles(directory: folder.path + "/public")
        try await serving(router(files)) { _, port in
            let client = try TestClient(port)
            let plain = try client.get("/js/main.js")
            let tag = try #require(plain.header("etag"))
            #expect(plain.text == script && plain.header("vary") == "Accept-Encoding")
            for accepted in ["gzip", "deflate, gzip;q=0.5, br", "GZIP", "br;q=1, gzip ; q=1.000"] {
                let answer = try client.get("/js/main.js", headers: "Accept-Encoding: \(accepted)\r\n")
                #expect(answer.header("content-encoding") == "gzip" && answer.body.count < script.utf8.count / 10)
                #expect(answer.header("content-type") == plain.header("content-type"))
                #expect(answer.header("etag") == "W/\(tag)" && answer.header("vary") == "Accept-Encoding")
                #expect(try gunzipped(answer.body) == Array(script.utf8))
            }
            for refused in ["identity", "gzip;q=0", "gzip; q=0.000", "br, deflate", "x-gzipped", ""] {
                let answer = try client.get("/js/main.js", headers: "Accept-Encoding: \(refused)\r\n")
                #expect(answer.header("content-encoding") == nil && answer.text == script, "\(refused)")
            }
            let known = "If-None-Match: W/\(tag)\r\nAccept-Encoding: gzip\r\n"
            let unchanged = try client.get("/js/main.js", headers: known)
            #expect(unchanged.status == 304 && unchanged.header("etag") == "W/\(tag)")
            // Short files and files other than text gain nothing from compression.
            for path in ["/", "/picture.png"] {
                let answer = try client.get(path, headers: "Accept-Encoding: gzip\r\n")
                #expect(answer.header("content-encoding") == nil && answer.header("vary") == nil, "\(path)")
            }
        }
    }

    /// Decompresses bytes with the gzip program.
    private func gunzipped(_ bytes: [UInt8]) throws -> [UInt8] {
        let folder = Folder()
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path + "/file.gz"))
        #expect(system("gzip -d '\(folder.path)/file.gz'") == 0)
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path + "/file")))
    }

    @Test("a file is immutable at its folder's version and revalidated at any other")
    func version() async throws {
        let folder = folder()
        var configuration = StaticFiles.Configuration()
        configuration.validity = .zero
        let files = try StaticFiles(directory: folder.path + "/public", configuration: configuration)
        #expect(files.knownVersion == nil)
        files.checkVersion()
        let version = try #require(files.knownVersion)
        try await serving(router(files)) { _, port in
            let client = try TestClient(port)
            let lasting = try client.get("/assets/\(version)/js/main.js")
            #expect(lasting.text == "let a = 1" && lasting.header("content-type") == "text/javascript; charset=utf-8")
            #expect(lasting.header("cache-control") == "max-age=31536000, immutable")
            for path in ["/js/main.js", "/assets/0123-4/js/main.js"] {
                let answer = try client.get(path)
                #expect(answer.text == "let a = 1" && answer.header("cache-control") == "no-cache", "\(path)")
            }
            for path in ["secret.txt", "js", ".secret", "js/none.js", "", "%2e%2e/secret.txt"] {
                #expect(try client.get("/assets/\(version)/\(path)").status == 404, "\(path)")
            }
            // A file that changed since then no longer belongs to the version.
            folder.write("public/next.js", "let a = 2")
            rename(folder.path + "/public/next.js", folder.path + "/public/js/main.js")
            let changed = try client.get("/assets/\(version)/js/main.js")
            #expect(changed.text == "let a = 2" && changed.header("cache-control") == "no-cache")
        }
    }

    @Test("the folder's version follows the names and contents of its files")
    func versions() throws {
        let folder = folder()
        let (here, copy) = (folder.path + "/public", folder.path + "/copy")
        #expect(system("cp -r \(here) \(copy)") == 0)
        let files = try StaticFiles(directory: here)
        func look() -> String? {
            files.checkVersion()
            return files.knownVersion
        }
        let first = look()
        let other = try StaticFiles(directory: copy)
        other.checkVersion()
        #expect(first != nil && other.knownVersion == first && look() == first)
        folder.write("public/.secret", "another")
        #expect(look() == first)
        folder.write("public/js/main.js", "let a = 3")
        #expect(look() != first)
        folder.write("public/js/main.js", "let a = 1")
        #expect(look() == first)
        rename(here + "/js/main.js", here + "/js/first.js")
        #expect(look() != first)
        for number in 0..<2000 { folder.write("public/js/\(number)", "") }
        #expect(look() == nil)
    }

    @Test("no path, encoding or link reaches a file outside the folder")
    func stays() async throws {
        let folder = folder()
        symlink("../secret.txt", folder.path + "/public/out.txt")
        symlink(folder.path, folder.path + "/public/up")
        symlink("js/main.js", folder.path + "/public/in.js")
        mkdir(folder.path + "/public-not", 0o755)
        folder.write("public-not/x.txt", "secret")
        symlink("../public-not/x.txt", folder.path + "/public/sibling.txt")
        let files = try StaticFiles(directory: folder.path + "/public")
        try await serving(router(files)) { _, port in
            let client = try TestClient(port)
            for path in [
                "/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/%2e%2e%2fsecret.txt",
                "/js/../../secret.txt",
                "/..%5csecret.txt", "/out.txt", "/up/secret.txt", "/sibling.txt", "/.secret", "/js/%2e%2e/.secret",
                "/js", "/js/",
                "//etc/passwd", "/%2fetc/passwd", "/....//secret.txt", "/.%2e/secret.txt",
            ] {
                let answer = try client.get(path)
                #expect(answer.status == 404 && !answer.text.contains("secret"), "\(path)")
            }
            #expect(try client.get("/in.js").text == "let a = 1")
            #expect(try client.get("/js/../index.html").text == "<p>hello")
        }
    }

    @Test("a file larger than the cache is not served")
    func large() async throws {
        let folder = folder()
        folder.write("public/large.txt", String(repeating: "0123456789", count: 100))
        folder.write("public/larger.txt", String(repeating: "0123456789", count: 100) + "0")
        var configuration = StaticFiles.Configuration()
        configuration.cacheLimit = 1000
        let files = try StaticFiles(directory: folder.path + "/public", configuration: configuration)
        try await serving(router(files)) { _, port in
            let client = try TestClient(port)
            #expect(try client.get("/large.txt").body.count == 1000)
            #expect(try client.get("/larger.txt").status == 404)
        }
    }

    @Test("a missing folder is an error that names it")
    func missing() {
        #expect {
            _ = try StaticFiles(directory: "/nowhere/at/all")
        } throws: { error in
            "\(error)".contains("/nowhere/at/all")
        }
    }
}
