import Foundation

/// The example of the README for pages of others.
enum ReadmeExample {
    static let html: String? = {
        let file = URL(fileURLWithPath: #filePath + "/../../../../README.md").standardized
        let blocks = (try? String(contentsOf: file, encoding: .utf8))?.components(separatedBy: "```html\n") ?? []
        return blocks.dropFirst().first?.components(separatedBy: "```").first
    }()
}
