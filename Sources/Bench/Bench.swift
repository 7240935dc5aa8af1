import ArgumentParser

package struct Bench: AsyncParsableCommand {
    package init() {}

    package static let configuration = CommandConfiguration(
        abstract: "Measure what Lookahead costs on this machine, beside the physical limit.",
        subcommands: [
            BenchViewport.self, BenchThumbnails.self, BenchPipeline.self, BenchOrigin.self, BenchEvents.self,
            BenchEventServer.self, BenchHTTP.self, BenchGalleryServer.self, BenchPhotographs.self, BenchSoak.self,
            BenchStops.self, BenchNodes.self,
        ])
}
