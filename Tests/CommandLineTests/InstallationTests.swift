import Foundation
import Terminal
import TestSupport
import Testing

/// A binary finds the page's files wherever it is installed.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct InstallationTests {
    enum Place: CaseIterable { case flag, environment, beside, share, above }

    @Test(
        "the page is found by flag, by variable, beside the binary, in the share directory and above",
        arguments: Place.allCases)
    func page(place: Place) async throws {
        let folder = try TemporaryFolder()
        let binary = "\(folder.path)/usr/bin/lookahead"
        try folder.write("usr/bin/other")
        try FileManager.default.copyItem(atPath: LookaheadProcess.executable, toPath: binary)
        func page(_ found: String) -> [UInt8] { Array("<title>found by \(found)</title>".utf8) }
        // An explicit path wins over files found nearby, and a nearer file over one further away.
        var arguments: [String] = []
        // `--port` wins over this number out of bounds.
        var environment = ["LOOKAHEAD_PORT": "-1"]
        switch place {
        case .flag:
            arguments = ["--public-directory", "\(folder.path)/flag"]
            environment["LOOKAHEAD_PUBLIC_DIRECTORY"] = "\(folder.path)/environment"
            try folder.write("flag/index.html", page("\(place)"))
            try folder.write("environment/index.html", page("another"))
        case .environment:
            environment["LOOKAHEAD_PUBLIC_DIRECTORY"] = "\(folder.path)/environment"
            try folder.write("environment/index.html", page("\(place)"))
            try folder.write("usr/bin/Public/index.html", page("another"))
        case .beside:
            try folder.write("usr/bin/Public/index.html", page("\(place)"))
            try folder.write("Public/index.html", page("another"))
        case .share:
            try folder.write("usr/share/lookahead/Public/index.html", page("\(place)"))
            try folder.write("Public/index.html", page("another"))
        case .above: try folder.write("Public/index.html", page("\(place)"))
        }
        let child = try Child(
            binary, ["demo", "--items", "1", "--port", "0"] + arguments, environment: environment)
        let port = try await child.port(after: "Listening on")
        #expect(try get(port, "/").text.contains("found by \(place)"))
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
    func nowhere() throws {
        let folder = try TemporaryFolder()
        try folder.write("a/b/c/d/e/f/other")
        let binary = "\(folder.path)/a/b/c/d/e/f/lookahead"
        try FileManager.default.copyItem(atPath: LookaheadProcess.executable, toPath: binary)
        let child = try Child(binary, ["demo", "--items", "1", "--port", "0"])
        #expect(child.wait() == 1)
        #expect(child.standardError().contains("--public-directory"))
    }
}
