import ArgumentParser
import Bench
import Catalog
import Foundation
import Gallery
import Glibc
import Pictures
import Terminal

/// Crowds, bursts and days of use: what measures Lookahead's server under load, and is no part of the product.
@main
struct LoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lookahead-load", abstract: "Measure Lookahead under load, or wear it out.",
        subcommands: [
            BenchPipeline.self, BenchEvents.self, BenchHTTP.self, BenchSoak.self, BenchStops.self, BenchNodes.self,
            BenchOrigin.self, BenchEventServer.self, BenchGalleryServer.self,
        ])

    static func main() async {
        // The servers that it starts in itself have render workers, too.
        if CommandLine.arguments.dropFirst().first == RenderWorker.command { Glibc.exit(RenderWorker.run()) }
        if CommandLine.arguments.dropFirst().first == FactsWorker.command { Glibc.exit(FactsWorker.run()) }
        await main(nil)
    }
}
