import ArgumentParser
import Catalog
import Terminal

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve folders, lists of URLs and buckets as galleries.",
        discussion: """
            A SOURCE is one of:
              FOLDER                a folder of pictures; its subfolders become sections
              FILE                  a list of image URLs: .txt, .csv, .tsv, .json, .jsonl or .ndjson
              -                     a list as NDJSON on standard input
              s3://BUCKET/PREFIX    a bucket, with the credentials of AWS's own tools
            A .txt file has one URL a line; a .csv file has a header row. A list's file is read again when it changes, \
            and on SIGHUP.

            You can also give a setting by an environment variable, such as LOOKAHEAD_MAX_SESSIONS=100. Run lookahead \
            settings to list all settings.

            Examples:
              lookahead ~/Pictures               the same as lookahead serve ~/Pictures
              lookahead serve ~/Pictures --open
              lookahead serve addresses.txt --allow-origin nas.local:8080 --allow-address 192.168.1.0/24
              lookahead serve s3://pictures/2024/ --s3-endpoint https://nas.local:9000 --allow-origin nas.local:9000
              generate | lookahead serve -
              lookahead serve ~/Pictures --host 0.0.0.0 --token-file token
            """)

    @Argument(help: "Folders of pictures, lists of image URLs, or buckets.", completion: .file())
    var sources: [String] = []

    @OptionGroup var options: ServerOptions

    func validate() throws {
        guard !sources.isEmpty else {
            throw ValidationError("give a SOURCE: a folder of pictures or a list of image URLs")
        }
    }

    func run() async throws {
        try Installation.prepareDescriptors()
        var settings = try options.settings(defaultCache: Installation.cacheDirectory())
        settings.network.signatures = try GallerySource.signatures(
            of: sources, endpoint: settings.bucketEndpoint)
        let server = try Running.server(settings)
        let index = PictureIndex(directory: settings.cacheDirectory, workers: server.workers, warn: Running.warn)
        for source in sources { try await GallerySource.add(source, to: server, index: index) }
        try await Running.serve(server, opensBrowser: options.opensBrowser) { index.close() }
    }
}
