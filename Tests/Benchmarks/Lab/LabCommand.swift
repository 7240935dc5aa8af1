import ArgumentParser
import Catalog
import Foundation
import Glibc
import Media
import Terminal

/// Measures Lookahead: its parts, its server under load, and its policies. It is no part of the product.
@main
struct LabCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lookahead-lab", abstract: "Measure Lookahead, or wear it out.",
        subcommands: [
            ScoreCommand.self, BenchViewport.self, BenchThumbnails.self, BenchPhotographs.self, BenchEvents.self,
            BenchHTTP.self, BenchSoak.self, BenchStops.self, BenchNodes.self, BenchOrigin.self, BenchEventServer.self,
            BenchGalleryServer.self,
        ])

    static func main() async {
        // A server that this program starts within itself has workers, too.
        if CommandLine.arguments.dropFirst().first == MediaWorker.command { Glibc.exit(MediaWorker.run()) }
        await main(nil)
    }
}
