import Catalog
import Gallery
import JSON
import Pictures
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(1)))
struct SettingsTests {
    static func reader(
        _ flags: [String: [String]] = [:], _ environment: [String: String] = [:], _ file: String = "{}"
    ) throws -> SettingsReader {
        SettingsReader(
            flags: flags, environment: environment,
            file: try SettingsFile(path: "settings.json", bytes: Array(file.utf8)))
    }

    @Test("every setting has a name and an environment variable of its own, and a default within its bounds")
    func table() throws {
        #expect(Set(Setting.all.map { Setting.variable($0.name) }).count == Setting.all.count)
        var settings = Settings.standard
        var reader = try Self.reader()
        try reader.read(&settings)
        // Written down as they are in force, they are read again: none is out of bounds.
        let file = try SettingsFile(path: "settings.json", bytes: JSON.object(reader.effective).bytes)
        var again = SettingsReader(environment: [:], file: file)
        try again.read(&settings)
        #expect(again.effective == reader.effective)
        #expect(reader.effective["max-sessions"] == 10_000)
    }

    @Test("a flag goes before its variable, that before the file, that before the default")
    func precedence() throws {
        let environment = ["LOOKAHEAD_MAX_SESSIONS": "2", "LOOKAHEAD_ALLOW_HOST": "b, c", "LOOKAHEAD_HOST": "::1"]
        let file = """
            {"max-sessions":3,"max-streams":4,"allow-host":["d"],"allow-address":["e"],"host":"f","token":"g",
             "follow-links":true,"max-raw-bytes":5000,"session-grace":1.5}
            """
        func settings(_ flags: [String: [String]]) throws -> Settings {
            var settings = Settings.standard
            var reader = try Self.reader(flags, environment, file)
            try reader.read(&settings)
            #expect(try reader.text("token", isSecret: true) == "g")
            #expect(reader.effective["token"] == nil)
            #expect(reader.effective["max-streams"] == 4)
            return settings
        }
        let flags = ["max-sessions": ["1"], "allow-host": ["a", "x"], "host": ["y"], "require-sandbox": []]
        let all = try settings(flags)
        #expect(all.maxSessions == 1)
        #expect(all.allowedHosts == ["a", "x"])
        #expect(all.host == "y")
        #expect(all.requiresSandbox)
        let some = try settings([:])
        #expect(some.maxSessions == 2)
        #expect(some.allowedHosts == ["b", "c"])
        #expect(some.host == "::1")
        #expect(!some.requiresSandbox)
        #expect(some.maxStreams == 4)
        #expect(some.allowedAddresses == ["e"])
        #expect(some.folders.followsLinks)
        #expect(some.pictures.maxRAWBytes == 5000)
        #expect(some.sessionGrace == 1.5)
        #expect(some.maxItems == Settings.mostItems)
        #expect(some.logLevel == .warning)
    }

