import ArgumentParser

@main
struct Lookahead: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lookahead",
        abstract: "A gallery server that looks ahead: pictures are there before the eye is.",
        version: "0.1.0",
        subcommands: [Demo.self, Serve.self, RenderWorkerCommand.self])
}
