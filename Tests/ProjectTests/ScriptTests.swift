import Foundation
import TestSupport
import Testing

/// The page's scripts without a browser.
@Suite(.timeLimit(.minutes(1)))
struct ScriptTests {
    @Test(
        "the tests of the page's modules pass",
        .enabled(if: Checkout.isProgram("node"), "no Node.js"))
    func modules() async throws {
        let result = try await Checkout.run("node --test Tests/PageTests/*.test.mjs")
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.contains(#/# pass [1-9]/#), "\(result.output)")
    }

    @Test(
        "the page's scripts and the tests' probes pass the type check",
        .enabled(if: Checkout.isProgram("tsc"), "no TypeScript"))
    func types() async throws {
        let result = try await Checkout.run("tsc --project Tests/PageTests/tsconfig.json")
        #expect(result.status == 0, "\(result.output)")
    }
}