    static let mistakes: [(environment: [String: String], file: String, says: String)] = [
        (["LOOKAHEAD_MAX_SESSIONS": "many"], "{}", "LOOKAHEAD_MAX_SESSIONS must be a number"),
        (["LOOKAHEAD_MAX_SESSIONS": "0"], "{}", "LOOKAHEAD_MAX_SESSIONS must be from 1"),
        ([:], #"{"max-sessions":"3"}"#, "settings.json:1: max-sessions must be a number of sessions, not \"\"3\"\""),
        ([:], #"{"max-sessions":2.5}"#, "settings.json:1: max-sessions must be a whole number of sessions"),
        ([:], "{\"max-streams\":3,\n\"max-sessions\":-1}", "settings.json:2: max-sessions must be from 1"),
        ([:], #"{"max-sesions":3}"#, "settings.json:1: max-sesions is not a setting"),
        ([:], #"{"allow-host":"a"}"#, "settings.json:1: allow-host must be an array of strings"),
        ([:], #"{"follow-links":1}"#, "settings.json:1: follow-links must be true or false"),
        (["LOOKAHEAD_LOG_LEVEL": "loud"], "{}", "LOOKAHEAD_LOG_LEVEL must be one of trace, "),
        (["LOOKAHEAD_EXCLUDE": "*.tmp\na[b"], "{}", "LOOKAHEAD_EXCLUDE: a bracket in \"a[b\" is not closed"),
        ([:], #"{"exclude":["a\\"]}"#, "settings.json:1: exclude: a name in \"a\\\" ends with a backslash"),
        (["LOOKAHEAD_ORIGIN_HEADER": "nas.local"], "{}", "LOOKAHEAD_ORIGIN_HEADER: a header lacks its host"),
        ([:], #"{"origin-header":["nas.local: Range: a"]}"#, "settings.json:1: origin-header: the header Range is set"),
        ([:], "[]", "settings.json must be a JSON object"),
        ([:], "{", "settings.json must be a JSON object"),
    ]

    @Test("a wrong setting is named with its place", arguments: mistakes)
    func wrong(environment: [String: String], file: String, says: String) throws {
        let error = #expect(throws: SettingError.self) {
            var settings = Settings.standard
            var reader = try Self.reader([:], environment, file)
            try reader.read(&settings)
        }
        #expect(error?.description.contains(says) == true, "\(error?.description ?? "")")
    }

    @Test("patterns and headers stand one a line in their variables, with commas and spaces of their own")
    func lines() throws {
        var settings = Settings.standard
        var reader = try Self.reader(
            [:],
            [
                "LOOKAHEAD_EXCLUDE": "New Folder, 2/\n\n!*.jpg\n",
                "LOOKAHEAD_ORIGIN_HEADER": "nas.local: X-Key: a, b\nnas.local:80: X-Other: c",
            ])
        try reader.read(&settings)
        let patterns = try ExcludePatterns(["New Folder, 2/", "!*.jpg"])
        #expect(settings.folders.excludes == patterns)
        let headers = [try OriginHeader("nas.local: X-Key: a, b"), try OriginHeader("nas.local:80: X-Other: c")]
        #expect(settings.network.originHeaders == headers)
        #expect(reader.effective["exclude"] == ["New Folder, 2/", "!*.jpg"])
        #expect(reader.effective["origin-header"] == nil)
    }

    @Test("a flag with a pattern or a header that cannot be used ends the command, which repeats no secret")
    func refusedFlags() throws {
        for (flag, text, fix) in [
            ("--exclude", "a[b", "add ]"), ("--origin-header", "nas.local: X Key: s3cr3t", "give HOST: NAME: VALUE"),
        ] {
            let child = try Child(LookaheadProcess.executable, ["serve", "--print-settings", flag, text])
            #expect(child.wait() == 64, "\(flag)")
            let error = child.standardError()
            #expect(error.contains("\(flag): ") && error.contains(fix) && !error.contains("s3cr3t"), "\(error)")
        }
    }

    @Test("the settings in force are printed as a file that gives the same again, without secrets")
    func printed() async throws {
        let folder = try TemporaryFolder()
        func printed(_ arguments: [String], _ environment: [String: String] = [:]) async throws -> String {
            let child = try Child(
                LookaheadProcess.executable, ["serve", "--print-settings"] + arguments, environment: environment)
            let output = await child.output()
            #expect(child.wait() == 0, "\(child.standardError())")
            return output
        }
        let arguments = [
            "--max-sessions", "7", "--token", "0123456789abcdef", "--allow-host", "pictures.example", "--exclude",
            "raw/", "--exclude", "*.tmp", "--origin-header", "nas.local: X-Key: s3cr3t",
        ]
        let first = try await printed(arguments, ["LOOKAHEAD_MAX_STREAMS": "9"])
        let settings = try JSON.parse(first)
        #expect(settings["max-sessions"] == 7)
        #expect(settings["max-streams"] == 9)
        #expect(settings["allow-host"] == ["pictures.example"])
        #expect(settings["exclude"] == ["raw/", "*.tmp"])
        #expect(!first.contains("0123456789abcdef") && !first.contains("s3cr3t"))
        let file = try folder.write("settings.json", Array(first.utf8))
        #expect(try await printed(["--settings", file]) == first)
    }
}
