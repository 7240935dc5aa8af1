import Catalog
import Fetch
import Gallery
import Media
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(1)))
struct SettingsTests {
    static func settings(
        _ flags: [String: [String]] = [:], _ environment: [String: String] = [:]
    ) throws -> Settings {
        var settings = Settings.standard
        try SettingsReader(flags: flags, environment: environment).read(&settings)
        return settings
    }

    @Test("every setting has its own environment variable and a default")
    func table() throws {
        #expect(Set(Setting.all.map { Setting.variable($0.name) }).count == Setting.all.count)
        let settings = try Self.settings()
        #expect(settings.maxSessions == 10_000 && settings.maxItems == Settings.maximumItems)
        #expect(settings.host == "127.0.0.1" && settings.logLevel == .warning && !settings.requiresSandbox)
    }

    @Test("a flag overrides its variable, and the variable overrides the default")
    func precedence() throws {
        let environment = [
            "LOOKAHEAD_MAX_SESSIONS": "2", "LOOKAHEAD_ALLOW_HOST": "b, c", "LOOKAHEAD_HOST": "::1",
            "LOOKAHEAD_FOLLOW_LINKS": "true", "LOOKAHEAD_SESSION_GRACE": "1.5",
        ]
        let flags = ["max-sessions": ["1"], "allow-host": ["a", "x"], "host": ["y"], "require-sandbox": []]
        let all = try Self.settings(flags, environment)
        #expect(all.maxSessions == 1)
        #expect(all.allowedHosts == ["a", "x"])
        #expect(all.host == "y")
        #expect(all.requiresSandbox)
        let some = try Self.settings([:], environment)
        #expect(some.maxSessions == 2)
        #expect(some.allowedHosts == ["b", "c"])
        #expect(some.host == "::1")
        #expect(some.folders.followsLinks)
        #expect(some.sessionGrace == 1.5)
    }

    static let mistakes: [(variable: String, value: String, says: String)] = [
        ("MAX_SESSIONS", "many", "must be a number of sessions, not \"many\""), ("MAX_SESSIONS", "0", "must be from 1"),
        ("MAX_SESSIONS", "2.5", "must be a whole number of sessions"),
        ("FOLLOW_LINKS", "yes", "must be true or false"), ("LOG_LEVEL", "loud", "must be one of trace, "),
        ("EXCLUDE", "*.tmp\na[b", ": a bracket in \"a[b\" is not closed"),
        ("EXCLUDE", "a\\", ": a name in \"a\\\" ends with a backslash"),
        ("ORIGIN_HEADER", "nas.local", ": a header lacks its host"),
        ("ORIGIN_HEADER", "nas.local: Range: a", ": the header Range is set"),
    ]

    @Test("a wrong setting is reported with its variable and reason", arguments: mistakes)
    func wrong(variable: String, value: String, says: String) throws {
        let error = #expect(throws: SettingError.self) {
            _ = try Self.settings([:], ["LOOKAHEAD_\(variable)": value])
        }
        let text = error?.description ?? ""
        #expect(text.hasPrefix("LOOKAHEAD_\(variable)") && text.contains(says), "\(text)")
    }

    @Test("patterns and headers are one per line in their variables")
    func lines() throws {
        let settings = try Self.settings(
            [:],
            [
                "LOOKAHEAD_EXCLUDE": "New Folder, 2/\n\n!*.jpg\n",
                "LOOKAHEAD_ORIGIN_HEADER": "nas.local: X-Key: a, b\nnas.local:80: X-Other: c",
            ])
        let patterns = try ExcludePatterns(["New Folder, 2/", "!*.jpg"])
        #expect(settings.folders.excludes == patterns)
        let headers = [try OriginHeader("nas.local: X-Key: a, b"), try OriginHeader("nas.local:80: X-Other: c")]
        #expect(settings.network.originHeaders == headers)
    }

    @Test("a flag with an invalid pattern or header ends the command without revealing secrets")
    func refusedFlags() throws {
        for (flag, text, fix) in [
            ("--exclude", "a[b", "add ]"), ("--origin-header", "nas.local: X Key: s3cr3t", "give HOST: NAME: VALUE"),
        ] {
            let child = try Child(LookaheadProcess.executable, ["serve", ".", flag, text])
            #expect(child.wait() == 64, "\(flag)")
            let error = child.standardError()
            #expect(error.contains("\(flag): ") && error.contains(fix) && !error.contains("s3cr3t"), "\(error)")
        }
    }
}
