import Foundation
import TestSupport
import Testing

/// The command line's own help.
@Suite(.timeLimit(.minutes(2)))
struct HelpTests {
    static let commands = [
        [], ["demo"], ["serve"], ["settings"], ["replay"],
    ]

    /// Runs the program to its end. Returns its output with white space folded.
    static func text(_ arguments: [String], environment: [String: String] = [:]) async throws -> String {
        let child = try Child(LookaheadProcess.executable, arguments, environment: environment)
        let text = await child.output()
        #expect(child.wait() == 0, "\(arguments): \(child.standardError())")
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The names of the flags that are numbers, from the table of settings.
    static func numbers() async throws -> [String] {
        let table = try await text(["settings", "--format", "markdown"])
        return table.matches(of: #/`--(?<name>[a-z0-9-]+)` \| [^|]+ \| [0-9][^|]* to /#).map { String($0.output.name) }
    }

    @Test("every command prints an overview, its usage and examples", arguments: commands)
    func help(command: [String]) async throws {
        let text = try await Self.text(command + ["--help"])
        #expect(text.contains("OVERVIEW: "))
        #expect(text.contains("USAGE: lookahead \(command.joined(separator: " "))"))
        #expect(text.contains("Examples: lookahead "))
    }

    @Test(
        "help lists the flags in order: demo's own, address, limits, store",
        arguments: ["serve", "demo"])
    func order(command: String) async throws {
        let text = try await Self.text([command, "--help"])
        let flags = (command == "demo" ? ["items"] : []) + ["host", "max-sessions", "max-downloads", "memory-cache"]
        let places = try flags.map { try #require(text.range(of: "--\($0) <"), "\($0)").lowerBound }
        #expect(places == places.sorted())
    }

    /// Numbers without a unit.
    private static let withoutUnit: Set = ["port", "jitter", "failure-rate", "cancelled"]

    /// Bounds and default in brackets behind a number's unit.
    private static func bounds(
        of name: String, in help: String
    ) throws -> (minimum: Double, standard: Double, maximum: Double) {
        // Search from the end, as the usage summary comes first.
        let entry = try #require(help.range(of: "--\(name) <", options: .backwards), "\(name)")
        let meaning = help[entry.lowerBound...].prefix(300)
        let numbers =
            #/\((?<unit>[^;()]+; )?default (?<standard>[0-9.]+), (?<minimum>[0-9.]+) to (?<maximum>[0-9.]+)\)/#
        let found = try #require(meaning.firstMatch(of: numbers), "\(meaning)")
        #expect((found.unit == nil) == withoutUnit.contains(name), "the unit of \(name)")
        let (minimum, maximum) = (try #require(Double(found.minimum)), try #require(Double(found.maximum)))
        return (minimum, try #require(Double(found.standard)), maximum)
    }

    @Test("serve --help lists the same flags as settings, and every number has its unit, default and bounds")
    func settings() async throws {
        let help = try await Self.text(["serve", "--help"])
        let list = try await Self.text(["settings", "--format", "markdown"])
        let flags = Set(help.matches(of: #/--(?<name>[a-z0-9-]+)/#).map { String($0.output.name) })
        let listed = Set(list.matches(of: #/`--(?<name>[a-z0-9-]+)`/#).map { String($0.output.name) })
        #expect(flags.subtracting(listed) == ["open", "version", "help"])
        #expect(listed.isSubset(of: flags))
        let numbers = try await Self.numbers()
        #expect(numbers.count > 15)
        for name in numbers {
            let (minimum, standard, maximum) = try Self.bounds(of: name, in: help)
            #expect(minimum <= standard && standard <= maximum, "\(name)")
        }
    }

    @Test("settings prints two lines for each setting, with all cells of the Markdown table")
    func settingsForATerminal() async throws {
        func lines(_ arguments: String...) async throws -> [Substring] {
            try await Child(LookaheadProcess.executable, arguments).output().split(separator: "\n")
        }
        let list = try await lines("settings")
        let rows = try await lines("settings", "--format", "markdown").filter { $0.hasPrefix("| `") }
        #expect(rows.count > 30 && list.count == 2 * rows.count)
        for row in rows {
            let cells = row.split(separator: "|")
                .map { $0.filter { $0 != "`" }.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            let index = try #require(list.firstIndex { $0 == cells[0] || $0.hasPrefix("\(cells[0]) ") }, "\(row)")
            #expect(cells.dropFirst().dropLast().allSatisfy { list[index].contains($0) }, "\(row)")
            #expect(list[index + 1] == "    \(cells.last ?? "")")
        }
    }

    @Test(
        "every number of demo and replay has its unit, default and bounds in the help",
        arguments: [
            ("demo", ["items", "latency", "jitter", "bandwidth", "failure-rate"]),
            ("replay", ["latency", "jitter", "bandwidth", "concurrency"]),
        ])
    func numbers(command: String, names: [String]) async throws {
        let help = try await Self.text(command.split(separator: " ").map(String.init) + ["--help"])
        for name in names {
            let (minimum, standard, maximum) = try Self.bounds(of: name, in: help)
            #expect(minimum <= standard && standard <= maximum, "\(name)")
        }
    }

    @Test("--version prints three numbers with dots")
    func version() async throws {
        #expect(try await Self.text(["--version"]).wholeMatch(of: #/\d+\.\d+\.\d+/#) != nil)
    }

    /// Runs bash's own completion of commands, flags and values.
    @Test(
        "bash completes commands, flags and values",
        arguments: [
            ("lookahead re", "replay"), ("lookahead serve --max-s", "--max-sessions"),
            ("lookahead replay --policy scro", "scroll-end"), ("lookahead demo --log-level wa", "warning"),
        ])
    func completion(typed: String, offered: String) async throws {
        let folder = try TemporaryFolder()
        let script = try Child(LookaheadProcess.executable, ["--generate-completion-script", "bash"])
        let file = try folder.write("completion", Array((await script.output() + "\n").utf8))
        let words = typed.split(separator: " ").map(String.init)
        let shell = """
            source \(file)
            COMP_WORDS=(\(words.joined(separator: " "))) COMP_CWORD=\(words.count - 1)
            COMP_LINE='\(typed)' COMP_POINT=\(typed.utf8.count) COMP_TYPE=9
            function=$(complete -p lookahead | sed 's/.*-F \\([^ ]*\\).*/\\1/')
            $function lookahead '\(words.last ?? "")' '\(words.dropLast().last ?? "")' 2>/dev/null
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let path = URL(fileURLWithPath: LookaheadProcess.executable).deletingLastPathComponent().path
        let search = "\(path):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
        let child = try Child("/bin/bash", ["-c", shell], environment: ["PATH": search])
        let lines = await child.output().split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines.contains(offered), "\(lines) \(child.standardError())")
    }

    @Test("completion scripts for zsh and fish name every command", arguments: ["zsh", "fish"])
    func otherShells(shell: String) async throws {
        let text = try await Self.text(["--generate-completion-script", shell])
        for command in ["demo", "serve", "replay"] { #expect(text.contains(command)) }
    }
}
