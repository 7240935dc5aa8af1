import Foundation
import TestSupport
import Testing

/// `.ci/test`, run on made-up tests.
@Suite(.timeLimit(.minutes(2)))
struct IntegrationTests {
    /// Runs `.ci/test` with a script as `swift`. The script gets the events file in `$events` and the run's name in
    /// `$run`.
    private func run(
        swift script: String, _ options: [String] = ["--filter", "Wing"]
    ) async throws -> (status: Int32, lines: [Substring]) {
        let folder = try TemporaryFolder()
        let swift = """
            #!/bin/bash
            [ "$2" != list ] || list=yes
            while [ $# -gt 1 ]; do
                case "$1" in --event-stream-output-path) events=$2 ;; --filter) filter=$2 ;; esac
                shift
            done
            run=$(basename "$(dirname "$events")")
            test() { echo '{"kind":"test","payload":{"id":"'$1'","kind":"function","name":"it()"},"version":0}' >> "$events"; }
            event() { echo '{"kind":"event","payload":{"kind":"'$2'","testID":"'$1'","instant":{"since1970":'$(date +%s.%N)'}'$3'},"version":0}' >> "$events"; }
            issue() { event $1 issueRecorded ',"issue":{"isKnown":false,"sourceLocation":{"fileID":"WingTests/Wing.swift","line":7}},"messages":[{"symbol":"fail","text":"it fell"}]'; }
            \(script)
            """
        for (name, text) in [(".ci/test", try Checkout.text(".ci/test")), ("bin/swift", swift)] {
            let file = try folder.write(name, Array(text.utf8))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
        }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let child = try Child(
            "\(folder.path)/.ci/test", options, environment: ["PATH": "\(folder.path)/bin:\(path)"])
        let output = await child.output()
        return (child.wait(), output.split(separator: "\n"))
    }

    /// A test that starts, runs `then`, and ends.
    private static func one(_ name: String, then: String = "") -> String {
        let id = "WingTests.Wing/\(name)()/Wing.swift:5:6"
        return """
            id='\(id)'
            test $id
            event $id testStarted
            \(then)
            event $id testEnded

            """
    }

    @Test("passing tests give status 0, their count and the slowest test")
    func passing() async throws {
        let result = try await run(swift: Self.one("flies"))
        #expect(result.status == 0)
        #expect(result.lines.contains { $0.hasPrefix("1 tests, 0 failed") })
        #expect(result.lines.contains { $0.hasPrefix("Slowest: WingTests.Wing/flies()") })
    }

    @Test(
        "a failed test's place, message and server output are in the last thirty lines"
    )
    func failing() async throws {
        let writing = """
            issue $id
            echo 'no lift' > "$LOOKAHEAD_TEST_OUTPUT/$(date +%s%3N)-wing.err"
            echo 'no feather' > "$LOOKAHEAD_TEST_OUTPUT/$(date +%s%3N)-tail.console"
            """
        let result = try await run(swift: Self.one("flies", then: writing) + "seq 500; exit 1")
        #expect(result.status == 1)
        let end = result.lines.suffix(30)
        for text in [
            "FAILED WingTests.Wing/flies()", "Wing.swift:7", "it fell", "no lift", "console of tail", "no feather",
        ] {
            #expect(end.contains { $0.contains(text) }, "\(text): \(end)")
        }
    }

    @Test(
        "a test that passes when it runs alone is reported as flaky, and two flaky tests fail the run",
        arguments: [1, 2])
    func flaky(count: Int) async throws {
        let tests = (1...count).map { Self.one("flies\($0)", then: "[ $run != all ] || issue $id") }.joined()
        let result = try await run(swift: "\(tests)[ $run != all ]")
        #expect((result.status == 0) == (count == 1))
        #expect(result.lines.count { $0.hasPrefix("FLAKY") } == count)
    }

    @Test("without options, each target has a process of its own, and suites of browsers are divided")
    func parts() async throws {
        let script = """
            if [ "$list" ]; then
                mkdir -p .build/release
                cp "$0" .build/release/lookaheadPackageTests.xctest
                printf '%s\\n' WingTests.Wing/a WingTests.Tail/b BrowserTests.Page/Keys/c BrowserTests.Page/Print/d
            else
                \(Self.one("flies"))
                echo "filter $filter"
            fi
            """
        let result = try await run(swift: script, [])
        #expect(result.status == 0, "\(result.lines)")
        let filters = result.lines.filter { $0.hasPrefix("filter ") }
        #expect((2...3).contains(filters.count), "\(filters)")
        #expect(filters.contains(#"filter ^WingTests\."#))
        for suite in ["Keys", "Print"] {
            #expect(filters.count { $0.contains("/\(suite)") } == 1, "\(suite): \(filters)")
        }
    }

    @Test("a run that reaches its time limit is stopped")
    func limit() async throws {
        let started = "test hovers; event hovers testStarted; exec tail -f /dev/null"
        let result = try await run(swift: started, ["--limit", "0.02", "--filter", "Wing"])
        #expect(result.status != 0)
        #expect(result.lines.contains { $0.hasPrefix("TIMED OUT") })
    }

    @Test("a failed build ends with the compiler's errors")
    func build() async throws {
        let result = try await run(swift: "echo 'Wing.swift:3:1: error: no such feather'; seq 500; exit 2")
        #expect(result.status == 2)
        #expect(result.lines.suffix(5).contains { $0.contains("no such feather") })
    }

    @Test("workflows pin actions to a commit")
    func actions() throws {
        for name in ["tests", "weekly", "release"] {
            let text = try Checkout.text(".github/workflows/\(name).yml")
            let uses = text.matches(of: #/uses: (.*)/#).map { $0.output.1 }
            #expect(!uses.isEmpty && uses.allSatisfy { $0.contains(#/^[a-z/-]+@[0-9a-f]{40} # v[0-9.]+$/#) }, "\(uses)")
        }
    }

    @Test("packages from PyPI are installed with hashes")
    func packages() throws {
        let wanted = try Checkout.text("Tests/Contract/requirements.txt").split(separator: "\n").dropFirst()
        let isHashed = zip(wanted, wanted.dropFirst()).allSatisfy {
            !$0.contains("==") || $1.hasPrefix("    --hash=sha256:")
        }
        #expect(isHashed)
        for script in ["Tests/Contract/install", "Tests/exiftool.sh", ".ci/install"] {
            let text = try Checkout.text(script).replacing("\\\n", with: "")
            let calls = text.split(separator: "\n").filter { $0.contains(#/pip" install|pip download/#) }
            #expect(!calls.isEmpty && calls.allSatisfy { $0.contains("--require-hashes") }, "\(script)")
        }
    }

    @Test("every push runs .ci/run")
    func push() throws {
        #expect(try Checkout.text(".github/workflows/tests.yml").contains("      - run: .ci/run\n"))
    }
}
