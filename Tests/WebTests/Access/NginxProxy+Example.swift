import Foundation
import TestSupport

extension NginxProxy {
    /// Under a path prefix, with the configuration that the article on operating shows.
    convenience init(to backend: UInt16) async throws {
        try await self.init(Self.location.replacingOccurrences(of: "8080", with: "\(backend)"))
    }

    /// As in the article.
    static let location: String = {
        let file = URL(
            fileURLWithPath: LookaheadProcess.publicDirectory + "/../Sources/lookahead/lookahead.docc/Operating.md")
        let blocks = (try? String(contentsOf: file, encoding: .utf8))?.components(separatedBy: "```nginx\n") ?? []
        return blocks.dropFirst().first?.components(separatedBy: "```").first
            ?? "the article shows no nginx configuration"
    }()
}
