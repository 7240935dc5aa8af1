import ArgumentParser
import Glibc
import Pictures

/// The process that decodes pictures, apart from the server: the server starts it, people need not.
struct RenderWorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: RenderWorker.command,
        abstract: "Render thumbnails for the server, over standard input and output.",
        shouldDisplay: false)

    func run() throws {
        // Ctrl-C and systemd signal the workers, too. The server ends its workers itself, after the last answer.
        for number in [SIGINT, SIGTERM] { signal(number, SIG_IGN) }
        let status = RenderWorker.run()
        if status != 0 { throw ExitCode(status) }
    }
}
