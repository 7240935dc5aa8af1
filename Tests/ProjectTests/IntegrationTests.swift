import Foundation
import TestSupport
import Testing

/// The continuous integration: `.ci/test` run on made-up tests, the workflows, and the version of a release.
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

    private static let failing = """
        issue $id
        echo 'no lift' > "$LOOKAHEAD_TEST_OUTPUT/$(date +%s%3N)-wing.err"
        echo 'no feather' > "$LOOKAHEAD_TEST_OUTPUT/$(date +%s%3N)-tail.console"
        """

    /// Scripts in place of `swift`, the status of `.ci/test`, and texts of its last `end` lines. A negative status stands
    /// for any failure.
    static let runs: [(script: String, limit: String, status: Int32, end: Int, texts: [String])] = [
        (one("flies"), "5", 0, 30, ["\n1 tests, 0 failed", "\nSlowest: WingTests.Wing/flies()"]),
        (
            one("flies", then: failing) + "seq 500; exit 1", "5", 1, 30,
            ["FAILED WingTests.Wing/flies()", "Wing.swift:7", "it fell", "no lift", "console of tail", "no feather"]
        ),
        ("test hovers; event hovers testStarted; exec tail -f /dev/null", "0.02", -1, 30, ["\nTIMED OUT"]),
        ("echo 'Wing.swift:3:1: error: no such feather'; seq 500; exit 2", "5", 2, 5, ["no such feather"]),
    ]

    @Test("a run ends with its result, failures or compiler errors, and stops at its limit", arguments: runs)
    func ending(script: String, limit: String, status: Int32, end: Int, texts: [String]) async throws {
        let result = try await run(swift: script, ["--limit", limit, "--filter", "Wing"])
        #expect(status < 0 ? result.status != 0 : result.status == status)
        let last = "\n" + result.lines.suffix(end).joined(separator: "\n")
        for text in texts { #expect(last.contains(text), "\(text): \(last)") }
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

    @Test("workflows pin actions to a commit, and every push runs .ci/run")
    func actions() throws {
        #expect(try Checkout.text(".github/workflows/tests.yml").contains("      - run: .ci/run\n"))
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

    @Test("the newest version in the changelog is the program's, three numbers with dots")
    func version() async throws {
        let version = try await Checkout.run("'\(LookaheadProcess.executable)' --version").output
        let newest = try #require(try Checkout.text(".github/CHANGELOG.md").firstMatch(of: #/\n## (.+)\n/#)).output.1
        #expect(version == "\(newest)\n" && newest.wholeMatch(of: #/\d+\.\d+\.\d+/#) != nil)
    }
}
