import TestSupport
import Testing

/// What a tag makes a release of.
@Suite(.timeLimit(.minutes(1)))
struct ReleaseTests {
    @Test("the newest version of the changelog is the program's")
    func version() async throws {
        let version = try await Checkout.run("'\(LookaheadProcess.executable)' --version").output
        let newest = try #require(try Checkout.text(".github/CHANGELOG.md").firstMatch(of: #/\n## (.+)\n/#)).output.1
        #expect(version == "\(newest)\n")
    }

    @Test("what has changed is told as the changelog has it, the newest version alone")
    func changes() async throws {
        let workflow = try Checkout.text(".github/workflows/release.yml")
        let command = try #require(workflow.firstMatch(of: #/run: (awk .+) > changes\.md/#)).output.1
        let told = try await Checkout.run(String(command)).output
        let versions = try Checkout.text(".github/CHANGELOG.md").split(separator: #/\n## .+\n/#)
        #expect(told == versions[1] + "\n")
        #expect(told.contains("### Added"))
    }
}
