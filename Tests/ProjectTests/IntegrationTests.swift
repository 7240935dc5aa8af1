import Foundation
import TestSupport
import Testing

/// What proves a commit.
@Suite(.timeLimit(.minutes(2)))
struct IntegrationTests {
    /// `.ci/run`, where nothing is installed and `swift` is a script.
    private func run(swift script: String) async throws -> (status: Int32, lines: [Substring]) {
        let folder = try TemporaryFolder()
        for (name, text) in [
            (".ci/run", try Checkout.text(".ci/run")), (".ci/install", "#!/bin/sh\n"),
            ("bin/swift", "#!/bin/sh\n\(script)\n"),
        ] {
            let file = try folder.write(name, Array(text.utf8))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
        }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let child = try Child("\(folder.path)/.ci/run", [], environment: ["PATH": "\(folder.path)/bin:\(path)"])
        let output = await child.output()
        return (child.wait(), output.split(separator: "\n"))
    }

    @Test("tests that pass are told as they are, with status 0")
    func passing() async throws {
        let result = try await run(swift: "echo \"$@\"; echo '✔ Test run passed.'")
        #expect(result.status == 0)
        #expect(result.lines == ["test -c release --no-parallel", "✔ Test run passed."])
    }

    @Test("what failed stands once more at the end of a long output, which ends as the tests did")
    func failing() async throws {
        let result = try await run(
            swift: """
                echo '✘ Test "it flies" recorded an issue at Wing.swift:7:9: Expectation failed'
                echo '↳ it fell'
                for number in $(seq 500); do echo "✔ Test $number passed"; done
                echo '✘ Test run with 501 tests failed.' >&2
                exit 3
                """)
        #expect(result.status == 3)
        let end = result.lines.suffix(10)
        for text in ["Wing.swift:7:9", "↳ it fell", "501 tests failed"] {
            #expect(end.contains { $0.contains(text) }, "\(text): \(end)")
        }
    }

    @Test("each push runs the README's command for the tests")
    func push() throws {
        #expect(try Checkout.text(".github/workflows/tests.yml").contains("      - run: .ci/run\n"))
    }
}
