import Foundation
import Terminal
import TestSupport
import Testing

/// A binary finds its page wherever it is put.
@Suite(.serialized, .timeLimit(.minutes(3)))
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
        // A named file goes before those that lie about, a nearer one before one further away.
        var arguments: [String] = []
        var environment: [String: String] = [:]
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

    @Test("thumbnails go below absolute folders only; else the temporary folder has them", arguments: caches)
    func cache(environment: [String: String], cache: String?) {
        let expected = cache ?? NSTemporaryDirectory() + "/.cache/lookahead"
        #expect(Installation.cacheDirectory(environment) == expected)
    }

    @Test("where there is no page, the message names the flag")
    func nowhere() throws {
        let folder = try TemporaryFolder()
        try folder.write("a/b/c/d/e/f/other")
        let binary = "\(folder.path)/a/b/c/d/e/f/lookahead"
        try FileManager.default.copyItem(atPath: LookaheadProcess.executable, toPath: binary)
        let child = try Child(binary, ["demo", "--items", "1", "--port", "0"])
        #expect(child.wait() == 1)
        #expect(child.standardError().contains("--public-directory"))
    }

    @Test("the server of a benchmark, which has no flags, goes by the variable too")
    func benchmark() throws {
        let child = try Child(
            LookaheadProcess.lab, ["gallery-server"],
            environment: ["LOOKAHEAD_PUBLIC_DIRECTORY": "/nowhere"])
        #expect(child.wait() == 1)
        #expect(child.standardError().contains("no page in /nowhere"))
    }
}
