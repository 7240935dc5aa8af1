import ArgumentParser
import Gallery

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve galleries of pictures.",
        discussion: """
            A SOURCE is a folder of pictures, walked recursively, its subfolders being sections; or a list of URLs: \
            .txt (one a line), .csv (with a header row), .json or .ndjson; or - for NDJSON on standard input.

            Every limit can also be set by an environment variable: LOOKAHEAD_ and the flag's name in upper case, with \
            underscores, such as LOOKAHEAD_MAX_SESSIONS=100. A flag goes before its variable.
            """)

    @Argument(help: "Folders of pictures, or lists of their URLs.")
    var sources: [String]

    @OptionGroup var options: ServerOptions

    func run() async throws {
        let server = try GalleryServer(settings: try options.settings())
        for source in sources { try await GallerySource.add(source, to: server) }
        try await Running.serve(server)
    }
}
