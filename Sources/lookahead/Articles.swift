import Foundation
import Terminal

/// The articles that `lookahead help TOPIC` prints, as Markdown source.
enum Articles {
    /// Names of the articles' files. For example, `Sources`, `TheAPI` and `SeveralServers` have the topics `sources`, `api` and
    /// `several-servers`.
    static let files = [
        "Sources", "ThePage", "Embedding", "TheAPI", "Settings", "Operating", "SeveralServers", "Policies",
        "Benchmarks", "Comparison", "Architecture", "FromScrollToThumbnail", "Dependencies",
    ]

    static var topics: [String] { files.map(topic) }

    private static func topic(_ file: String) -> String {
        let name = file.hasPrefix("The") ? file.dropFirst(3) : file[...]
        let words = name.replacing(#/([a-z])([A-Z])/#) { "\($0.output.1)-\($0.output.2)" }
        return words.lowercased()
    }

    /// - Returns: the article on a topic, or `nil` if there is no such topic.
    /// - Throws: ``CommandFailure`` if the articles are not installed.
    static func text(of topic: String) throws -> String? {
        guard let file = files.first(where: { Self.topic($0) == topic.lowercased() }) else { return nil }
        guard let folder = try Installation.articles() else {
            throw CommandFailure(
                "the articles are not installed: read Sources/lookahead/lookahead.docc/\(file).md in the source code")
        }
        return try String(contentsOfFile: "\(folder)/\(file).md", encoding: .utf8)
    }
}
