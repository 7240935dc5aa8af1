import Foundation
import Synchronization
import TestSupport
import Testing

/// A test that fails tells what its browsers showed and wrote on their consoles, and what its servers said.
struct Explained: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let evidence = Evidence(of: test.name)
        let servers = StartedServers()
        let noting = IssueHandlingTrait.compactMapIssues { issue in
            evidence.hasFailed = true
            return issue
        }
        do {
            try await noting.provideScope(for: test, testCase: testCase) {
                try await StartedServers.$current.withValue(servers) {
                    try await Evidence.$current.withValue(evidence) { try await function() }
                }
            }
        } catch {
            evidence.tell(servers)
            throw error
        }
        if evidence.hasFailed { evidence.tell(servers) }
    }
}

extension Trait where Self == Explained {
    static var explained: Self { Self() }
}

/// Screenshots and documents of a test that has failed.
final class Evidence: Sendable {
    /// That of the test that runs.
    @TaskLocal static var current: Evidence?

    private struct Notes {
        var hasFailed = false
        var texts: [String] = []
    }

    /// Folder for screenshots, or nil if screenshots are not kept.
    private static let folder = ProcessInfo.processInfo.environment["LOOKAHEAD_TEST_OUTPUT"]

    private let name: String
    private let notes = Mutex(Notes())

    init(of name: String) { self.name = name }

    /// Whether anything was not as expected so far.
    var hasFailed: Bool {
        get { notes.withLock { $0.hasFailed } }
        set { notes.withLock { $0.hasFailed = newValue } }
    }

    /// Takes down what a browser shows and has written, while it is still there.
    func look(at browser: Browser) async {
        let console = await browser.console()
        if let folder = Self.folder {
            // As OutputCollector names what servers write.
            let now = Int(Date().timeIntervalSince1970 * 1000)
            try? Data(console.utf8).write(
                to: URL(fileURLWithPath: "\(folder)/\(now)-\(browser.engine.rawValue).console"))
        }
        var text = "console of \(browser.engine.rawValue):\n\(console.isEmpty ? "nothing" : console)"
        do {
            let picture = try await browser.screenshot()
            let letters = name.map { $0.isLetter || $0.isNumber ? $0 : "-" }
            let kind = browser.engine == .chromium ? "webp" : "png"
            let file = "\(String(letters))-\(browser.engine.rawValue)-\(UUID().uuidString.prefix(8)).\(kind)"
            Attachment.record(Array(picture), named: file)
            if let folder = Self.folder {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try picture.write(to: URL(fileURLWithPath: "\(folder)/\(file)"))
                text += "\nscreenshot: \(folder)/\(file)"
            }
        } catch {
            text += "\nno screenshot: \(error)"
        }
        notes.withLock { $0.texts.append(text) }
    }

    /// Ends the servers of the test, and prints all that is known.
    func tell(_ servers: StartedServers) {
        let said = servers.stop()
        WarmDemo.current?.stop()
        let texts = notes.withLock { $0.texts } + (said.isEmpty ? [] : [said])
        print((["\(name) failed:"] + texts).joined(separator: "\n"))
    }
}
