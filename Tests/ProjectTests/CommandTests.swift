import Foundation
import TestSupport
import Testing

/// Commands that the README and its articles name outside of code blocks.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CommandTests {
    static let named = (try? Readme().namedCommands) ?? []

    /// Programs that run in full only in the weekly workflow.
    static let weekly: [String] = [".github/workflows/weekly.yml", "Tests/weekly.sh"].flatMap { file in
        ((try? Checkout.text(file)) ?? "").split(separator: "\n")
            .compactMap { $0.firstMatch(of: #/^(?: {10}- |part '[^']+' )(.+)$/#).map { String($0.output.1) } }
    }

    private static func isWeekly(_ command: String) -> Bool {
        weekly.contains { $0.components(separatedBy: " && ").contains(command) }
    }

    @Test(
        "every command named in the text runs",
        arguments: named.filter { !isWeekly($0) && (Weekly.isOn || !$0.hasPrefix("lookahead-lab")) })
    func run(command: String) async throws {
        try await ReadmeTests.Place().run(command)
    }

    @Test(
        "every command of the weekly workflow runs in its short form, if it has one",
        .enabled(if: Weekly.isOn, "runs weekly"), arguments: named.filter(isWeekly))
    func brief(command: String) async throws {
        guard Checkout.isFile(command), try Checkout.text(command).contains("--brief") else { return }
        let output = try await ReadmeTests.Place().run("\(command) --brief")
        #expect(output.contains("Lookahead"), "\(output)")
    }

    @Test(
        "the processes that live.sh started end with it, even if it is killed",
        .enabled(if: Weekly.isOn, "runs weekly"),
        arguments: [SIGTERM, SIGKILL])
    func ended(signal: Int32) async throws {
        let folder = try TemporaryFolder()
        let environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": folder.path,
            "TMPDIR": folder.path, "LOOKAHEAD_BINARY": LookaheadProcess.executable,
        ]
        let live = try Child("\(Checkout.path)/Tests/Benchmarks/live.sh", ["--brief"], environment: environment)
        func started() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { process in
                guard let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") else { return nil }
                let text = String(decoding: line, as: UTF8.self)
                return text.contains(folder.path) ? text : nil
            }
        }
        try await eventually("nginx runs") { try started().contains { $0.contains("nginx") } }
        live.signal(signal)
        _ = live.wait()
        _ = try await eventually("nothing runs", of: started) { $0.isEmpty }
        // The folder also serves as the home. It stays if the process was killed.
        let folders = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("live-") }
        #expect(folders.isEmpty || signal == SIGKILL, "\(folders)")
    }

    @Test("the named commands include every script, and the weekly workflow's programs exist")
    func found() {
        let expected = [
            "Tests/Benchmarks/live.sh", "Tests/Benchmarks/server.sh", "Tests/Benchmarks/thumbnails.sh",
            "Tests/sanitize.sh", "Tests/Contract/schemathesis.sh", "lookahead settings",
            "LOOKAHEAD_SCREENSHOTS=.pictures .ci/test --filter ScreenshotTests",
        ]
        for command in expected { #expect(Self.named.contains(command), "\(command)") }
        #expect(Self.weekly.count >= 5)
        for command in Self.weekly.flatMap({ $0.components(separatedBy: " && ") }) {
            let program = command.split(separator: " ").map(String.init).first { !$0.contains("=") } ?? ""
            #expect(
                Checkout.isFile(program) || ["swift", "apt-get", "lintian", "man", "env"].contains(program),
                "\(command)")
        }
    }

    @Test("every benchmark is documented, and run by a code block or by the endurance tests")
    func benchmarks() async throws {
        let help = try await Checkout.run("'\(LookaheadProcess.lab)' --help").output
        let names = try #require(help.firstRange(of: "SUBCOMMANDS:").map { help[$0.upperBound...] })
            .matches(of: #/\n  ([a-z-]+) /#).map { String($0.output.1) }
        #expect(names.count > 8)
        let readme = try Readme()
        let blocks = readme.blocks.map(\.text).joined()
        let tests = try Checkout.text("Tests/WebTests/Server/EnduranceTests.swift")
        for name in names {
            #expect(readme.prose.contains("`\(name)`"), "\(name)")
            #expect(blocks.contains("lookahead-lab \(name)") || tests.contains("\"\(name)\""), "\(name)")
        }
    }
}
