import TestSupport
import Testing

/// Runs a test in all browsers that are installed, at the same time; or in Chromium alone, and in all of them once a week.
/// A failure says in which.
struct EveryBrowser: TestTrait, TestScoping {
    fileprivate let isAlways: Bool

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        async let beside: Void = run(
            in: Firefox.isInstalled && (isAlways || Weekly.isOn) ? .firefox : nil, test, testCase, function)
        try await run(in: .chromium, test, testCase, function)
        try await beside
    }

    private func run(
        in engine: Engine?, _ test: Test, _ testCase: Test.Case?, _ function: @Sendable () async throws -> Void
    ) async throws {
        guard let engine else { return }
        let naming = IssueHandlingTrait.compactMapIssues { issue in
            var issue = issue
            issue.comments.append("in \(engine.rawValue)")
            return issue
        }
        try await naming.provideScope(for: test, testCase: testCase) {
            do {
                try await Engine.$current.withValue(engine) { try await function() }
            } catch {
                Issue.record(error)
            }
        }
    }
}

extension Trait where Self == EveryBrowser {
    /// For what is the page's own: every engine once a week.
    static var inEveryBrowser: Self { Self(isAlways: false) }
    /// For keys, fingers, focus, history, paper, colours, cookies, streams and what else browsers do each in their own way:
    /// every engine each time.
    static var whereEnginesDiffer: Self { Self(isAlways: true) }
}
