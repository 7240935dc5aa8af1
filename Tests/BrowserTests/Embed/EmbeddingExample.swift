import Foundation

/// The second HTML example of the article on embedding.
enum EmbeddingExample {
    static let html: String? = {
        let file = URL(fileURLWithPath: #filePath + "/../../../../Sources/lookahead/lookahead.docc/Embedding.md")
            .standardized
        let blocks = (try? String(contentsOf: file, encoding: .utf8))?.components(separatedBy: "```html\n") ?? []
        return blocks.dropFirst().first?.components(separatedBy: "```").first
    }()
}
