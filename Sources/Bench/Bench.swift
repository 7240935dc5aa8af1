import ArgumentParser

package struct Bench: AsyncParsableCommand {
    package init() {}

    package static let configuration = CommandConfiguration(
        abstract: "Measure the cost of Lookahead on this machine against the physical limit.",
        subcommands: [
            BenchViewport.self, BenchThumbnails.self, BenchPipeline.self, BenchOrigin.self, BenchEvents.self,
            BenchEventServer.self, BenchHTTP.self, BenchGalleryServer.self, BenchPhotographs.self, BenchSoak.self,
            BenchStops.self, BenchNodes.self,
        ])
}
