import Synchronization
import Testing

/// The tests of a suite use the same browsers one after the other. Each test gets a new tab without storage. A browser whose test failed
/// is not used again. Tests that change nothing on the server also share one demo.
struct SharedBrowsers: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let (browsers, demo) = (IdleBrowsers(), WarmDemo())
        do {
            try await WarmDemo.$current.withValue(demo) {
                try await IdleBrowsers.$current.withValue(browsers) { try await function() }
            }
        } catch {
            await browsers.quit()
            demo.stop()
            throw error
        }
        await browsers.quit()
        demo.stop()
    }
}

extension Trait where Self == SharedBrowsers {
    static var sharedBrowsers: Self { Self() }
}

/// Browsers that no test uses at the moment, at most one of each engine.
final class IdleBrowsers: Sendable {
    /// The browsers of the running suite, or nil if each test starts its own.
    @TaskLocal static var current: IdleBrowsers?

    private let drivers = Mutex<[Engine: any Driver]>([:])

    /// Returns a browser with one empty tab.
    func take(_ engine: Engine, width: Int, height: Int) async throws -> any Driver {
        if let driver = drivers.withLock({ $0.removeValue(forKey: engine) }) {
            do {
                try await driver.renew(width: width, height: height)
                return driver
            } catch {
                await driver.quit()
            }
        }
        return try await engine.start(width: width, height: height)
    }

    func put(_ driver: any Driver, of engine: Engine) async {
        let former = drivers.withLock { drivers in
            defer { drivers[engine] = driver }
            return drivers[engine]
        }
        await former?.quit()
    }

    func quit() async {
        let rest = drivers.withLock { drivers in
            defer { drivers = [:] }
            return drivers.values.map { $0 }
        }
        for driver in rest { await driver.quit() }
    }
}

extension Driver {
    /// Replaces all tabs by one empty tab in a window of this size.
    fileprivate func renew(width: Int, height: Int) async throws {
        // Also forgets what kinds of pointers there were.
        _ = try? await perform(.releaseActions, [:])
        let former = try await perform(.windows, [:]).array ?? []
        let tab = try await perform(.newWindow, ["type": "tab"])["handle"] ?? .null
        for window in former {
            try await perform(.switchToWindow, ["handle": window])
            try await perform(.closeWindow, [:])
        }
        try await perform(.switchToWindow, ["handle": tab])
        try await perform(.setWindow, ["width": .number(Double(width)), "height": .number(Double(height))])
        try await forget()
    }
}
