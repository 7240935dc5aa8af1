import ArgumentParser
import Pipeline

/// The process that decodes pictures, apart from the server: the server starts it, people need not.
struct RenderWorkerCommand: ParsableCommand {
    static let name = "render-worker"
    static let configuration = CommandConfiguration(
        commandName: name, abstract: "Render thumbnails for the server, over standard input and output.",
        shouldDisplay: false)

    func run() throws {
        let status = RenderWorker.run()
        if status != 0 { throw ExitCode(status) }
    }
}
