import ArgumentParser
import Catalog
import Gallery
import Glibc
import Media
import Terminal

@main
struct Lookahead: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lookahead",
        abstract: "A gallery server that looks ahead: it loads pictures before you scroll to them.",
        discussion: """
            Examples:
              lookahead demo                     try it with a gallery of painted pictures
              lookahead ~/Pictures               serve your own pictures
              lookahead replay trace.ndjson      compare policies on a recorded scroll
              lookahead help policies            read an article

            Articles: \(Articles.topics.joined(separator: ", ")).

            Exit status: 0 for success, including SIGINT or SIGTERM; 64 for wrong arguments or settings; 1 for any \
            other failure; 128 plus the signal's number after a second signal.

            Shell completions: lookahead --generate-completion-script bash (or zsh, or fish).
            """,
        version: "1.0.0",
        subcommands: [Demo.self, Serve.self, SettingsCommand.self, ReplayCommand.self], defaultSubcommand: Serve.self)

    static func main() async {
        // Every server starts workers, which must stay small, so they skip parsing the command line.
        if CommandLine.arguments.dropFirst().first == MediaWorker.command { Glibc.exit(MediaWorker.run()) }
        guard CommandLine.arguments.count > 1 else { return print(helpMessage()) }
        do {
            if let article = try article(CommandLine.arguments.dropFirst()) { return print(article, terminator: "") }
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            end(error)
        }
    }

    /// Returns the text of `help TOPIC` if the topic is an article, otherwise `nil`.
    private static func article(_ arguments: ArraySlice<String>) throws -> String? {
        guard arguments.count == 2, arguments.first == "help", let topic = arguments.last else { return nil }
        return try Articles.text(of: topic)
    }

    /// Prints in one line what went wrong and what to do, then exits. The status is 64 for wrong arguments or settings,
    /// otherwise 1.
    private static func end(_ error: any Error) -> Never {
        let isMistake = error is SettingError || exitCode(for: error) == .validationFailure
        guard isMistake || error is CommandFailure else { exit(withError: error) }
        let text = error is SettingError ? "\(error)" : message(for: error)
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        ErrorLines().write("lookahead: \(line)")
        Glibc.exit(isMistake ? ExitCode.validationFailure.rawValue : ExitCode.failure.rawValue)
    }
}
