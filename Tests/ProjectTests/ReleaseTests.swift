import TestSupport
import Testing

/// A release, as the tag's workflow makes it.
@Suite(.timeLimit(.minutes(1)))
struct ReleaseTests {
    @Test("the newest version in the changelog is the program's")
    func version() async throws {
        let version = try await Checkout.run("'\(LookaheadProcess.executable)' --version").output
        let newest = try #require(try Checkout.text(".github/CHANGELOG.md").firstMatch(of: #/\n## (.+)\n/#)).output.1
        #expect(version == "\(newest)\n")
    }
}
