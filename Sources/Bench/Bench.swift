import ArgumentParser

package struct Bench: AsyncParsableCommand {
    package init() {}

    package static let configuration = CommandConfiguration(
        abstract: "Measure the cost of Lookahead on this machine against the physical limit.",
        subcommands: [
            BenchViewport.self, BenchThumbnails.self, BenchPhotographs.self, BenchOrigin.self,
        ])
}
