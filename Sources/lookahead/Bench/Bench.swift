import ArgumentParser

struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure this machine with the pipeline, beside the physical limit.",
        subcommands: [BenchThumbnails.self, BenchPipeline.self, BenchOrigin.self])
}
