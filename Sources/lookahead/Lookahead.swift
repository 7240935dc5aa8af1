import ArgumentParser
import Foundation
import Gallery
import Glibc
import Pipeline

@main
struct Lookahead: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lookahead",
        abstract: "A gallery server that looks ahead: pictures are there before the eye is.",
        version: "0.1.0",
        subcommands: [Demo.self, Serve.self, ReplayCommand.self, Bench.self, RenderWorkerCommand.self])

    static func main() async {
        // A worker starts for every server and stays small: it needs no command line parsed.
        if CommandLine.arguments.dropFirst().first == RenderWorkerCommand.name { Glibc.exit(RenderWorker.run()) }
        do {
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

    /// Says what went wrong in one line, and what to do about it. Status 64 for what was asked for wrongly, else 1.
    private static func end(_ error: any Error) -> Never {
        let isMistake = error is SettingError || exitCode(for: error) == .validationFailure
        guard isMistake || error is Running.Failure else { exit(withError: error) }
        let text = error is SettingError ? "\(error)" : message(for: error)
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        FileHandle.standardError.write(Data("lookahead: \(line)\n".utf8))
        Glibc.exit(isMistake ? ExitCode.validationFailure.rawValue : ExitCode.failure.rawValue)
    }
}
