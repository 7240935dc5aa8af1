import JSON
import TestSupport
import Testing

@testable import Gallery

@Suite(.serialized, .timeLimit(.minutes(1)))
struct SettingsTests {
    static func reader(_ environment: [String: String] = [:], _ file: String = "{}") throws -> SettingsReader {
        SettingsReader(environment: environment, file: try SettingsFile(path: "settings.json", bytes: Array(file.utf8)))
    }

    @Test("a flag goes before its variable, that before the file, that before the default")
    func precedence() throws {
        let environment = ["LOOKAHEAD_MAX_SESSIONS": "2", "LOOKAHEAD_ALLOW_HOST": "b, c", "LOOKAHEAD_HOST": "::1"]
        let file =
            #"{"max-sessions":3,"max-streams":4,"allow-host":["d"],"allow-address":["e"],"host":"f","token":"g"}"#
        var reader = try Self.reader(environment, file)
        #expect(try reader.number(1, Settings.maxSessions) == 1)
        #expect(try reader.number(nil, Settings.maxSessions) == 2)
        #expect(try reader.number(nil, Settings.maxStreams) == 4)
        #expect(try reader.number(nil, Settings.maxItems) == Settings.maxItems.defaultValue)
        #expect(try reader.list(["a"], "allow-host") == ["a"])
        #expect(try reader.list([], "allow-host") == ["b", "c"])
        #expect(try reader.list([], "allow-address") == ["e"])
        #expect(try reader.text("x", "host") == "x")
        #expect(try reader.text(nil, "host") == "::1")
        #expect(try reader.text(nil, "token", isSecret: true) == "g")
        #expect(try reader.text(nil, "log-level", default: "warning") == "warning")
        try reader.finish()
        #expect(reader.effective["token"] == nil)
        #expect(reader.effective["max-streams"] == 4)
    }

    static let mistakes: [(environment: [String: String], file: String, says: String)] = [
        (["LOOKAHEAD_MAX_SESSIONS": "many"], "{}", "LOOKAHEAD_MAX_SESSIONS must be a number"),
        (["LOOKAHEAD_MAX_SESSIONS": "0"], "{}", "LOOKAHEAD_MAX_SESSIONS must be from 1"),
        ([:], #"{"max-sessions":"3"}"#, "settings.json: max-sessions must be a number"),
        ([:], #"{"max-sessions":2.5}"#, "settings.json: max-sessions must be a number"),
        ([:], #"{"max-sessions":-1}"#, "settings.json: max-sessions must be from 1"),
        ([:], #"{"max-sesions":3}"#, "max-sesions"),
        ([:], "[]", "settings.json must be a JSON object"),
        ([:], "{", "settings.json must be a JSON object"),
    ]

    @Test("a wrong setting is named with its place", arguments: mistakes)
    func wrong(environment: [String: String], file: String, says: String) throws {
        let error = #expect(throws: SettingError.self) {
            var reader = try Self.reader(environment, file)
            _ = try reader.number(nil, Settings.maxSessions)
            try reader.finish()
        }
        #expect(error?.description.contains(says) == true, "\(error?.description ?? "")")
    }

    @Test("the settings in force are printed as a file that gives the same again, without the token")
    func printed() async throws {
        let folder = try TemporaryFolder()
        func printed(_ arguments: [String], _ environment: [String: String] = [:]) async throws -> String {
            let child = try Child(
                LookaheadProcess.executable, ["serve", "--print-settings"] + arguments, environment: environment)
            let output = await child.output()
            #expect(child.wait() == 0, "\(child.standardError())")
            return output
        }
        let arguments = ["--max-sessions", "7", "--token", "0123456789abcdef", "--allow-host", "pictures.example"]
        let first = try await printed(arguments, ["LOOKAHEAD_MAX_STREAMS": "9"])
        let settings = try JSON.parse(first)
        #expect(settings["max-sessions"] == 7)
        #expect(settings["max-streams"] == 9)
        #expect(settings["allow-host"] == ["pictures.example"])
        #expect(!first.contains("0123456789abcdef"))
        let file = try folder.write("settings.json", Array(first.utf8))
        #expect(try await printed(["--settings", file]) == first)
    }
}
