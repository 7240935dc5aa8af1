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
