import ArgumentParser
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
        await main(nil)
    }
}
