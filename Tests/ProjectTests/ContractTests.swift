import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ContractTests {
    /// Where `.ci/install --tests` puts it.
    static let executable = "\(Checkout.path)/.build/schemathesis/bin/schemathesis"

    @Test(
        "calls made up from the API's description, sound and unsound, are answered as it says",
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
