import Foundation
import TestSupport

extension NginxProxy {
    /// Under a path prefix, with the configuration that the README shows.
    convenience init(to backend: UInt16) async throws {
        try await self.init(Self.location.replacingOccurrences(of: "8080", with: "\(backend)"))
    }

    /// As in the README.
    static let location: String = {
        let file = URL(fileURLWithPath: APIDescription.publicDirectory + "/../README.md")
        let blocks = (try? String(contentsOf: file, encoding: .utf8))?.components(separatedBy: "```nginx\n") ?? []
        return blocks.dropFirst().first?.components(separatedBy: "```").first
            ?? "the README shows no nginx configuration"
    }()
}
