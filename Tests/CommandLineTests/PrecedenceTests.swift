import Foundation
import JSON
import TestSupport
import Testing

/// Where settings come from, on the product itself.
@Suite(.timeLimit(.minutes(3)))
struct PrecedenceTests {
    static func settings(_ arguments: [String], _ environment: [String: String] = [:]) async throws -> JSON {
        try JSON.parse(try await HelpTests.text(["serve", "--print-settings"] + arguments, environment: environment))
    }

    static func variable(_ name: String) -> String {
        "LOOKAHEAD_" + name.uppercased().replacingOccurrences(of: "-", with: "_")
    }

    /// Each number of the settings, three others that are within its bounds, and whether it has a flag.
    static func numbers() async throws -> [(name: String, values: [Int], hasFlag: Bool)] {
        let help = try await HelpTests.text(["serve", "--help"])
        return try #require(try await settings([]).object).members.compactMap { member in
            guard let standard = member.value.number.map({ Int($0) }) else { return nil }
            let values = standard > 3 ? [standard - 1, standard - 2, standard - 3] : [1, 2, 2]
            return (member.name, values, help.contains("--\(member.name) <"))
        }
    }

    @Test("of every number, a flag goes before its variable, that before the file, that before the default")
    func precedence() async throws {
        let numbers = try await Self.numbers()
        let folder = try TemporaryFolder()
        let members = numbers.map { "\"\($0.name)\": \($0.values[0])" }.joined(separator: ",")
        let file = try folder.write("settings.json", Array("{\(members)}".utf8))
        let variables = numbers.map { (Self.variable($0.name), String($0.values[1])) }
        let environment = Dictionary(variables) { first, _ in first }
        let flags = numbers.filter(\.hasFlag).flatMap { ["--\($0.name)", String($0.values[2])] }
        try #require(!flags.isEmpty && flags.count / 2 < numbers.count)

        let fromFile = try await Self.settings(["--settings", file])
        let fromEnvironment = try await Self.settings(["--settings", file], environment)
        let fromFlags = try await Self.settings(["--settings", file] + flags, environment)
        for (name, values, hasFlag) in numbers {
            #expect(fromFile[name] == .number(Double(values[0])), "\(name)")
            #expect(fromEnvironment[name] == .number(Double(values[1])), "\(name)")
            #expect(fromFlags[name] == .number(Double(values[hasFlag ? 2 : 1])), "\(name)")
        }
    }

    @Test("the file may be named by its variable, and texts and lists follow the same order")
    func texts() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            "settings.json",
            Array(#"{"log-level":"debug","allow-host":["file.example"],"cache-directory":"none"}"#.utf8))
        let environment = ["LOOKAHEAD_SETTINGS": file, "LOOKAHEAD_ALLOW_HOST": "a.example,b.example"]
        let settings = try await Self.settings([], environment)
        #expect(settings["log-level"] == "debug")
        #expect(settings["cache-directory"] == "none")
        #expect(settings["allow-host"] == ["a.example", "b.example"])
        let flags = try await Self.settings(["--allow-host", "c.example", "--log-level", "error"], environment)
        #expect(flags["log-level"] == "error")
        #expect(flags["allow-host"] == ["c.example"])
    }

    /// Each number in one place; weekly, each that has a flag in its variable, too.
    @Test("a number out of bounds is refused as a flag or as a variable, and the place is named")
    func bounds() async throws {
        for (name, _, hasFlag) in try await Self.numbers() {
            let places = (hasFlag ? ["--\(name)"] : []) + [Self.variable(name)]
            for place in Weekly.isOn ? places : [places[0]] {
                let isFlag = place.hasPrefix("--")
                let child = try Child(
                    LookaheadProcess.executable, ["serve", "--print-settings"] + (isFlag ? ["\(place)=-1"] : []),
                    environment: isFlag ? [:] : [place: "-1"])
                #expect(child.wait() == 64, "\(place)")
                #expect(child.standardError().contains("\(place) must be from "), "\(child.standardError())")
            }
        }
    }
}
