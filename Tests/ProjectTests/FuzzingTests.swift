import TestSupport
import Testing

@Suite(.enabled(if: Weekly.isOn, "runs weekly"), .timeLimit(.minutes(10)))
struct FuzzingTests {
    @Test("mutated pictures neither crash, hang nor leak, with the sanitizers watching")
    func fuzz() async throws {
        let result = try await Checkout.run("Tests/Fuzzing/fuzz.sh --runs 20000")
        #expect(result.status == 0, "\(result.output)")
    }
}

@Suite(.timeLimit(.minutes(3)))
struct AttackTests {
    @Test(
        "the server holds against malformed requests, bombs, costly metadata, huge numbers, forged log lines, foreign databases, thousands of dead hosts and false Redis servers",
        .enabled(if: Checkout.isProgram("python3"), "no Python"))
    func brief() async throws {
        let run = try await Checkout.run(
            "Tests/attack.sh --brief", environment: ["LOOKAHEAD_BINARY": LookaheadProcess.executable])
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.contains("withstood 8 of 8 kinds"), "\(run.output)")
    }
}
