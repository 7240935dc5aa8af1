import Foundation
import TestSupport
import Testing

/// The lists of flags and settings, and the completions of shells.
@Suite(.timeLimit(.minutes(2)))
struct HelpTests {
    /// Returns the output of a command, with white space folded.
    private static func words(_ command: String) async throws -> String {
        try await Command(command).output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Returns the names of the flags that are numbers, from the table of settings.
    static func numbers() async throws -> [String] {
        let table = try await words("lookahead settings --format markdown")
        let names = table.matches(of: #/`--([a-z0-9-]+)` \| [^|]+ \| [0-9][^|]* to /#).map { String($0.output.1) }
        try #require(names.count > 15)
        return names
    }

    /// Numbers without a unit.
    private static let withoutUnit: Set = ["port", "jitter", "failure-rate", "cancelled"]

    static let commands: [(command: String, numbers: [String]?)] = [
        ("serve", nil), ("demo", ["items", "latency", "jitter", "bandwidth", "failure-rate"]),
        ("replay", ["latency", "jitter", "bandwidth", "concurrency"]),
    ]

    /// - Parameter numbers: names of flags. `nil` for all settings that are numbers.
    @Test("every number has its unit, default and bounds in the help", arguments: commands)
    func numbers(command: String, numbers: [String]?) async throws {
        let help = try await Self.words("lookahead \(command) --help")
        let names = if let numbers { numbers } else { try await Self.numbers() }
        for name in names {
            // Search from the end, as the usage summary comes first.
            let entry = try #require(help.range(of: "--\(name) <", options: .backwards), "\(name)")
            let meaning = help[entry.lowerBound...].prefix(300)
            let found = try #require(
                meaning.firstMatch(of: #/\(([^;()]+; )?default ([0-9.]+), ([0-9.]+) to ([0-9.]+)\)/#), "\(meaning)")
            #expect((found.output.1 == nil) == Self.withoutUnit.contains(name), "the unit of \(name)")
            let numbers = [found.output.3, found.output.2, found.output.4].compactMap { Double($0) }
            #expect(numbers.count == 3 && numbers == numbers.sorted(), "\(meaning)")
        }
    }

    @Test("serve --help lists the same flags as settings, which prints all cells of the Markdown table")
    func settings() async throws {
        let help = try await Command("lookahead serve --help").output
        let table = try await Command("lookahead settings --format markdown").output
        let flags = Set(help.matches(of: #/--([a-z0-9-]+)/#).map { String($0.output.1) })
        let listed = Set(table.matches(of: #/`--([a-z0-9-]+)`/#).map { String($0.output.1) })
        #expect(flags.subtracting(listed) == ["open", "version", "help"])
        #expect(listed.isSubset(of: flags))
        let list = try await Command("lookahead settings").output.split(separator: "\n")
        let rows = table.split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(rows.count > 30 && list.count == 2 * rows.count)
        for row in rows {
            let cells = row.split(separator: "|")
                .map { $0.filter { $0 != "`" }.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            let index = try #require(list.firstIndex { $0 == cells[0] || $0.hasPrefix("\(cells[0]) ") }, "\(row)")
            #expect(cells.dropFirst().dropLast().allSatisfy { list[index].contains($0) }, "\(row)")
            #expect(list[index + 1] == "    \(cells.last ?? "")")
        }
    }

    /// Runs bash's own completion of commands, flags and values.
    @Test(
        "bash completes commands, flags and values",
        arguments: [
            ("lookahead re", "replay"), ("lookahead serve --max-s", "--max-sessions"),
            ("lookahead replay --policy scro", "scroll-end"), ("lookahead demo --log-level wa", "warning"),
        ])
    func completion(typed: String, offered: String) async throws {
        let words = typed.split(separator: " ").map(String.init)
        let run = try await Command(
            """
            source <(lookahead --generate-completion-script bash)
            COMP_WORDS=(\(words.joined(separator: " "))) COMP_CWORD=\(words.count - 1)
            COMP_LINE='\(typed)' COMP_POINT=\(typed.utf8.count) COMP_TYPE=9
            function=$(complete -p lookahead | sed 's/.*-F \\([^ ]*\\).*/\\1/')
            $function lookahead '\(words.last ?? "")' '\(words.dropLast().last ?? "")' 2>/dev/null
            printf '%s\\n' "${COMPREPLY[@]}"
            """)
        let lines = run.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines.contains(offered), "\(lines) \(run.errors)")
    }
}
