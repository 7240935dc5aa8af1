import ArgumentParser
import JSON

package struct Bench: AsyncParsableCommand {
    package init() {}

    package static let configuration = CommandConfiguration(
        abstract: "Measure the cost of Lookahead on this machine against the physical limit.",
        subcommands: [
            BenchViewport.self, BenchThumbnails.self, BenchPhotographs.self, BenchOrigin.self,
        ])
}

/// How a benchmark prints what it measured.
package enum BenchFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json

    package static var help: ArgumentHelp { "Output format." }
}

extension JSONWriter {
    /// A text that is one object.
    package static func text(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        writer.object(body)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
