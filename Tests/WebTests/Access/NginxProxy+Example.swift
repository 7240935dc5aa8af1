import Foundation
import TestSupport

extension NginxProxy {
    /// Starts nginx under a path prefix, with the configuration of the article on operating.
    convenience init(to backend: UInt16) async throws {
        try await self.init(Self.location.replacingOccurrences(of: "8080", with: "\(backend)"))
    }

    /// The article's configuration.
    static let location: String = {
        let file = URL(
            fileURLWithPath: LookaheadProcess.publicDirectory + "/../Sources/lookahead/lookahead.docc/Operating.md")
        let blocks = (try? String(contentsOf: file, encoding: .utf8))?.components(separatedBy: "```nginx\n") ?? []
        return blocks.dropFirst().first?.components(separatedBy: "```").first
            ?? "the article shows no nginx configuration"
    }()
}
