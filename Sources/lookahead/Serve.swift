import ArgumentParser
import Catalog
import Gallery
import Terminal

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve galleries of pictures.",
        discussion: """
            A SOURCE is a folder of pictures, walked recursively, its subfolders being sections; or a list of URLs: \
            .txt (one a line), .csv (with a header row), .json or .ndjson; or - for NDJSON on standard input; or a bucket, \
            s3://BUCKET/PREFIX, signed for with the credentials that AWS's own tools use.

            Every setting can also be given by an environment variable, such as LOOKAHEAD_MAX_SESSIONS=100, or in the \
            file that --settings names, a JSON object such as {"max-sessions": 100}. lookahead settings lists them \
            all, also those without a flag.

            Examples:
              lookahead ~/Pictures               the same as lookahead serve ~/Pictures
              lookahead serve ~/Pictures --open
              lookahead serve addresses.txt --allow-origin nas.local:8080 --allow-address 192.168.1.0/24
              lookahead serve s3://pictures/2024/ --s3-endpoint https://nas.local:9000 --allow-origin nas.local:9000
              generate | lookahead serve -
              lookahead serve ~/Pictures --host 0.0.0.0 --token-file token
              lookahead serve ~/Pictures --print-settings
            """)

    @Argument(help: "Folders of pictures, lists of their URLs, or buckets.", completion: .file())
    var sources: [String] = []

    @OptionGroup var options: ServerOptions

    func validate() throws {
        guard !sources.isEmpty || options.printSettings else {
            throw ValidationError("give a SOURCE: a folder of pictures, or a list of their URLs")
        }
    }

    func run() async throws {
        try Installation.prepareDescriptors()
        var effective = try options.effective(defaultCache: Installation.cacheDirectory)
        if options.printSettings { return Running.printSettings(effective) }
        effective.settings.network.signatures = try GallerySource.signatures(
            of: sources, endpoint: effective.settings.bucketEndpoint)
        let server = try Running.server(effective)
        let index = PictureIndex(directory: effective.settings.cacheDirectory, warn: Running.warn)
        for source in sources { try await GallerySource.add(source, to: server, index: index) }
        try await Running.serve(server, opensBrowser: options.opensBrowser) { index.close() }
    }
}
