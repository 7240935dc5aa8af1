import TestSupport
import Testing

/// Runs a test in all installed browsers at the same time, or in Chromium only and weekly in all. A failure names the browser.
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
    /// For behaviour of the page itself: Chromium at each run, all engines weekly.
    static var inEveryBrowser: Self { Self(isAlways: false) }
    /// For behaviour in which browsers differ, such as keys, touch, focus, history, print and cookies: all engines at each run.
    static var whereEnginesDiffer: Self { Self(isAlways: true) }
}
