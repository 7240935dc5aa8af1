import Foundation
import JSON

/// A headless Chromium, driven through Debian's chromedriver over the WebDriver protocol.
final class Browser {
    private let driver: Child
    private let port: UInt16
    private var session = ""

    init(width: Int = 1280, height: Int = 900) async throws {
        (driver, port) = try await Self.startDriver()
        let arguments: [JSON] = [
            "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", .string("--window-size=\(width),\(height)"),
        ]
        let answer = try await call(
            "POST", "/session",
            [
                "capabilities": [
                    "alwaysMatch": ["goog:chromeOptions": ["args": .array(arguments)], "timeouts": ["script": 60_000]]
                ]
            ])
        session = answer["sessionId"]?.string ?? ""
    }

    /// Two drivers that start at once may pick the same port, and one of them gives up: it then tries again.
    private static func startDriver(attempts: Int = 3) async throws -> (Child, UInt16) {
        let driver = try Child("/usr/bin/chromedriver", ["--port=0"])
        do {
            return (driver, try await driver.port(after: "successfully on port"))
        } catch {
            driver.stop()
            guard attempts > 1 else { throw error }
            return try await startDriver(attempts: attempts - 1)
        }
    }

    func quit() async {
        _ = try? await call("DELETE", "/session/\(session)")
        driver.stop()
    }

    func open(_ address: String) async throws {
        try await command("POST", "url", ["url": .string(address)])
    }

    func reload() async throws {
        try await command("POST", "refresh", [:])
    }

    func resize(width: Int, height: Int) async throws {
        try await command("POST", "window/rect", ["width": .number(Double(width)), "height": .number(Double(height))])
    }

    /// Opens another tab in front, runs `body` there, closes it, and comes back.
    func inAnotherTab(_ address: String, _ body: () async throws -> Void) async throws {
        let here = try await command("GET", "window")
        let there = try await command("POST", "window/new", ["type": "tab"])["handle"] ?? .null
        try await command("POST", "window", ["handle": there])
        try await open(address)
        try await body()
        try await command("DELETE", "window")
        try await command("POST", "window", ["handle": here])
    }

    /// Runs the body of a function in the page, and gives what it returns.
    @discardableResult
    func run(_ body: String, _ arguments: [JSON] = []) async throws -> JSON {
        try await command(
            "POST", "execute/sync", ["script": .string(Probe.source + body), "args": .array(arguments)])
    }

    /// Runs the body of an async function in the page, and gives what it returns once it has.
    @discardableResult
    func wait(_ body: String, _ arguments: [JSON] = []) async throws -> JSON {
        let script = """
            \(Probe.source)
            const [done, args] = [arguments[arguments.length - 1], [...arguments].slice(0, -1)];
            (async () => { \(body) })().then((value) => done({ value: value ?? null }), (error) => done({ error: String(error) }));
            """
        let answer = try await command("POST", "execute/async", ["script": .string(script), "args": .array(arguments)])
        if let error = answer["error"]?.string { throw HTTPExchange.Failure(description: error) }
        return answer["value"] ?? .null
    }

    /// Waits, looking at every frame, until an expression of the page is true.
    func until(_ condition: String, _ why: String, within milliseconds: Int = 20_000) async throws {
        try await wait(
            "await probe.until(() => \(condition), args[0], args[1]);", [.string(why), .number(Double(milliseconds))])
    }

    /// The page as it looks now, as PNG.
    func screenshot() async throws -> Data {
        let text = try await command("GET", "screenshot").string ?? ""
        return Data(base64Encoded: text) ?? Data()
    }

    func devtools(_ method: String, _ parameters: JSON = [:]) async throws {
        try await command("POST", "goog/cdp/execute", ["cmd": .string(method), "params": parameters])
    }

    /// Turns the wheel over the middle of the page, as a person's hand does: `turns` events of `delta` px.
    func wheel(by delta: Double, turns: Int = 1) async throws {
        for _ in 0..<turns {
            try await devtools(
                "Input.dispatchMouseEvent",
                ["type": "mouseWheel", "x": 600, "y": 450, "deltaX": 0, "deltaY": .number(delta)])
        }
    }

    /// Presses a key by its name in WebDriver's numbering, or as the character it is.
    func press(_ keys: String..., holding modifier: String? = nil) async throws {
        var actions: [JSON] = []
        if let modifier { actions.append(["type": "keyDown", "value": .string(modifier)]) }
        for key in keys {
            actions.append(["type": "keyDown", "value": .string(key)])
            actions.append(["type": "keyUp", "value": .string(key)])
        }
        if let modifier { actions.append(["type": "keyUp", "value": .string(modifier)]) }
        try await command(
            "POST", "actions", ["actions": [["type": "key", "id": "keyboard", "actions": .array(actions)]]])
    }

    @discardableResult
    private func command(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        try await call(method, "/session/\(session)/\(path)", body)
    }

    private func call(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        let answer = try await HTTPExchange.send(method, port: port, path: path, body: body)
        let value = try JSON.parse(answer.body)["value"] ?? .null
        guard answer.status == 200 else {
            throw HTTPExchange.Failure(
                description: "\(method) \(path): \(value["message"]?.string ?? "status \(answer.status)")")
        }
        return value
    }
}

/// Keys by name, as the WebDriver protocol numbers them.
enum Key {
    static let tab = "\u{E004}"
    static let enter = "\u{E007}"
    static let control = "\u{E009}"
    static let escape = "\u{E00C}"
    static let pageUp = "\u{E00E}"
    static let pageDown = "\u{E00F}"
    static let end = "\u{E010}"
    static let home = "\u{E011}"
    static let left = "\u{E012}"
    static let up = "\u{E013}"
    static let right = "\u{E014}"
    static let down = "\u{E015}"
}
