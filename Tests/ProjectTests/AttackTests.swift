import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct AttackTests {
    @Test(
        "the server withstands all eight kinds of attack",
        .enabled(if: Checkout.isProgram("python3"), "no Python"))
    func brief() async throws {
        let run = try await Checkout.run(
            "Tests/attack.sh --brief", environment: ["LOOKAHEAD_BINARY": LookaheadProcess.executable])
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.contains("withstood 8 of 8 kinds"), "\(run.output)")
    }
}
