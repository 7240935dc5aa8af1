import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ContractTests {
    /// Path of Schemathesis, installed by `.ci/install --tests`.
    static let executable = "\(Checkout.path)/.build/schemathesis/bin/schemathesis"

    static let tools = URL(fileURLWithPath: executable).deletingLastPathComponent().path

    @Test(
        "a client generated from the API description drives a session",
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "\(tools)/openapi-python-client"),
            "there is no generator: .ci/install --tests brings it from PyPI"))
    func client() async throws {
        let run = try await Checkout.run(
            "Tests/Contract/client.sh",
            environment: ["LOOKAHEAD_BINARY": LookaheadProcess.executable, "CONTRACT_TOOLS": Self.tools])
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.contains("1000 items"), "\(run.output)")
    }

    @Test(
        "responses to generated requests match the API description",
        .enabled(if: Weekly.isOn, "runs weekly"),
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: executable),
            "there is no Schemathesis: .ci/install --tests brings it from PyPI"))
    func schemathesis() async throws {
        let run = try await Checkout.run(
            "Tests/Contract/schemathesis.sh 8 1",
            environment: ["LOOKAHEAD_BINARY": LookaheadProcess.executable, "SCHEMATHESIS": Self.executable])
        #expect(run.status == 0, "\(run.output)")
    }
}
