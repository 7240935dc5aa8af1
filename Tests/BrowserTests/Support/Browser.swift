import Foundation
import JSON
import TestSupport

/// A headless browser and the page it shows.
final class Browser {
    let engine: Engine
    private let driver: any Driver

    init(width: Int = 1280, height: Int = 900) async throws {
        engine = .current
        driver =
            if let idle = IdleBrowsers.current {
                try await idle.take(engine, width: width, height: height)
            } else {
                try await engine.start(width: width, height: height)
            }
    }

    /// Starts a Chromium that records a trace of its pages.
    init(tracing width: Int, height: Int) async throws {
        engine = .chromium
        driver = try await Chromium(width: width, height: height, tracing: true)
    }

    func quit() async { await driver.quit() }

    /// Passes the browser to the next test of the suite if the suite shares browsers. The page closes, because its server stops.
    func leave() async {
        guard let idle = IdleBrowsers.current else { return await quit() }
        _ = try? await driver.perform(.execute, ["script": "localStorage.clear()", "args": []])
        do {
            try await open("about:blank")
            await idle.put(driver, of: engine)
        } catch {
            await quit()
        }
    }

    /// Returns the last lines of the console.
    func console(lines: Int = 30) async -> String {
        do {
            return try await driver.console().suffix(lines).joined(separator: "\n")
        } catch {
            return "none could be had: \(error)"
        }
    }

    func open(_ address: String) async throws {
        try await driver.perform(.navigate, ["url": .string(address)])
    }

    func reload() async throws { try await driver.perform(.refresh, [:]) }

    /// Presses the button with the arrow.
    func goBack() async throws { try await driver.perform(.back, [:]) }

    func resize(width: Int, height: Int) async throws {
        try await driver.perform(.setWindow, ["width": .number(Double(width)), "height": .number(Double(height))])
    }

    func emulate(_ emulation: Emulation) async throws { try await driver.emulate(emulation) }

    /// Runs `body` in another tab in front, and closes that tab.
    func inAnotherTab(_ address: String, _ body: () async throws -> Void) async throws {
        let here = try await driver.perform(.window, [:])
        let there = try await driver.perform(.newWindow, ["type": "tab"])["handle"] ?? .null
        try await driver.perform(.switchToWindow, ["handle": there])
        try await open(address)
        try await body()
        try await driver.perform(.closeWindow, [:])
        try await driver.perform(.switchToWindow, ["handle": here])
    }

    /// Runs the body of a function in the page and returns its result.
    @discardableResult
    func run(_ body: String, _ arguments: [JSON] = []) async throws -> JSON {
        try await driver.perform(
            .execute, ["script": .string(Probe.script(body)), "args": .array(arguments)])
    }

    /// Runs the body of an async function in the page and returns its result.
    ///
    /// Firefox caches a page that is left, for the Back button. Then it freezes the script and never responds, or it responds null, as
    /// for a page that is closed.
    @discardableResult
    func wait(_ body: String, _ arguments: [JSON] = []) async throws -> JSON {
        let script = Probe.script(
            """
            const [done, args] = [arguments[arguments.length - 1], [...arguments].slice(0, -1)];
            window.addEventListener("pagehide", () => done({ gone: true }), { once: true });
            (async () => { \(body) })().then((value) => done({ value: value ?? null }), (error) => done({ error: String(error) }));
            """)
        let answer = try await driver.perform(.executeAsync, ["script": .string(script), "args": .array(arguments)])
        if answer == .null || answer["gone"] == true {
            throw Refusal(command: Command.executeAsync.name, reason: "unloaded")
        }
        if let error = answer["error"]?.string { throw TestClient.Failure(what: error) }
        return answer["value"] ?? .null
    }

    /// Waits until an expression is true, checked at every frame. Continues in the next page if this one is left. An expression that
    /// throws is not true yet.
    ///
    /// - Parameter arguments: values of `args[2]` and the following in the expression.
    func until(_ condition: String, _ why: String, _ arguments: [JSON] = [], within milliseconds: Int = 60_000)
        async throws
    {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        while true {
            do {
                try await wait(
                    "await probe.until(() => \(condition), args[0], args[1]);",
                    [.string(why), .number(Double(milliseconds))] + arguments)
                return
            } catch let refusal as Refusal where refusal.isOfPageThatWent && ContinuousClock.now < end {
                continue
            }
        }
    }

    /// Shortens the timers of the current page: those of more than a second end after a sixth of their time.
    func hurry() async throws {
        try await run(
            """
            const { setTimeout } = window;
            window.setTimeout = (work, delay, ...more) => setTimeout(work, delay > 1000 ? delay / 6 : delay, ...more);
            """)
    }

    /// Returns a screenshot, in Chromium as WebP, in Firefox as PNG.
    ///
    /// - Parameter size: of the part at the top left, in pixels, for a screenshot of half that size. Chromium only.
    func screenshot(half size: (width: Int, height: Int)? = nil) async throws -> Data {
        if engine == .firefox {
            let picture = try await driver.perform(.takeScreenshot, ["full": false])
            return Data(base64Encoded: picture.string ?? "") ?? Data()
        }
        var parameters: JSONObject = ["format": "webp", "quality": 84]
        if let size {
            parameters["clip"] = [
                "x": 0, "y": 0, "width": .number(Double(size.width)), "height": .number(Double(size.height)),
                "scale": 0.5,
            ]
            parameters["optimizeForSpeed"] = true
        }
        let picture = try await devtools("Page.captureScreenshot", .object(parameters))
        return Data(base64Encoded: picture["data"]?.string ?? "") ?? Data()
    }

    /// Returns the printed page, as PDF.
    func print() async throws -> Data {
        let answer = try await driver.perform(.print, ["background": true])
        return Data(base64Encoded: answer.string ?? "") ?? Data()
    }

    /// Sends a command of Chromium's own protocol.
    @discardableResult
    func devtools(_ method: String, _ parameters: JSON = [:]) async throws -> JSON {
        try await driver.perform(.devtools, ["cmd": .string(method), "params": parameters])
    }

    /// Returns the events that a tracing Chromium recorded.
    func trace() async throws -> [JSON] {
        let entries = try await driver.perform(.log, ["type": "performance"]).array ?? []
        return entries.compactMap { entry in
            guard let message = try? JSON.parse(entry["message"]?.string ?? "")["message"],
                message["method"]?.string == "Tracing.dataCollected"
            else { return nil }
            return message["params"]
        }
    }

    /// Performs actions of input sources, in WebDriver's terms.
    func act(_ sources: JSON...) async throws {
        try await driver.perform(.actions, ["actions": .array(sources)])
    }
}
