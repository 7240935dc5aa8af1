import ArgumentParser
import Gallery

/// Prints the table of settings, as the README has it.
struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "List all settings of the server, with their defaults and bounds.",
        discussion: """
            Every setting can be given by an environment variable: LOOKAHEAD_ and its name in upper case, with \
            underscores, such as LOOKAHEAD_MAX_SESSIONS=100, lists separated by commas; or in the file that --settings \
            names, a JSON object such as {"max-sessions": 100}. What is often set has a flag, too. A flag goes before \
            its variable, and that before the file.

            Examples:
              lookahead settings
            """)

    func run() {
        print(Self.table("flag", Setting.groups.flatMap { $0.flags }) { "`--\($0)`" })
        print("\nWithout a flag:\n")
        print(Self.table("setting", Setting.groups.flatMap { $0.withoutFlag }) { "`\($0)`" })
    }

    private static func table(_ title: String, _ settings: [Setting], name: (String) -> String) -> String {
        let rows = settings.map { setting in
            let bounds =
                switch setting.kind {
                case .number(let bounds): bounds
                case .list: "repeatable"
                case .text, .file, .folder, .choice, .toggle: ""
                }
            let standard = setting.kind == .toggle ? "off" : setting.standard
            return [name(setting.name), standard, bounds, setting.summary]
        }
        return ([[title, "default", "bounds", ""], ["---", "---", "---", "---"]] + rows)
            .map { cells in cells.reduce("|") { $1.isEmpty ? "\($0) |" : "\($0) \($1) |" } }
            .joined(separator: "\n")
    }
}
