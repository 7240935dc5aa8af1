import Foundation
import Terminal
import TestSupport
import Testing

/// A binary finds the page's files wherever it is installed.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct InstallationTests {
    /// Folders that the flag and the variable name, the folder whose page is found, and another folder with a page. An
    /// explicit folder wins over a nearby one, and a nearer folder over one further away.
    static let places: [(flag: String?, variable: String?, found: String, other: String)] = [
        ("flag", "environment", "flag", "environment"), (nil, "environment", "environment", "usr/bin/Public"),
        (nil, nil, "usr/bin/Public", "Public"), (nil, nil, "usr/share/lookahead/Public", "Public"),
        (nil, nil, "Public", "unused"),
    ]

    @Test("the page is found by flag, by variable, beside the binary, in the share folder and above", arguments: places)
    func page(flag: String?, variable: String?, found: String, other: String) async throws {
        let folder = try TemporaryFolder()
        let binary = "\(folder.path)/usr/bin/lookahead"
        try folder.write("usr/bin/other")
        try FileManager.default.copyItem(atPath: LookaheadProcess.executable, toPath: binary)
        try folder.write("\(found)/index.html", Array("<title>the page</title>".utf8))
        try folder.write("\(other)/index.html", Array("<title>another page</title>".utf8))
        let arguments = flag.map { ["--public-directory", "\(folder.path)/\($0)"] } ?? []
        // `--port` wins over this number out of bounds.
        var environment = ["LOOKAHEAD_PORT": "-1"]
        environment["LOOKAHEAD_PUBLIC_DIRECTORY"] = variable.map { "\(folder.path)/\($0)" }
        let child = try Child(binary, ["demo", "--items", "1", "--port", "0"] + arguments, environment: environment)
        let port = try await child.port(after: "Listening on")
        #expect(try get(port, "/").text.contains("<title>the page<"))
        #expect(child.stop() == 0)
    }

    static let caches: [(environment: [String: String], cache: String?)] = [
        (["XDG_CACHE_HOME": "/cache", "HOME": "/home/a"], "/cache/lookahead"),
        (["XDG_CACHE_HOME": "cache", "HOME": "/home/a"], "/home/a/.cache/lookahead"),
        (["HOME": ""], nil), (["HOME": "."], nil), (["HOME": "a", "XDG_CACHE_HOME": ""], nil), ([:], nil),
    ]

    @Test("the cache directory is below an absolute path, or in the temporary folder", arguments: caches)
    func cache(environment: [String: String], cache: String?) {
        let expected = cache ?? NSTemporaryDirectory() + "/.cache/lookahead"
        #expect(Installation.cacheDirectory(environment) == expected)
    }

    @Test("the error names --public-directory if no page is found")
    func nowhere() async throws {
        let folder = try TemporaryFolder()
        let run = try await Command(
            "cd '\(folder.path)' && mkdir -p a/b/c/d/e && cp '\(LookaheadProcess.executable)' a/b/c/d/e && "
                + "exec a/b/c/d/e/lookahead demo --port 0")
        #expect(run.status == 1 && run.errors.contains("--public-directory"), "\(run)")
    }
}
