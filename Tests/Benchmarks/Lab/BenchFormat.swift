import ArgumentParser
import JSON

/// How a benchmark prints what it measured.
enum BenchFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json

    static var help: ArgumentHelp { "Output format." }
}

extension JSONWriter {
    /// A text that is one object.
    static func text(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        writer.object(body)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
