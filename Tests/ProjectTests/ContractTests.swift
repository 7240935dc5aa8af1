import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ContractTests {
    /// Folder of the programs that `.ci/install --tests` brings from PyPI.
    static let tools = ".build/schemathesis/bin"

    @Test(
        "a client generated from the API description drives a session",
        .enabled(if: Checkout.isFile("\(tools)/openapi-python-client"), "there is no generator: .ci/install --tests"))
    func client() async throws {
        let run = try await Checkout.run(
            "CONTRACT_TOOLS=\"$PWD/\(Self.tools)\" Tests/Contract/client.sh",
            environment: ["LOOKAHEAD_BINARY": LookaheadProcess.executable])
        #expect(run.status == 0 && run.output.contains("1000 items"), "\(run.output)")
    }

    @Test(
        "responses to generated requests match the API description",
        .enabled(if: Weekly.isOn, "runs weekly"),
        .enabled(if: Checkout.isFile("\(tools)/schemathesis"), "there is no Schemathesis: .ci/install --tests"))
    func schemathesis() async throws {
        let run = try await Checkout.run(
            "SCHEMATHESIS=\"$PWD/\(Self.tools)/schemathesis\" Tests/Contract/schemathesis.sh 8 1",
            environment: ["LOOKAHEAD_BINARY": LookaheadProcess.executable])
        #expect(run.status == 0, "\(run.output)")
    }
}
