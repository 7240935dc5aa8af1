import ArgumentParser
import Foundation
import Gallery

/// Prints the table of settings, as in the article on settings.
struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "List all settings of the server with their defaults and bounds.",
        discussion: """
            You can give a setting in two ways:
              flag                  --max-sessions 100
              environment variable  LOOKAHEAD_MAX_SESSIONS=100
            A variable separates the entries of a list by commas. A flag overrides the variable.

            Examples:
              lookahead settings
              lookahead settings --format markdown
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable { case text, markdown }

    @Option(help: "Output format.")
    var format = Format.text

    func run() {
        switch format {
        case .text: print(Self.lines)
        case .markdown: print(Self.table)
        }
    }

    private static func standard(_ setting: Setting) -> String { setting.kind == .toggle ? "off" : setting.standard }

    private static func bounds(_ setting: Setting) -> String {
        switch setting.kind {
        case .number(let bounds): bounds
        case .list: "repeatable"
        case .text, .file, .folder, .choice, .toggle: ""
        }
    }

    /// Two lines per setting, so that no line is too long for a terminal.
    private static var lines: String {
        Setting.all.map { setting in
            let standard = standard(setting)
            let facts = [standard.isEmpty ? "" : "default: \(standard)", bounds(setting)].filter { !$0.isEmpty }
            let name = "--\(setting.name)"
            let padded =
                facts.isEmpty ? name : name.padding(toLength: max(32, name.count + 2), withPad: " ", startingAt: 0)
            return "\(padded)\(facts.joined(separator: "; "))\n    \(setting.summary)"
        }.joined(separator: "\n")
    }

    private static var table: String {
        let rows = Setting.all.map { ["`--\($0.name)`", standard($0), bounds($0), $0.summary] }
        return ([["flag", "default", "bounds", ""], ["---", "---", "---", "---"]] + rows)
            .map { cells in cells.reduce("|") { $1.isEmpty ? "\($0) |" : "\($0) \($1) |" } }
            .joined(separator: "\n")
    }
}
