import Foundation
import TestSupport
import Testing

/// The page's scripts, without a browser.
@Suite(.timeLimit(.minutes(1)))
struct ScriptTests {
    @Test(
        "the modules of the page that touch no document do what they promise",
        .enabled(if: Checkout.isProgram("node"), "no Node.js"))
    func modules() async throws {
        let result = try await Checkout.run("node --test Tests/PageTests/*.test.mjs")
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.contains(#/# pass [1-9]/#), "\(result.output)")
    }

    @Test(
        "no script of the page names what is not there, nor passes what is not taken",
        .enabled(if: Checkout.isProgram("tsc"), "no TypeScript"))
    func types() async throws {
        let result = try await Checkout.run("tsc --project Tests/PageTests/tsconfig.json")
        #expect(result.status == 0, "\(result.output)")
    }

    @Test("fields are declared in the body of their class")
    func fields() throws {
        let files = try #require(FileManager.default.enumerator(atPath: "\(Checkout.path)/Public/js"))
        let scripts = files.compactMap { $0 as? String }.filter { $0.hasSuffix(".js") }
        #expect(scripts.count > 60)
        for script in scripts {
            #expect(!(try Checkout.text("Public/js/\(script)").contains("Object.assign(this,")), "\(script)")
        }
    }
}
